import Hummingbird
import MartletWire

/// The part of the table of contents that is about what phones report.
extension MartletAPI {
    /// Uploads, lists and queries.
    var eventRoutes: [Route] {
        [
            Route(
                .post,
                "/api/v1/events",
                .registration,
                "Receives up to 500 events of an installation; each gets a receipt.",
                query: [.app],
                uploads: EventsRequest.schema,
                as: ["application/json"],
                respond: uploadEvents
            ),
            Route(
                .get,
                "/api/v1/events",
                .send,
                "Lists events in the order of their receipt.",
                query: [.app] + MartletAPI.eventParameters + QueryParameter.page,
                respond: listEvents
            ),
            Route(
                .post,
                "/api/v1/events/query",
                .admin,
                "Runs one SELECT over mobile.push_events.",
                respond: queryEvents
            ),
            Route(
                .post,
                "/td/v1/{database}/{table}",
                .ingest,
                "Receives records in Treasure Data's ingest format.",
                query: [.app],
                uploads: RecordsDocument.schema,
                as: [EventsUpload.treasureDataType, "application/json"],
                respond: ingestEvents
            ),
            Route(
                .post,
                "/postback/v3/event/{database}/{table}",
                .postback,
                "Receives one record in Treasure Data's postback format.",
                query: [.app],
                uploads: RecordDocument.schema,
                as: ["application/json"],
                respond: ingestEvent
            ),
        ]
    }

    private static let eventParameters = [
        QueryParameter(name: "type", schema: .words(of: EventType.self), summary: "Only those of this type."),
        QueryParameter(name: "message_id", schema: .string, summary: "Only those of this push."),
        QueryParameter(name: "user_id", schema: .string, summary: "Only this user's."),
        QueryParameter(name: "since", schema: .time, summary: "Only those that happened then or later."),
        QueryParameter(name: "until", schema: .time, summary: "Only those that happened before then."),
        QueryParameter(name: "after", schema: .integer(), summary: "Only those after this position."),
        QueryParameter(
            name: "newest",
            schema: .integer(1...Int64(PageLimit.most)),
            summary: "Only this many of the newest; not with 'after'."
        ),
    ]
}
