import Hummingbird
import MartletCore
import MartletWire

/// The part of the table that is about notifications.
extension MartletAPI {
    var notificationRoutes: [Route] {
        let status = QueryParameter(
            name: "status",
            schema: .words(of: NotificationStatus.self),
            summary: "Only those with this status."
        )
        let search = QueryParameter(
            name: "search",
            schema: .string(limit: ContentSearch.limit).of(1...ContentSearch.limit),
            summary: "Only those whose title or body contains it, in upper or lower case."
        )
        let dedup = QueryParameter(
            name: "dedup_key",
            schema: .string(limit: 256).of(1...256),
            summary: "Only those with this dedup key."
        )
        let category = QueryParameter(
            name: "category",
            schema: .categoryKey,
            summary: "Only those of this category, by its key."
        )
        let user = QueryParameter(
            name: "user_id",
            schema: .userID,
            summary: "Only those that this person got, did not get for a reason, or waits for."
        )
        let since = QueryParameter(name: "since", schema: .time, summary: "Only those accepted then or later.")
        let until = QueryParameter(name: "until", schema: .time, summary: "Only those accepted before then.")
        return [
            Route(
                .post,
                "/api/v1/notifications",
                .send,
                "Sends a notification; it is durable when the answer comes.",
                statuses: [.accepted],
                isIdempotent: true,
                respond: send
            ),
            Route(
                .post,
                "/api/v1/notifications/batch",
                .send,
                "Sends up to 500 notifications; each gets a receipt, and is durable when that has an id.",
                statuses: [.accepted],
                takes: NotificationBatchRequest.schema,
                respond: sendBatch
            ),
            Route(
                .post,
                "/api/v1/notifications/estimate",
                .send,
                "Says how many people and devices a notification would go to now, and sends nothing.",
                respond: estimate
            ),
            Route(
                .post,
                "/api/v1/notifications/preview",
                .send,
                "Shows what each platform that the app has a credential for would get of a notification, and sends nothing.",
                respond: preview
            ),
            Route(
                .get,
                "/api/v1/notifications",
                .send,
                "Lists notifications, newest first. With 'search' a page looks at up to 100,000 of them, with 'user_id' at up "
                    + "to 500, for four seconds at most: one that has fewer items than asked for can have a 'next'.",
                query: [.app, status, user, category, dedup, search, since, until] + QueryParameter.page,
                respond: listNotifications
            ),
            Route(
                .get,
                "/api/v1/notifications/{id}",
                .send,
                "Shows a notification and its counts.",
                respond: showNotification
            ),
            Route(
                .delete,
                "/api/v1/notifications/{id}",
                .send,
                "Cancels what has not been sent.",
                respond: cancelNotification
            ),
            Route(
                .get,
                "/api/v1/notifications/{id}/deliveries",
                .send,
                "Lists a notification's deliveries, with states and reasons.",
                query: QueryParameter.page,
                respond: listDeliveries
            ),
            Route(
                .get,
                "/api/v1/notifications/{id}/suppressions",
                .send,
                "Lists deliveries that were not made, and why.",
                query: QueryParameter.page,
                respond: listSuppressions
            ),
            Route(
                .get,
                "/api/v1/notifications/{id}/accepted",
                .send,
                "Shows when a provider accepted how many of a notification's deliveries.",
                respond: showAccepted
            ),
            Route(
                .get,
                "/api/v1/notifications/{id}/messages",
                .send,
                "Shows what each platform got of a notification, as it was rendered.",
                respond: listMessages
            ),
            Route(
                .get,
                "/api/v1/notifications/{id}/reasons",
                .send,
                "Counts by reason who did not get a notification.",
                respond: showReasons
            ),
            Route(
                .get,
                "/api/v1/notifications/{id}/missed",
                .send,
                "Lists who did not get a notification, people and devices, and why; as CSV all of them at once.",
                query: [
                    QueryParameter(
                        name: "reason",
                        schema: .string(limit: 256),
                        summary:
                            "Only those for this reason, or in this state: a page may hold fewer than 'limit', or none, and have "
                            + "one after it."
                    ),
                    QueryParameter(
                        name: "reached_otherwise",
                        schema: .boolean,
                        summary:
                            "'false' lists only those who have it on no device, 'true' only those who have it on another one; "
                            + "here too a page may hold fewer than 'limit'."
                    ),
                    QueryParameter(
                        name: "format",
                        schema: .words(of: MissedFormat.self),
                        summary: "'csv' answers with a file; absent is json."
                    ),
                ] + QueryParameter.page,
                respond: listMissed
            ),
            Route(
                .post,
                "/api/v1/notifications/{id}/resend",
                .send,
                "Sends a notification that is over again, to those who missed it; with 'dry_run' it only counts them.",
                statuses: [.accepted, .ok],
                isIdempotent: true,
                respond: resend
            ),
        ]
    }
}
