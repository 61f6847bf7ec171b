import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Keys for clients of the SNS interface: made and revoked by administrators of the whole server, shown once.
extension MartletAPI {
    func createAccessKey(_ request: AccessKeyRequest, _ call: Call) async throws -> Reply<AccessKeyResponse> {
        try checkIsUnbound(call)
        let (key, secret) = try await store.makeAccessKey(
            name: request.name,
            rules: request.allow,
            expiry: try expiry(request.expiresAt),
            vault: vault
        )
        var response = AccessKeyResponse(key)
        await record(
            "access_key.create",
            of: AuditSubject("access_key", key.id),
            by: call.caller,
            after: .shown(response)
        )
        response.secretAccessKey = secret
        return Reply(response)
    }

    func listAccessKeys(_ call: Call) async throws -> List<AccessKeyResponse> {
        try checkIsUnbound(call)
        return call.list(try await store.keys(.access, call.page()).compactMap(\.access)) { AccessKeyResponse($0) }
    }

    func revokeAccessKey(_ call: Call) async throws -> Nothing {
        try checkIsUnbound(call)
        let id = try call.parameter("access_key_id")
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
            expiresAt: key.expiresAt.map(UTCTime.init),
            lastUsedAt: key.lastUsedAt.map(UTCTime.init),
            allow: key.permissions.map { $0.map(\.text) }
        )
    }
}
