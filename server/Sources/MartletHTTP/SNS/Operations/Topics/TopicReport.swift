import MartletCore

/// What `GetTopicAttributes` says about a topic.
enum TopicReport {
    /// What is shown only where it was set, in this order; whatever else another interface wrote stays its own.
    private static let optional =
        ["DeliveryPolicy", "KmsMasterKeyId", "SignatureVersion", "TracingConfig", "FifoThroughputScope"]
        + TopicAttribute.feedbackNames.sorted()

    /// All attributes by name.
    static func attributes(of topic: Topic, _ arn: TopicARN) -> [(key: String, value: String)] {
        let known = topic.attributes
        var entries: [(key: String, value: String)] = [
            ("TopicArn", arn.description),
            ("Owner", arn.account),
            ("Policy", known[TopicAttribute.policy] ?? AccessPolicy.standard(of: arn).text),
            ("DisplayName", known[TopicAttribute.displayName] ?? ""),
            ("SubscriptionsConfirmed", String(topic.counts.confirmed)),
            ("SubscriptionsPending", String(topic.counts.pending)),
            ("SubscriptionsDeleted", String(topic.counts.deleted)),
            ("EffectiveDeliveryPolicy", DeliveryPolicyDocument.effective(topic: known[TopicAttribute.deliveryPolicy])),
        ]
        if topic.isFIFO {
            entries.append(("FifoTopic", "true"))
            entries.append(("ContentBasedDeduplication", known[TopicAttribute.contentBasedDeduplication] ?? "false"))
        }
        for name in optional {
            guard let value = known[name], !value.isEmpty else { continue }
            let isPolicy = name == TopicAttribute.deliveryPolicy.name
            entries.append((name, isPolicy ? DeliveryPolicyDocument.shown(topic: value) : value))
        }
        return entries
    }
}

extension [String: String] {
    /// What was set about a topic under a name.
    subscript(attribute: TopicAttribute) -> String? { self[attribute.name] }
}
