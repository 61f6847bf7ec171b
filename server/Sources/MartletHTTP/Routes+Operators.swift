import Hummingbird
import MartletWire

/// The part of the table that is about who uses the console, and about who changed what: the console has no powers of its
/// own.
extension MartletAPI {
    var operatorRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/operators",
                .admin,
                "Lists those who use the console, oldest first.",
                query: QueryParameter.page,
                respond: listOperators
            ),
            Route(
                .post,
                "/api/v1/operators/invitations",
                .admin,
                "Invites an operator, or has one set a new password: shows the link once; it is good for a quarter of an hour.",
                statuses: [.created],
                respond: inviteOperator
            ),
            Route(
                .patch,
                "/api/v1/operators/{id}",
                .admin,
                "Changes an operator's role, or keeps them from signing in.",
                respond: updateOperator
            ),
            Route(
                .get,
                "/api/v1/operators/sessions",
                .admin,
                "Lists the sessions of those who are signed in, oldest first.",
                query: QueryParameter.page,
                respond: listSessions
            ),
            Route(
                .delete,
                "/api/v1/operators/sessions/{id}",
                .admin,
                "Ends a session.",
                statuses: [.noContent],
                respond: endSession
            ),
            Route(
                .get,
                "/api/v1/audit",
                .admin,
                "Lists changes and who made them, newest first.",
                query: [
                    QueryParameter(
                        name: "actor",
                        schema: .string,
                        summary: "Only those by an operator's name or id, by a key's id, or by 'system'."
                    ),
                    QueryParameter(name: "action", schema: .string, summary: "Only this action, such as 'app.update'."),
                    QueryParameter(
                        name: "subject",
                        schema: .string,
                        summary: "Only those of what has this kind and id, such as 'category:news'."
                    ),
                    QueryParameter(name: "app", schema: .string, summary: "Only those about this app, by id or name."),
                ] + QueryParameter.page,
                respond: listAuditLog
            ),
        ]
    }
}
