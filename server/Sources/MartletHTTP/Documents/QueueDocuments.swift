import MartletWire

extension QuarantineItem: Documented {
    static let schema = DocumentSchema(
        "QuarantinedWork",
        [
            .required("id", .uuid, "The id."),
            .required("notification_id", .uuid, "The notification."),
            .required("kind", .words(of: Kind.self), "A batch of deliveries, or the reading of the audience."),
            .optional("platform", .platform, "The provider; for a batch."),
            .optional("environment", .words(of: EnvironmentName.self), "The provider's environment; for a batch."),
            .required("deliveries", .integer(), "How many deliveries wait in it."),
            .required("reason", .words(of: Reason.self), "Whether it crashed or failed, or cannot be read."),
            .required("tries", .integer(), "How often it was taken up and never recorded."),
            .required("since", .time, "Since when."),
        ]
    )
}

extension BreakerResponse: Documented {
    static let schema = DocumentSchema(
        "Breaker",
        [
            .required("platform", .platform, "The provider."),
            .required("environment", .words(of: EnvironmentName.self), "The provider's environment."),
            .required("state", .words(of: State.self), "Whether nothing is sent, one batch tries, or more follow."),
            .optional("reason", .string, "Why the last attempt failed."),
            .required("since", .time, "Since when."),
            .optional("probe_at", .time, "When the provider is tried next."),
        ]
    )
}
