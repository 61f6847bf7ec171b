import Hummingbird
import MartletWire

/// The table of contents: every path, who may call it, what it takes and answers. The router and `/openapi.json` are
/// both made from it.
extension MartletAPI {
    /// All routes but the OpenAPI document's own.
    var routes: [Route] {
        appRoutes + keyRoutes + accessKeyRoutes + deviceRoutes + topicRoutes + subscriptionRoutes + notificationRoutes
            + eventRoutes
            + deadLetterRoutes + webhookRoutes + operationRoutes
    }

    private var appRoutes: [Route] {
        [
            Route(.post, "/api/v1/apps", .admin, "Makes an app.", statuses: [.created], respond: createApp),
            Route(.get, "/api/v1/apps", .admin, "Lists apps, oldest first.", query: QueryParameter.page) { call in
                try await listApps(call)
            },
            Route(.get, "/api/v1/apps/{app}", .admin, "Shows an app, by id or name.", respond: showApp),
            Route(.patch, "/api/v1/apps/{app}", .admin, "Changes an app's name or identity.", respond: updateApp),
            Route(
                .delete,
                "/api/v1/apps/{app}",
                .admin,
                "Deletes an app with everything that is its own.",
                statuses: [.noContent],
                respond: deleteApp
            ),
            Route(
                .put,
                "/api/v1/apps/{app}/credentials",
                .admin,
                "Stores what authenticates the app at a provider, in place of what was there.",
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
                "Lists the providers whose deliveries wait for an operator.",
                respond: listPauses
            ),
            Route(
                .delete,
                "/api/v1/apps/{app}/pauses/{platform}/{environment}",
                .admin,
                "Resumes what was paused.",
                statuses: [.noContent],
                respond: resume
            ),
            Route(
                .get,
                "/api/v1/apps/{app}/breakers",
                .admin,
                "Lists the providers that do not answer, whose deliveries wait until they do.",
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
                "Makes an API key and shows it, once.",
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
                "Revokes an API key; the last admin key that is good for all apps only with force=true.",
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
        return [
            Route(
                .post,
                "/api/v1/tokens",
                .registration,
                "Registers an installation's token: what the SDK calls.",
                statuses: [.ok, .created],
                respond: registerToken
            ),
            Route(
                .post,
                "/api/v1/devices",
                .devices,
                "Registers a user's device, by token; a token seen under another user moves.",
                statuses: [.ok, .created],
                respond: registerDevice
            ),
            Route(
                .get,
                "/api/v1/devices",
                .devices,
                "Lists a user's devices, oldest first.",
                query: [.app, user] + QueryParameter.page,
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
                "Changes a device.",
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

    private var notificationRoutes: [Route] {
        let status = QueryParameter(
            name: "status",
            schema: .words(of: NotificationStatus.self),
            summary: "Only those that have come this far."
        )
        return [
            Route(
                .post,
                "/api/v1/notifications",
                .send,
                "Tells people something; durable when it answers.",
                statuses: [.accepted],
                isIdempotent: true,
                respond: send
            ),
            Route(
                .get,
                "/api/v1/notifications",
                .send,
                "Lists notifications, newest first.",
                query: [.app, status] + QueryParameter.page,
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
                "Says of each delivery what became of it.",
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
        ]
    }

    private var deadLetterRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/dead-letters",
                .send,
                "Lists deliveries whose attempts were used up, newest first.",
                query: [.app] + QueryParameter.page,
                respond: listDeadLetters
            ),
            Route(
                .post,
                "/api/v1/dead-letters/{id}/retry",
                .send,
                "Sends a dead letter again, once: it is gone from the list afterwards.",
                statuses: [.accepted],
                isIdempotent: true,
                respond: retryDeadLetter
            ),
        ]
    }

    private var operationRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/quarantine",
                .send,
                "Lists work that is tried no more until somebody asks for it, newest first.",
                query: [.app] + QueryParameter.page,
                respond: listQuarantined
            ),
            Route(
                .post,
                "/api/v1/quarantine/{id}/retry",
                .send,
                "Has work tried again: it is gone from the list afterwards.",
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
            Route(.get, "/healthz", .open, "Whether the process is alive.", respond: health),
            Route(.get, "/readyz", .open, "Whether it can take work.", respond: ready),
            Route(.get, "/metrics", .open, "Metrics in Prometheus' text format.", respond: showMetrics),
        ]
    }
}
