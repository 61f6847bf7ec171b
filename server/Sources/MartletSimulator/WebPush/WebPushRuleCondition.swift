/// Which pushes to the simulated push services a rule looks at, and what a push has of that.
package struct WebPushRuleCondition: RuleCondition {
    package typealias Action = ServiceAction<WebPushErrorCode>

    package var service: PushServiceKind?
    /// A subscription's id: the last part of its address.
    package var subscription: String?
    package var urgency: String?
    /// A connection's number.
    package var connection: Int?

    package init() {}

    package init(
        service: PushServiceKind? = nil,
        subscription: String? = nil,
        urgency: String? = nil,
        connection: Int? = nil
    ) {
        self.service = service
        self.subscription = subscription
        self.urgency = urgency
        self.connection = connection
    }

    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "service", "subscription", "urgency", "connection")
        service = try fields.optional("service")
        subscription = try fields.optional("subscription")
        urgency = try fields.optional("urgency")
        connection = try fields.optional("connection")
    }

    package func matches(_ push: WebPushRuleCondition) -> Bool {
        service.allows(push.service) && subscription.allows(push.subscription) && urgency.allows(push.urgency)
            && connection.allows(push.connection)
    }
}
