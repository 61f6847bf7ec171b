import Hummingbird
import MartletWire

/// The part of the table of contents that is about keys for clients of the SNS interface.
extension MartletAPI {
    /// Access keys.
    var accessKeyRoutes: [Route] {
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
                "/api/v1/access-keys/{id}",
                .admin,
                "Revokes an access key.",
                statuses: [.noContent],
                respond: revokeAccessKey
            ),
        ]
    }
}
