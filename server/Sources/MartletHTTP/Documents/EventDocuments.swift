import MartletWire

extension EventsRequest: Documented {
    static let schema = DocumentSchema(
        "EventsRequest",
        [.required("events", .list(of: .document(EventRequest.self)), "1 to 500 events, oldest first.")]
    )
}

extension EventRequest: Documented {
    static let schema = DocumentSchema("EventRequest", what + who + device)

    private static let what: [DocumentSchema.Field] = [
        .required("event_id", .uuid, "Made by the SDK; one that was seen in the last 30 days is not counted again."),
        .required("type", .words(of: EventType.self), "What happened."),
        .required("time", .time, "When, by the phone's clock; Unix seconds or milliseconds are read too."),
        .optional("message_id", .string(limit: 256), "The payload's message_id."),
        .optional("campaign_id", .string(limit: 256), "The payload's campaign_id."),
        .optional("td_campaign_id", .string(limit: 256), "The same; it is read first."),
        .required("platform", .words(of: EventPlatform.self), "The kind of phone."),
        .optional("value", .string(limit: 4_096), "The link of link_open and deeplink_open."),
    ]

    private static let who: [DocumentSchema.Field] = [
        .optional("user_id", .string(limit: 256), "Who is logged in."),
        .optional("fcm_token", .string(limit: 4_096), "The token at Firebase Cloud Messaging."),
        .optional("apns_token", .string(limit: 400), "The token at Apple in hexadecimal."),
        .required("installation_id", .uuid, "The installation whose secret is presented."),
    ]

    private static let device: [DocumentSchema.Field] = [
        .optional("device_model", .string(limit: 100), "The hardware, such as iPhone16,1."),
        .optional("os_version", .string(limit: 100), "The operating system's version."),
        .optional("app_version", .string(limit: 100), "The app's version."),
    ]
}

/// Records in Treasure Data's format, for the description alone.
enum RecordsDocument {
    /// What they are made of.
    static let schema = DocumentSchema(
        "TreasureDataRecords",
        [.required("events", .list(of: .map(of: .any)), "1 to 500 records, each with type, platform and time.")]
    )
}

/// One record in Treasure Data's format, for the description alone.
enum RecordDocument {
    /// What it is made of.
    static let schema = DocumentSchema(
        "TreasureDataRecord",
        [
            .required("type", .words(of: EventType.self), "What happened."),
            .optional("td_record_time", .integer(), "When: Unix seconds; absent is the time of receipt."),
        ]
    )
}

extension EventsResponse: Documented {
    static let schema = DocumentSchema(
        "EventReceipts",
        [.required("receipts", .list(of: .document(EventReceipt.self)), "One for each event, by position.")]
    )
}

extension EventReceipt: Documented {
    static let schema = DocumentSchema(
        "EventReceipt",
        [
            .required("success", .boolean, "Whether the event is kept."),
            .optional("error", .document(Failure.self), "Why not; it will never be."),
        ]
    )
}

extension EventReceipt.Failure: Documented {
    static let schema = DocumentSchema(
        "EventFailure",
        [
            .required("name", .string, "The word that never changes, such as InvalidPropertyValueError."),
            .required("description", .string, "One sentence that names the field."),
        ]
    )
}

extension EventItem: Documented {
    static let schema = DocumentSchema(
        "Event",
        [
            .required("position", .integer(), "Where it stands in the order of receipt."),
            .required("app_id", .uuid, "Whose it is."),
            .optional("event_id", .uuid, "The id that the SDK made."),
            .required("type", .words(of: EventType.self), "What happened."),
            .required("time", .time, "When it happened."),
            .optional("client_time", .time, "What the phone said, where that could not be."),
            .required("received_at", .time, "When the server got it."),
            .optional("message_id", .string, "The push's id."),
            .optional("campaign_id", .string, "The campaign's id."),
            .required("platform", .words(of: EventPlatform.self), "The kind of phone."),
            .optional("user_id", .string, "Who was logged in, or who logged in next on the same device."),
            .optional("value", .string, "The link."),
            .optional("fcm_token", .string, "The token at Firebase Cloud Messaging."),
            .optional("apns_token", .string, "The token at Apple."),
            .optional("installation_id", .uuid, "The installation, where it proved itself."),
            .optional("device_model", .string, "The hardware."),
            .optional("os_version", .string, "The operating system's version."),
            .optional("app_version", .string, "The app's version."),
        ]
    )
}

extension EventQueryRequest: Documented {
    static let schema = DocumentSchema(
        "EventQueryRequest",
        [
            .required("sql", .string(limit: 100_000), "One SELECT over mobile.push_events."),
            .optional("app", .string, "The id or name of the app; absent takes the key's, or else all."),
            .optional("limit", .integer(1...10_000), "How many rows at most; absent is 1,000."),
        ]
    )
}

extension EventQueryResponse: Documented {
    static let schema = DocumentSchema(
        "EventTable",
        [
            .required("columns", .list(of: .string), "The columns' names."),
            .required("rows", .list(of: .list(of: .any)), "The rows, each with a value for each column."),
            .required("is_truncated", .boolean, "Whether there were more rows, or more bytes, than the limit."),
        ]
    )
}

extension EventCountsResponse: Documented {
    static let schema = DocumentSchema(
        "EventCounts",
        [
            .required("deliveries", .integer(), "It reached the phone and the app saw it."),
            .required("opens", .integer(), "It was tapped."),
            .required("dismissals", .integer(), "It was dismissed."),
            .required("links", .integer(), "A web link of it was opened."),
            .required("deeplinks", .integer(), "A link of it into the app was opened."),
        ]
    )
}
