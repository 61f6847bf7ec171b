import MartletCore
import MartletWire

/// Keys for clients of the SNS interface: made and revoked by administrators of the whole server, shown once.
extension MartletAPI {
    func createAccessKey(_ request: AccessKeyRequest, _ call: Call) async throws -> Reply<AccessKeyResponse> {
        try checkIsUnbound(call)
        guard !request.name.isEmpty else { throw Failure.invalid("name", "It must not be empty.") }
        let permissions = try request.allow.map { try self.permissions($0) }
        let key = AccessKey()
        let sealed = try vault.seal(Array(key.secret.utf8), for: StoredAccessKey.purpose(of: key.id))
        var response = AccessKeyResponse(
            try await store.createAccessKey(
                id: key.id,
                sealed: sealed,
                name: request.name,
                permissions: permissions
            )
        )
        await record(
            "access_key.create",
            of: AuditSubject("access_key", key.id),
            by: call.caller,
            after: .shown(response)
        )
        response.secretAccessKey = key.secret
        return Reply(response)
    }

    func listAccessKeys(_ call: Call) async throws -> List<AccessKeyResponse> {
        try checkIsUnbound(call)
        return call.list(try await store.keys(.access, call.page()).compactMap(\.access)) { AccessKeyResponse($0) }
    }

    func revokeAccessKey(_ call: Call) async throws -> Nothing {
        try checkIsUnbound(call)
        let id = try call.parameter("id")
        let known = try await store.key(.accessKey(id))?.access
        guard try await store.revokeKey(.accessKey(id), evenIfLast: true) else { throw Failure.notFound("access key") }
        await record(
            "access_key.revoke",
            of: AuditSubject("access_key", id),
            by: call.caller,
            before: known.map { .shown(AccessKeyResponse($0)) }
        )
        return Nothing()
    }

    /// The permissions that a request names: at least one, each of an action that there is.
    private func permissions(_ texts: [String]) throws -> [AccessPermission] {
        guard (1...AccessPermission.limit).contains(texts.count) else {
            throw Failure.invalid(
                "allow",
                "It must have 1 to \(AccessPermission.limit) rules.",
                hint: "Leave it out for a key that may do everything."
            )
        }
        return try texts.map { text in
            let permission = try AccessPermission(text)
            for action in permission.actions {
                guard SNSAction.allCases.contains(where: { $0 != .publishBatch && action.matches($0.rawValue) })
                else {
                    throw Failure.invalid(
                        "allow",
                        "Amazon SNS has no permission for \(action.text).",
                        hint: "For example publish, which is PublishBatch too, subscribe, get* or *."
                    )
                }
            }
            return permission
        }
    }

    /// What an access key opens belongs to all apps.
    private func checkIsUnbound(_ call: Call) throws(Failure) {
        guard call.caller.key?.app == nil else {
            throw Failure(
                .forbidden,
                "This key is bound to one app, and access keys are valid for all.",
                hint: "Use an admin key that is not bound to an app."
            )
        }
    }
}

extension AccessKeyResponse {
    fileprivate init(_ key: StoredAccessKey) {
        self.init(
            accessKeyID: key.id,
            name: key.name,
            createdAt: UTCTime(key.createdAt),
            revokedAt: key.revokedAt.map(UTCTime.init),
            allow: key.permissions.map { $0.map(\.text) }
        )
    }
}
