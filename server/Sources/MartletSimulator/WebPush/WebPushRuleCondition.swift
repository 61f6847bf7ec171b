/// Which pushes to the simulated push services a rule looks at.
package struct WebPushRuleCondition: RuleCondition {
    /// What a rule can look at.
    package struct Subject: Sendable {
        var service: PushServiceKind?
        var subscription: String?
        var urgency: String?
        var connection: Int
    }

    package typealias ErrorCode = WebPushErrorCode

    package var service: PushServiceKind?
    /// A subscription's id: the last part of its address.
    package var subscription: String?
    package var urgency: String?
    /// A connection's number.
    package var connection: Int?

    package init() {}

    package init(service: PushServiceKind? = nil, subscription: String? = nil) {
        self.service = service
        self.subscription = subscription
    }

    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "service", "subscription", "urgency", "connection")
        service = try fields.optional("service")
        subscription = try fields.optional("subscription")
        urgency = try fields.optional("urgency")
        connection = try fields.optional("connection")
    }

    package func matches(_ subject: Subject) -> Bool {
        service.map { $0 == subject.service } ?? true
            && subscription.map { $0 == subject.subscription } ?? true
            && urgency.map { $0 == subject.urgency } ?? true
            && connection.map { $0 == subject.connection } ?? true
    }
}
