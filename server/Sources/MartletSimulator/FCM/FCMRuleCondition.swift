/// Which requests to the simulated FCM a rule looks at, and what a request has of that.
package struct FCMRuleCondition: RuleCondition {
    /// Which of the two endpoints a request is for.
    package enum Endpoint: String, Sendable, Codable { case send, token }

    package typealias Action = ServiceAction<FCMErrorCode>

    /// `send` unless told otherwise.
    package var endpoint = Endpoint.send
    package var project: String?
    /// A registration token or a FID.
    package var token: String?
    /// A connection's number.
    package var connection: Int?

    package init() {}

    package init(
        endpoint: Endpoint = .send,
        project: String? = nil,
        token: String? = nil,
        connection: Int? = nil
    ) {
        self.endpoint = endpoint
        self.project = project
        self.token = token
        self.connection = connection
    }

    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "endpoint", "project", "token", "connection")
        endpoint = try fields.optional("endpoint") ?? .send
        project = try fields.optional("project")
        token = try fields.optional("token")
        connection = try fields.optional("connection")
    }

    package func matches(_ request: FCMRuleCondition) -> Bool {
        endpoint == request.endpoint && project.allows(request.project) && token.allows(request.token)
            && connection.allows(request.connection)
    }
}
