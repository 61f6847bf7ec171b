import MartletWire

extension DeliveryItem: Documented {
    static let schema = DocumentSchema(
        "Delivery",
        [
            .optional("id", .uuid, "The delivery's id, at Apple the apns-id; the same at every attempt."),
            .optional("endpoint_id", .uuid, "The endpoint, while it is known."),
            .optional("user_id", .string, "The user, where there is one."),
            .optional("platform", .platform, "The provider, while the endpoint is known."),
            .required("state", .words(of: DeliveryState.self), "The state."),
            .optional("reason", .string, "The provider's reason, or ours."),
            .required("attempts", .integer(), "How many attempts were made."),
            .optional("at", .time, "When the state was recorded; while pending, when it is tried next."),
        ]
    )
}

extension SuppressionItem: Documented {
    static let schema = DocumentSchema(
        "Suppression",
        [
            .optional("endpoint_id", .uuid, "The endpoint, where there is one."),
            .optional("user_id", .string, "The user, where there is one."),
            .optional("platform", .platform, "The provider, while the endpoint is known."),
            .required("reason", .string, "Why it was not made, such as duplicate or no_endpoint."),
            .optional("held_by", .uuid, "For a duplicate: the notification that the user has had instead."),
            .optional("at", .time, "When that was decided."),
        ]
    )
}

extension DeadLetterItem: Documented {
    static let schema = DocumentSchema(
        "DeadLetter",
        [
            .required("id", .uuid, "The id."),
            .required("notification_id", .uuid, "The notification."),
            .required("endpoint_id", .uuid, "The endpoint."),
            .optional("user_id", .string, "The user, where there is one."),
            .optional("reason", .string, "The last reason."),
            .required("attempts", .integer(), "How many attempts were made."),
            .required("died_at", .time, "When the last one was."),
        ]
    )
}
