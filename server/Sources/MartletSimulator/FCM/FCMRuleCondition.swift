/// Which requests to the simulated FCM a rule looks at.
package struct FCMRuleCondition: RuleCondition {
    /// Which of the two endpoints a request is for.
    package enum Endpoint: String, Sendable, Codable { case send, token }

    /// What a rule can look at.
    package struct Subject: Sendable {
        var endpoint: Endpoint
        var project: String?
        var token: String?
        var connection: Int
    }

    package typealias ErrorCode = FCMErrorCode

    /// `send` unless told otherwise.
    package var endpoint = Endpoint.send
    package var project: String?
    /// A registration token or a FID.
    package var token: String?
    /// A connection's number.
    package var connection: Int?

    package init() {}

    package init(endpoint: Endpoint = .send, project: String? = nil, token: String? = nil) {
        self.endpoint = endpoint
        self.project = project
        self.token = token
    }

    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "endpoint", "project", "token", "connection")
        endpoint = try fields.optional("endpoint") ?? .send
        project = try fields.optional("project")
        token = try fields.optional("token")
        connection = try fields.optional("connection")
    }

    package func matches(_ subject: Subject) -> Bool {
        endpoint == subject.endpoint
            && project.map { $0 == subject.project } ?? true
            && token.map { $0 == subject.token } ?? true
            && connection.map { $0 == subject.connection } ?? true
    }
}
