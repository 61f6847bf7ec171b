/// Which pushes to the simulated APNs a rule looks at, and what a push has of that.
package struct APNsRuleCondition: RuleCondition {
    package typealias Action = SimulatorAction

    /// A device token, in lower case.
    package var token: String?
    /// The `apns-topic` as sent.
    package var topic: String?
    /// The `apns-push-type` as sent.
    package var pushType: String?
    /// The environment of the push's port.
    package var environment: APNsEnvironment?
    /// A connection's number.
    package var connection: Int?

    package init() {}

    package init(
        token: String? = nil,
        topic: String? = nil,
        pushType: String? = nil,
        environment: APNsEnvironment? = nil,
        connection: Int? = nil
    ) {
        self.token = token?.lowercased()
        self.topic = topic
        self.pushType = pushType
        self.environment = environment
        self.connection = connection
    }

    /// What a push has of it.
    init(_ check: APNsCheck, _ verdict: Verdict, connection: Int) {
        token = verdict.deviceToken
        topic = check.request.topic
        pushType = check.request.pushType
        environment = check.environment
        self.connection = connection
    }

    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "token", "topic", "pushType", "environment", "connection")
        self.init(
            token: try fields.optional("token"),
            topic: try fields.optional("topic"),
            pushType: try fields.optional("pushType"),
            environment: try fields.optional("environment"),
            connection: try fields.optional("connection")
        )
        if let token, !APNsCheck.isWellFormedToken(token.utf8) {
            throw fields.invalid("token", "is not a device token", hint: "64 to 200 hexadecimal digits.")
        }
    }

    package func matches(_ push: APNsRuleCondition) -> Bool {
        token.allows(push.token) && topic.allows(push.topic) && pushType.allows(push.pushType)
            && environment.allows(push.environment) && connection.allows(push.connection)
    }
}

/// A rule of the simulated APNs.
package typealias SimulatorRule = ServiceRule<APNsRuleCondition>

/// The rules of a simulated APNs.
typealias RuleBook = ScriptedRules<APNsRuleCondition>
