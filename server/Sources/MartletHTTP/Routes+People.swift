import Hummingbird
import MartletWire

/// The part of the table that is about people: what they want, and what they can read later. A user calls by their own
/// token; for a server key the same routes name the user.
extension MartletAPI {
    var peopleRoutes: [Route] { categoryRoutes + preferenceRoutes + inboxRoutes + userInboxRoutes + remainingRoutes }

    private var categoryRoutes: [Route] {
        [
            Route(
                .post,
                "/api/v1/categories",
                .admin,
                "Creates a category.",
                statuses: [.created],
                respond: createCategory
            ),
            Route(
                .get,
                "/api/v1/categories",
                .admin,
                "Lists an app's categories, by position, archived ones too.",
                query: [.app],
                respond: listCategories
            ),
            Route(
                .get,
                "/api/v1/categories/{key}",
                .admin,
                "Shows a category.",
                query: [.app],
                respond: showCategory
            ),
            Route(
                .patch,
                "/api/v1/categories/{key}",
                .admin,
                "Changes a category; is_archived false takes an archived one back.",
                query: [.app],
                respond: updateCategory
            ),
            Route(
                .delete,
                "/api/v1/categories/{key}",
                .admin,
                "Archives a category: nothing is sent with it any more.",
                query: [.app],
                statuses: [.noContent],
                respond: archiveCategory
            ),
        ]
    }

    private var preferenceRoutes: [Route] {
        [
            Route(.get, "/api/v1/preferences", .user, "Shows what the user wants.", respond: showPreferences),
            Route(
                .patch,
                "/api/v1/preferences",
                .user,
                "Changes what the user wants, field by field.",
                respond: updatePreferences
            ),
            Route(
                .post,
                "/api/v1/preferences/batch",
                .send,
                "Changes what up to 1,000 users want; each gets a receipt.",
                respond: updateManyPreferences
            ),
            Route(
                .get,
                "/api/v1/users/{user}/preferences",
                .send,
                "Shows what a user wants.",
                query: [.app],
                respond: showPreferences
            ),
            Route(
                .patch,
                "/api/v1/users/{user}/preferences",
                .send,
                "Changes what a user wants, field by field.",
                query: [.app],
                respond: updatePreferences
            ),
            Route(
                .get,
                "/api/v1/users/{user}/preferences/history",
                .send,
                "Lists the changes of what a user wants, newest first.",
                query: [.app] + QueryParameter.page,
                respond: listPreferenceChanges
            ),
        ]
    }

    private static let inboxParameters = [
        QueryParameter(
            name: "status",
            schema: .words(of: InboxStatusName.self),
            summary: "Which items; absent is those that are not archived."
        ),
        QueryParameter(name: "category", schema: .string, summary: "Only those of this category, by its key."),
        QueryParameter(name: "limit", schema: .integer(1...100), summary: "How many at most; absent is 100."),
        .cursor,
    ]

    private var inboxRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/inbox",
                .user,
                "Lists the user's inbox, newest first.",
                query: MartletAPI.inboxParameters,
                respond: listInbox
            ),
            Route(
                .get,
                "/api/v1/inbox/counts",
                .user,
                "Counts what the user has not read.",
                respond: countInbox
            ),
            Route(
                .get,
                InboxEvents.path,
                .user,
                "Tells of the state and of each change of the user's inbox, until the token ends or for an hour.",
                respond: streamInbox
            ),
            Route(
                .post,
                "/api/v1/inbox/actions",
                .user,
                "Marks several of the user's items, or all up to one.",
                respond: actOnInbox
            ),
            Route(.get, "/api/v1/inbox/{id}", .user, "Shows an item of the user's inbox.", respond: showInboxItem),
            Route(
                .patch,
                "/api/v1/inbox/{id}",
                .user,
                "Marks an item of the user's inbox as seen, read or archived.",
                respond: updateInboxItem
            ),
        ]
    }

    private var userInboxRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/users/{user}/inbox",
                .send,
                "Lists a user's inbox, newest first.",
                query: [.app] + MartletAPI.inboxParameters,
                respond: listInbox
            ),
            Route(
                .get,
                "/api/v1/users/{user}/inbox/counts",
                .send,
                "Counts what a user has not read.",
                query: [.app],
                respond: countInbox
            ),
            Route(
                .post,
                "/api/v1/users/{user}/inbox/actions",
                .send,
                "Marks several of a user's items, or all up to one.",
                query: [.app],
                respond: actOnInbox
            ),
            Route(
                .get,
                "/api/v1/users/{user}/inbox/{id}",
                .send,
                "Shows an item of a user's inbox.",
                query: [.app],
                respond: showInboxItem
            ),
            Route(
                .patch,
                "/api/v1/users/{user}/inbox/{id}",
                .send,
                "Marks an item of a user's inbox as seen, read or archived.",
                query: [.app],
                respond: updateInboxItem
            ),
        ]
    }

    private var remainingRoutes: [Route] {
        [
            Route(
                .patch,
                "/api/v1/installations/{id}",
                .registration,
                "Changes what a device says about itself, with the installation's secret; the SDK calls this.",
                query: [.app],
                statuses: [.noContent],
                respond: updateInstallation
            ),
            Route(
                .delete,
                "/api/v1/installations/{id}",
                .registration,
                "Removes a device that its app forgets, with the installation's secret; the SDK calls this.",
                query: [.app],
                statuses: [.noContent],
                respond: removeInstallation
            ),
            Route(
                .post,
                "/api/v1/installations/{id}/test",
                .registration,
                "Sends a test notification to the device itself, with the installation's secret; the SDK calls this.",
                query: [.app],
                statuses: [.accepted],
                respond: testInstallation
            ),
            Route(
                .delete,
                "/api/v1/users/{user}",
                .send,
                "Erases what a user chose, read and did, and removes their devices.",
                query: [
                    .app,
                    QueryParameter(
                        name: "keep_devices",
                        schema: .boolean,
                        summary: "'true' keeps the devices: they become anonymous, and get what is sent to everybody."
                    ),
                ],
                statuses: [.noContent],
                respond: eraseUser
            ),
            Route(
                .post,
                "/api/v1/notifications/{id}/recall",
                .send,
                "Takes a notification's item out of all inboxes, and cancels what has not been sent.",
                respond: recallNotification
            ),
        ]
    }
}
