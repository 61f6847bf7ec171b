import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// API keys: made and revoked by administrators, shown once.
extension MartletAPI {
    func createKey(_ request: KeyRequest, _ call: Call) async throws -> Reply<KeyResponse> {
        let app = try await optionalApp(request.app, for: call.caller)
        let (key, secret) = try await store.makeKey(
            request.scope,
            app: app,
            name: request.name,
            expiry: try expiry(request.expiresAt)
        )
        var response = KeyResponse(key, app: app?.id)
        await record("key.create", of: .key(key), by: call.caller, app: key.app, after: .shown(response))
        response.key = secret
        return Reply(response)
    }

    func listKeys(_ call: Call) async throws -> List<KeyResponse> {
        let page = try call.page()
        let app = try await optionalApp(call.query("app"), for: call.caller)
        let keys = try await store.keys(.api(app: app?.row), page).compactMap(\.api)
        let ids = try await appIDs(of: keys.items.compactMap(\.app))
        return call.list(keys) { key in KeyResponse(key, app: key.app.flatMap { ids[$0] }) }
    }

    func revokeKey(_ call: Call) async throws -> Nothing {
        let id = try call.id("id", of: "key")
        guard let known = try await store.key(.id(id))?.api else { throw Failure.notFound("key") }
        if let own = call.caller.key?.app, known.app != own { throw Failure.notFound("key") }
        let isForced = call.flag("force")
        guard try await store.revokeKey(.id(id), evenIfLast: isForced) else { throw Failure.notFound("key") }
        let app = try await appIDs(of: [known.app].compactMap(\.self)).first?.value
        let before = JSONValue.shown(KeyResponse(known, app: app))
        await record("key.revoke", of: .key(known), by: call.caller, app: known.app, before: before)
        return Nothing()
    }

    /// When a new key expires, as a request says it.
    ///
    /// - Throws: `Failure` naming `expires_at` for what is past.
    func expiry(_ time: UTCTime?) throws(Failure) -> KeyExpiry? {
        guard let time else { return nil }
        return try KeyExpiry(Timestamp(time), now: clock.now())
    }

    /// The ids of these apps, each looked up once.
    func appIDs(of rows: [RowID<App>]) async throws -> [RowID<App>: PublicID] {
        var ids: [RowID<App>: PublicID] = [:]
        for row in Set(rows) { ids[row] = try await store.app(.row(row))?.id }
        return ids
    }
}

extension AuditSubject {
    fileprivate static func key(_ key: APIKey) -> AuditSubject { AuditSubject("key", key.id.description) }
}

extension KeyResponse {
    init(_ key: APIKey, app: PublicID?) {
        self.init(
            id: key.id,
            scope: key.scope,
            appID: app,
            name: key.name,
            prefix: key.prefix,
            createdAt: UTCTime(key.createdAt),
            revokedAt: key.revokedAt.map(UTCTime.init),
            expiresAt: key.expiresAt.map(UTCTime.init),
            lastUsedAt: key.lastUsedAt.map(UTCTime.init)
        )
    }
}
