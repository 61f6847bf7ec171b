import MartletCore
import MartletStore
import MartletWire

/// People: a user by their own token, or the one whom a server key names in the path.
extension MartletAPI {
    /// Whose things a call is about.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for another app than the key's, and naming `user` for what can be no
    ///   user's id.
    func person(of call: Call) async throws -> (app: App, user: String) {
        if case .user(let user, let app, _) = call.caller { return (app, user) }
        let app = try await app(call.query("app"), for: call.caller)
        let user = try call.parameter("user")
        try User.validate(id: user, field: "user")
        return (app, user)
    }

    /// Whom a text stands for, in the key's app or, for a key of the whole server, in one app or all.
    func searchPeople(_ call: Call) async throws -> List<PersonItem> {
        let text = call.query("q") ?? ""
        let app = try await optionalApp(call.query("app"), for: call.caller)
        let search =
            text.isEmpty
            ? PersonSearch(firstOf: app?.row) : try PersonSearch(text, app: app?.row, providers: providers)
        let hits = try await store.people(search)
        let ids = try await appIDs(of: hits.map(\.app))
        let found = hits.compactMap { hit in ids[hit.app].map { PersonItem(hit, app: $0) } }
        return List(found, next: nil)
    }

    func eraseUser(_ call: Call) async throws -> Nothing {
        let (app, user) = try await person(of: call)
        let keepsDevices = call.flag("keep_devices")
        try await store.eraseUser(user, of: app.row, keepsDevices: keepsDevices)
        let after: JSONValue = ["devices": keepsDevices ? "kept" : "removed"]
        await record("user.erase", of: .erased(user), by: call.caller, app: app.row, after: after)
        return Nothing()
    }
}

extension PersonItem {
    fileprivate init(_ hit: PersonHit, app: PublicID) {
        self.init(
            appID: app,
            userID: hit.user,
            matched: hit.match,
            endpointID: hit.endpoint,
            platform: hit.platform
        )
    }
}
