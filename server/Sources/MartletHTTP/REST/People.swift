import MartletCore
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

    func eraseUser(_ call: Call) async throws -> Nothing {
        let (app, user) = try await person(of: call)
        try await store.eraseUser(user, of: app.row)
        await record("user.erase", of: .erased(user), by: call.caller, app: app.row)
        return Nothing()
    }
}
