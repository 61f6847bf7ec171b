import MartletWire

extension TopicRequest: Documented {
    static let schema = DocumentSchema(
        "TopicRequest",
        [
            .required("name", .string(limit: 256), "1 to 256 letters, digits, '_' and '-'."),
            .optional("app", .string, "Whose it is, by id or name; absent takes the key's, or else the server."),
            .optional("attributes", .map(of: .string), "What is set about it, by name."),
            .optional("tags", .map(of: .string), "The operator's own words about it; at most 50."),
        ]
    )
}

extension TopicChange: Documented {
    static let schema = DocumentSchema(
        "TopicChange",
        [
            .optional("attributes", .map(of: .string.orNull), "What is set about it; null takes one away."),
            .optional("tags", .map(of: .string.orNull), "The operator's own words about it; null takes one away."),
        ]
    )
}

extension TopicResponse: Documented {
    static let schema = DocumentSchema(
        "Topic",
        [
            .required("id", .uuid, "The id."),
            .required("name", .string, "The name."),
            .optional("app_id", .uuid, "Whose it is; absent is the server's own."),
            .required("region", .string, "The region, which is part of its name at Amazon SNS."),
            .required("is_fifo", .boolean, "Whether messages keep their order."),
            .required("attributes", .map(of: .string), "What was set about it."),
            .required("tags", .map(of: .string), "The operator's own words about it."),
            .required("subscriptions", .document(SubscriptionCountsResponse.self), "How many it has and had."),
            .required("created_at", .time, "When it was made."),
        ]
    )
}

extension SubscriptionCountsResponse: Documented {
    static let schema = DocumentSchema(
        "SubscriptionCounts",
        [
            .required("confirmed", .integer(), "Those that messages go to."),
            .required("pending", .integer(), "Those that wait for their confirmation."),
            .required("deleted", .integer(), "Those that ended."),
        ]
    )
}

extension SubscriptionRequest: Documented {
    static let schema = DocumentSchema(
        "SubscriptionRequest",
        [
            .optional("app", .string, "Whose people, by id or name; absent takes the topic's, or else the key's."),
            .optional("user_id", .string(limit: 256), "A user, on all devices that are theirs when a message comes."),
            .optional("endpoint_id", .uuid, "Or one endpoint."),
            .optional("filter_policy", .map(of: .any), "What messages must be like, as at Amazon SNS."),
            .optional("filter_scope", .words(of: FilterScopeName.self), "What it is about; absent is 'attributes'."),
        ]
    )
}

extension SubscriptionChange: Documented {
    static let schema = DocumentSchema(
        "SubscriptionChange",
        [
            .optional("filter_policy", .map(of: .any).orNull, "What messages must be like; null takes all."),
            .optional("filter_scope", .words(of: FilterScopeName.self), "What it is about; absent leaves it."),
        ]
    )
}

extension SubscriptionResponse: Documented {
    static let schema = DocumentSchema(
        "Subscription",
        [
            .required("id", .uuid, "The id."),
            .required("topic_id", .uuid, "The topic's id."),
            .required("topic", .string, "The topic's name."),
            .required("kind", .words(of: SubscriberKind.self), "Who is subscribed."),
            .optional("app_id", .uuid, "Whose people."),
            .optional("user_id", .string, "The user."),
            .optional("endpoint_id", .uuid, "The endpoint; it may be gone."),
            .optional("url", .string, "The webhook URL."),
            .optional("filter_policy", .any, "What messages must be like."),
            .optional("filter_scope", .words(of: FilterScopeName.self), "What of a message it is about."),
            .required("is_confirmed", .boolean, "Whether messages go to it."),
            .required("created_at", .time, "When it was made."),
        ]
    )
}
