import MartletWire

extension NotificationRequest: Documented {
    static let schema = DocumentSchema("NotificationRequest", who + what + how)

    private static let who: [DocumentSchema.Field] = [
        .optional("app", .string, "The id or name of the app; absent takes the key's."),
        .required("audience", .document(AudienceRequest.self), "Whom to tell."),
    ]

    private static let what: [DocumentSchema.Field] = [
        .optional("title", .string, "The first line."),
        .optional("subtitle", .string, "The second line."),
        .optional("body", .string, "The text."),
        .optional("image", .string(limit: 2048), "An image to show, by its https address."),
        .optional("deep_link", .string(limit: 2048), "Where a tap leads, such as myapp://alerts/42."),
        .optional("badge", .integer(0...999_999), "The number on the app's icon; 0 removes it."),
        .optional("sound", .string(limit: 256), "The sound's name; 'default' is the system's."),
        .optional("category", .string(limit: 256), "The category whose buttons are shown."),
        .optional("thread_id", .string(limit: 256), "What groups notifications on the phone."),
        .optional("data", .map(of: .any), "The app's own values, beside the provider's."),
        .optional("overrides", .map(of: .map(of: .any)), "What only one platform gets: {\"apns\": {…}}."),
    ]

    private static let how: [DocumentSchema.Field] = [
        .optional("push_type", .string(limit: 64), "The provider's kind of push, such as alert or background."),
        .optional("topic", .string(limit: 255), "The provider's topic, where it is not the app's own."),
        .optional("priority", .priority, "10, 5, 1, or 'high', 'normal', 'low'."),
        .optional("collapse_id", .string(limit: 64).orNull, "Absent takes the dedup key, null takes none."),
        .optional("dedup", .document(DedupRequest.self), "What keeps a user from getting the same thing twice."),
        .optional("send_at", .time, "When to begin; absent is now."),
        .optional("expires_at", .time, "When it is no longer worth delivering."),
        .optional("ttl_seconds", .integer(0...31_536_000), "For how long it is; 0 lets the provider try once."),
        .optional("retry", .document(RetryRequest.self), "How often and when a delivery is tried again."),
        .optional("attributes", .map(of: .any), "What the filters of a topic's subscribers look at."),
    ]
}

extension AudienceRequest: Documented {
    static let schema = DocumentSchema(
        "AudienceRequest",
        [
            .optional("users", .list(of: .string), "These users, on all of their devices; at most 10,000."),
            .optional("endpoints", .list(of: .uuid), "These endpoints; at most 10,000."),
            .optional("tokens", .list(of: .string), "These tokens, registered or not; at most 10,000."),
            .optional("platform", .platform, "The provider of the tokens; absent is 'apns'."),
            .optional("topic", .string, "The subscribers of a topic, by its id or name."),
            .optional("all", .boolean, "true: everybody the app can reach."),
        ]
    )
}

extension DedupRequest: Documented {
    static let schema = DocumentSchema(
        "DedupRequest",
        [
            .required("key", .string, "What counts as the same thing: 1 to 256 bytes."),
            .optional("cooldown_seconds", .integer().orNull, "Absent is 1800, null is for ever."),
        ]
    )
}

extension RetryRequest: Documented {
    static let schema = DocumentSchema(
        "RetryRequest",
        [
            .optional("max_attempts", .integer(), "1 to 50; absent is 50."),
            .optional("minimum_delay_seconds", .integer(), "Absent is 10."),
            .optional("maximum_delay_seconds", .integer(), "Absent is 600."),
            .optional("rate_limited_delay_seconds", .integer(), "After a 429; absent is 60."),
        ]
    )
}

extension NotificationAccepted: Documented {
    static let schema = DocumentSchema(
        "NotificationAccepted",
        [
            .required("id", .uuid, "The notification's id."),
            .required("status", .words(of: NotificationStatus.self), "'scheduled' or 'sending'."),
        ]
    )
}

extension NotificationResponse: Documented {
    static let schema = DocumentSchema(
        "Notification",
        [
            .required("id", .uuid, "The id."),
            .required("app_id", .uuid, "Whose it is."),
            .required("status", .words(of: NotificationStatus.self), "How far it has come."),
            .required("audience", .document(AudienceResponse.self), "Whom it is for."),
            .optional("title", .string, "The first line."),
            .optional("body", .string, "The text."),
            .required("priority", .priority, "How urgent it is."),
            .optional("dedup_key", .string, "What keeps a user from getting it twice."),
            .optional("collapse_id", .string, "What replaces an older one on the phone."),
            .required("counts", .document(CountsResponse.self), "How many deliveries are in which state."),
            .required("events", .document(EventCountsResponse.self), "What phones reported of it."),
            .required("created_at", .time, "When it was accepted."),
            .required("send_at", .time, "When it begins."),
            .required("expires_at", .time, "When no delivery of it is tried any more."),
            .optional(
                "pauses",
                .list(of: .document(PauseResponse.self)),
                "What deliveries of it wait for; not in lists."
            ),
        ]
    )
}

extension AudienceResponse: Documented {
    static let schema = DocumentSchema(
        "Audience",
        [
            .required("kind", .words(of: Kind.self), "How people were named."),
            .optional("count", .integer(), "How many were named."),
            .optional("topic", .string, "The topic's name."),
        ]
    )
}

extension CountsResponse: Documented {
    static let schema = DocumentSchema(
        "Counts",
        DeliveryState.allCases.map { .required($0.rawValue, .integer(), "Deliveries in this state.") }
    )
}

extension Schema {
    /// Apple's numbers, or words.
    static let priority = Schema(
        kind: .choice(PriorityName.allCases.flatMap { [.integer(Int64($0.rawValue)), .string($0.word)] })
    )
}
