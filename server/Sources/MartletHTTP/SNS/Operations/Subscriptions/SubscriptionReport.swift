import MartletCore
import MartletWire

/// What the interface says about a subscription.
struct SubscriptionReport: Sendable {
    /// In place of the name of a subscription that is not confirmed.
    static let pending = "PendingConfirmation"

    /// Names under which a subscription keeps what is no attribute that somebody may set.
    enum Note {
        /// Who subscribed, as an ARN.
        static let principal = "SubscriptionPrincipal"
        /// Whether the confirmation was signed.
        static let isAuthenticated = "ConfirmationWasAuthenticated"
        /// Whether an unsubscription must be signed.
        static let mustAuthenticate = "AuthenticateOnUnsubscribe"
    }

    let subscription: Subscription
    let topic: TopicARN
    /// Whom it reaches: an address, or an endpoint's ARN; of a user, whom REST subscribes, a text in the form of one.
    let endpoint: String

    /// Its name.
    var arn: SubscriptionARN { SubscriptionARN(topic: topic, id: subscription.id.description) }

    /// Writes it as a member of a list.
    func write(to writer: inout AnswerWriter) {
        writer.element("SubscriptionArn", subscription.isConfirmed ? arn.description : Self.pending)
        writer.element("Owner", topic.account)
        writer.element("Protocol", SubscriptionProtocol(of: subscription).rawValue)
        writer.element("Endpoint", endpoint)
        writer.element("TopicArn", topic.description)
    }

    /// What `GetSubscriptionAttributes` says.
    ///
    /// - Parameter deliveryPolicy: that of its topic.
    func attributes(deliveryPolicy: String?) -> [(key: String, value: String)] {
        let known = subscription.attributes
        let transport = SubscriptionProtocol(of: subscription)
        var entries: [(key: String, value: String)] = [
            ("SubscriptionArn", arn.description),
            ("TopicArn", topic.description),
            ("Owner", topic.account),
            ("Protocol", transport.rawValue),
            ("Endpoint", endpoint),
            ("PendingConfirmation", subscription.isConfirmed ? "false" : "true"),
            (Note.isAuthenticated, known[Note.isAuthenticated] ?? (transport == .application ? "true" : "false")),
            (
                "RawMessageDelivery",
                known[SubscriptionAttribute.rawMessageDelivery] ?? SubscriptionAttribute.rawMessageDelivery.defaultValue
            ),
            (
                Note.principal,
                known[Note.principal] ?? ARN.principal("root", region: topic.region, account: topic.account)
            ),
        ]
        for attribute in [SubscriptionAttribute.deliveryPolicy, .redrivePolicy, .subscriptionRoleARN] {
            guard let value = known[attribute], !value.isEmpty else { continue }
            let isPolicy = attribute == .deliveryPolicy
            entries.append(
                (attribute.rawValue, isPolicy ? DeliveryPolicyDocument.shown(subscription: value) : value)
            )
        }
        if transport != .application {
            let policy = DeliveryPolicyDocument.effective(
                subscription: known[SubscriptionAttribute.deliveryPolicy],
                topic: deliveryPolicy
            )
            entries.append(("EffectiveDeliveryPolicy", policy))
        }
        if let filter = subscription.filter {
            entries.append((SubscriptionAttribute.filterPolicy.rawValue, filter.text))
            entries.append((SubscriptionAttribute.filterPolicyScope.rawValue, filter.scope.attribute))
        }
        return entries
    }
}

extension Subscription {
    /// What an attribute is now, its default where nobody set it.
    func value(of attribute: SubscriptionAttribute) -> String {
        switch attribute {
        case .filterPolicy: filter?.text ?? ""
        case .filterPolicyScope: filter?.scope.attribute ?? attributes[attribute] ?? attribute.defaultValue
        default: attributes[attribute] ?? attribute.defaultValue
        }
    }
}

extension [String: String] {
    /// What was set about a subscription under a name.
    subscript(attribute: SubscriptionAttribute) -> String? { self[attribute.rawValue] }
}
