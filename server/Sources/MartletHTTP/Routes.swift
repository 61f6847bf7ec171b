import Hummingbird
import MartletCore
import MartletWire

/// The table of contents: every path of REST, who may call it, what it takes and answers. The router and `/openapi.json`
/// are both made from it. What is about notifications is in `Routes+Notifications.swift`, about people in
/// `Routes+People.swift` and `Routes+PersonHistories.swift`, about the console's operators in `Routes+Operators.swift`,
/// what browsers call is in `WebPush/WebPushRoutes.swift`, Amazon SNS's two paths are in `SNSService+Routes.swift`.
extension MartletAPI {
    /// All of them but the OpenAPI document's own.
    var routes: [Route] {
        appRoutes + keyRoutes + accessKeyRoutes + operatorRoutes + deviceRoutes + topicRoutes + subscriptionRoutes
            + userSubscriptionRoutes + notificationRoutes
            + peopleRoutes + personRoutes + eventRoutes
            + deadLetterRoutes + webhookRoutes + webPushRoutes + operationRoutes
    }

    private var appRoutes: [Route] {
        [
            Route(.post, "/api/v1/apps", .admin, "Creates an app.", statuses: [.created], respond: createApp),
            Route(.get, "/api/v1/apps", .admin, "Lists apps, oldest first.", query: QueryParameter.page) { call in
                try await listApps(call)
            },
            Route(.get, "/api/v1/apps/{app}", .admin, "Shows an app, by id or name.", respond: showApp),
            Route(.patch, "/api/v1/apps/{app}", .admin, "Changes an app's name or identity.", respond: updateApp),
            Route(
                .delete,
                "/api/v1/apps/{app}",
                .admin,
                "Deletes an app with everything that belongs to it.",
                statuses: [.noContent],
                respond: deleteApp
            ),
            Route(
                .put,
                "/api/v1/apps/{app}/credentials",
                .admin,
                "Stores an app's credential for a provider, and replaces the previous one.",
                respond: storeCredential
            ),
            Route(
                .get,
                "/api/v1/apps/{app}/credentials",
                .admin,
                "Lists an app's credentials, without secrets.",
                respond: listCredentials
            ),
            Route(
                .delete,
                "/api/v1/apps/{app}/credentials/{platform}/{environment}",
                .admin,
                "Deletes a credential.",
                statuses: [.noContent],
                respond: deleteCredential
            ),
            Route(
                .get,
                "/api/v1/apps/{app}/pauses",
                .admin,
                "Lists an app's paused delivery queues, which wait for an operator.",
                respond: listPauses
            ),
            Route(
                .delete,
                "/api/v1/apps/{app}/pauses/{platform}/{environment}",
                .admin,
                "Resumes a paused delivery queue.",
                statuses: [.noContent],
                respond: resume
            ),
            Route(
                .get,
                "/api/v1/apps/{app}/breakers",
                .admin,
                "Lists an app's breakers that are not closed: the provider does not answer.",
                respond: listBreakers
            ),
        ]
    }

    private var keyRoutes: [Route] {
        [
            Route(
                .post,
                "/api/v1/keys",
                .admin,
                "Creates an API key and shows it once.",
                statuses: [.created],
                respond: createKey
            ),
            Route(
                .get,
                "/api/v1/keys",
                .admin,
                "Lists API keys, revoked ones too.",
                query: [.app] + QueryParameter.page,
                respond: listKeys
            ),
            Route(
                .delete,
                "/api/v1/keys/{id}",
                .admin,
                "Revokes an API key; the last admin key for all apps needs force=true.",
                query: [
                    QueryParameter(name: "force", schema: .boolean, summary: "'true' revokes the last admin key too.")
                ],
                statuses: [.noContent],
                respond: revokeKey
            ),
        ]
    }

    private var deviceRoutes: [Route] {
        let user = QueryParameter(name: "user_id", schema: .string, summary: "Only this user's; for API keys.")
        let isActive = QueryParameter(
            name: "is_active",
            schema: .boolean,
            summary: "'true' lists those that pushes are made to, 'false' the others."
        )
        return [
            Route(
                .post,
                "/api/v1/tokens",
                .registration,
                "Registers an installation's token; the SDK calls this.",
                statuses: [.ok, .created],
                respond: registerToken
            ),
            Route(
                .post,
                "/api/v1/devices",
                .devices,
                "Registers a user's device by its token; a token of another user moves.",
                statuses: [.ok, .created],
                respond: registerDevice
            ),
            Route(
                .post,
                "/api/v1/devices/batch",
                .send,
                "Registers up to 1,000 users' devices; each gets a receipt.",
                respond: registerDevices
            ),
            Route(
                .post,
                "/api/v1/devices/batch/delete",
                .send,
                "Removes up to 1,000 devices by their ids; each gets a receipt.",
                query: [.app],
                respond: removeDevices
            ),
            Route(
                .get,
                "/api/v1/devices",
                .devices,
                "Lists a user's devices, oldest first.",
                query: [.app, user, isActive] + QueryParameter.page,
                respond: listDevices
            ),
            Route(
                .get,
                "/api/v1/devices/{id}",
                .devices,
                "Shows a device.",
                query: [.app],
                respond: showDevice
            ),
            Route(
                .patch,
                "/api/v1/devices/{id}",
                .devices,
                "Changes a device; is_active is its switch, which no registration turns on.",
                query: [.app],
                respond: updateDevice
            ),
            Route(
                .delete,
                "/api/v1/devices/{id}",
                .devices,
                "Removes a device.",
                query: [.app],
                statuses: [.noContent],
                respond: removeDevice
            ),
            Route(
                .get,
                "/api/v1/users/{user}/endpoints",
                .send,
                "Lists a user's endpoints, oldest first.",
                query: [.app] + QueryParameter.page,
                respond: listUserEndpoints
            ),
            Route(
                .get,
                "/api/v1/endpoints/{id}",
                .send,
                "Shows an endpoint.",
                query: [.app],
                respond: showDevice
            ),
            Route(
                .delete,
                "/api/v1/endpoints/{id}",
                .send,
                "Removes an endpoint.",
                query: [.app],
                statuses: [.noContent],
                respond: removeDevice
            ),
        ]
    }

    private var deadLetterRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/dead-letters",
                .send,
                "Lists deliveries that used up their attempts, newest first.",
                query: [.app] + QueryParameter.page,
                respond: listDeadLetters
            ),
            Route(
                .post,
                "/api/v1/dead-letters/{id}/retry",
                .send,
                "Sends a dead letter again, once, and removes it from the list.",
                statuses: [.accepted],
                isIdempotent: true,
                respond: retryDeadLetter
            ),
        ]
    }

    private var webhookRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/webhook-dead-letters",
                .admin,
                "Lists messages that subscribed webhook URLs did not accept, newest first.",
                query: QueryParameter.page,
                respond: listWebhookDeadLetters
            ),
            Route(
                .post,
                "/api/v1/webhook-dead-letters/{id}/retry",
                .admin,
                "Sends a message to a webhook URL again, once, and removes it from the list.",
                statuses: [.accepted],
                isIdempotent: true,
                respond: retryWebhookDeadLetter
            ),
        ]
    }

    private var operationRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/quarantine",
                .send,
                "Lists quarantined work, newest first.",
                query: [.app] + QueryParameter.page,
                respond: listQuarantined
            ),
            Route(
                .post,
                "/api/v1/quarantine/{id}/retry",
                .send,
                "Tries quarantined work again and removes it from the list.",
                statuses: [.accepted],
                respond: retryQuarantined
            ),
            Route(
                .get,
                "/api/v1/doctor",
                .admin,
                "Checks credentials and reachability, and says what to change.",
                query: [.app],
                respond: diagnose
            ),
            Route(
                .get,
                "/api/v1/problems",
                .admin,
                "Lists what keeps pushes from their devices, or soon will, the worst first.",
                query: [.app],
                respond: listProblems
            ),
            Route(
                .get,
                "/api/v1/stats",
                .send,
                "Shows how deliveries ended and which events came, step by step; at most 1,500 points.",
                query: [.app] + MartletAPI.statisticsParameters,
                respond: showStatistics
            ),
            Route(.get, "/healthz", .open, "Whether the process is alive.", respond: health),
            Route(.get, "/readyz", .open, "Whether it can take work.", respond: ready),
            Route(.get, "/metrics", .open, "Metrics in Prometheus' text format.", respond: showMetrics),
        ]
    }

    private var accessKeyRoutes: [Route] {
        [
            Route(
                .post,
                "/api/v1/access-keys",
                .admin,
                "Creates an access key for clients of the SNS interface and shows its secret once.",
                statuses: [.created],
                respond: createAccessKey
            ),
            Route(
                .get,
                "/api/v1/access-keys",
                .admin,
                "Lists access keys, revoked ones too, without secrets.",
                query: QueryParameter.page,
                respond: listAccessKeys
            ),
            Route(
                .delete,
                "/api/v1/access-keys/{access_key_id}",
                .admin,
                "Revokes an access key.",
                statuses: [.noContent],
                respond: revokeAccessKey
            ),
        ]
    }

    private var eventRoutes: [Route] {
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
                uploads: .treasureDataRecords,
                as: [EventsUpload.treasureDataType, "application/json"],
                respond: ingestEvents
            ),
            Route(
                .post,
                "/postback/v3/event/{database}/{table}",
                .postback,
                "Receives one record in Treasure Data's postback format.",
                query: [.app],
                uploads: .treasureDataRecord,
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

    private var topicRoutes: [Route] {
        [
            Route(
                .post,
                "/api/v1/topics",
                .send,
                "Creates a topic, or returns the one of that name.",
                statuses: [.created, .ok],
                respond: createTopic
            ),
            Route(
                .get,
                "/api/v1/topics",
                .send,
                "Lists topics, oldest first.",
                query: [.app] + QueryParameter.page,
                respond: listTopics
            ),
            Route(
                .get,
                "/api/v1/topics/{topic}",
                .send,
                "Shows a topic, by id or name.",
                query: [.app],
                respond: showTopic
            ),
            Route(
                .patch,
                "/api/v1/topics/{topic}",
                .send,
                "Changes a topic's attributes or tags.",
                query: [.app],
                respond: updateTopic
            ),
            Route(
                .delete,
                "/api/v1/topics/{topic}",
                .send,
                "Deletes a topic with its subscriptions; what was accepted for it is still delivered.",
                query: [.app],
                statuses: [.noContent],
                respond: deleteTopic
            ),
        ]
    }

    private var subscriptionRoutes: [Route] {
        [
            Route(
                .post,
                "/api/v1/topics/{topic}/subscriptions",
                .send,
                "Subscribes a user or an endpoint, or returns their subscription.",
                query: [.app],
                statuses: [.created, .ok],
                respond: subscribe
            ),
            Route(
                .get,
                "/api/v1/topics/{topic}/subscriptions",
                .send,
                "Lists a topic's subscriptions, oldest first.",
                query: [.app] + QueryParameter.page,
                respond: listSubscriptions
            ),
            Route(
                .post,
                "/api/v1/topics/{topic}/subscriptions/batch",
                .send,
                "Subscribes up to 1,000 users or endpoints; each gets a receipt.",
                query: [.app],
                respond: subscribeMany
            ),
            Route(.get, "/api/v1/subscriptions/{id}", .send, "Shows a subscription.", respond: showSubscription),
            Route(
                .patch,
                "/api/v1/subscriptions/{id}",
                .send,
                "Changes which messages a subscription gets.",
                respond: updateSubscription
            ),
            Route(
                .post,
                "/api/v1/subscriptions/{id}/try",
                .send,
                "Says whether a subscription would get a message, with its filter or with another; changes and sends nothing.",
                respond: tryFilter
            ),
            Route(
                .delete,
                "/api/v1/subscriptions/{id}",
                .send,
                "Ends a subscription.",
                statuses: [.noContent],
                respond: unsubscribe
            ),
        ]
    }

    private var userSubscriptionRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/users/{user}/subscriptions",
                .send,
                "Lists what a user is subscribed to, oldest first, without what only their devices are.",
                query: [.app] + QueryParameter.page,
                respond: listUserSubscriptions
            ),
            Route(
                .put,
                "/api/v1/users/{user}/subscriptions",
                .send,
                "Subscribes a user to these topics and ends their subscriptions to others; a subscription that stays keeps its "
                    + "filter.",
                query: [.app],
                respond: replaceUserSubscriptions
            ),
            Route(
                .delete,
                "/api/v1/users/{user}/subscriptions/{topic}",
                .send,
                "Ends a user's subscription to a topic, by the topic's id or name.",
                query: [.app],
                statuses: [.noContent],
                respond: endUserSubscription
            ),
        ]
    }
}
