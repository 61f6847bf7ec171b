import MartletCore
import MartletStore
import MartletWire

/// Which app a call is about, and whether its key may touch it. A key bound to one app sees no other: they are 404.
extension MartletAPI {
    /// The app that a text names, by id or by name.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is none, or it is not the key's.
    func app(named text: String, for caller: Caller) async throws -> App {
        let selector = PublicID(text).map(AppSelector.id) ?? .name(text)
        guard let app = try await store.app(selector) else { throw Failure.notFound("app") }
        if let bound = caller.key?.app, bound != app.row { throw Failure.notFound("app") }
        if case .user(_, let own, _) = caller, own.row != app.row { throw Failure.notFound("app") }
        return app
    }

    /// The app of the path's `{app}`.
    func app(of call: Call) async throws -> App {
        try await app(named: call.parameter("app"), for: call.caller)
    }

    /// The app that a request names, or else the caller's own.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``, or naming `app` when neither says which.
    func app(_ named: String?, for caller: Caller) async throws -> App {
        if let app = try await optionalApp(named, for: caller) { return app }
        throw Failure(
            .malformedRequest,
            "Name the app: 'app' is missing.",
            hint: "Send its id or name, or use a key that is bound to one app.",
            field: "app"
        )
    }

    /// The app that a request names, or else the caller's own; `nil` where neither says which.
    func optionalApp(_ named: String?, for caller: Caller) async throws -> App? {
        if let named {
            do { return try await app(named: named, for: caller) } catch let failure as Failure {
                throw failure.at("app")
            }
        }
        switch caller {
        case .user(_, let app, _): return app
        case .key(let key):
            guard let row = key.app else { return nil }
            guard let app = try await store.app(.row(row)) else { throw Failure.notFound("app") }
            return app
        case .anyone: return nil
        }
    }

    /// Whether a caller may see what belongs to this app.
    func mayTouch(_ app: RowID<App>, _ caller: Caller) -> Bool {
        switch caller {
        case .key(let key): key.app == nil || key.app == app
        case .user(_, let own, _): own.row == app
        case .anyone: false
        }
    }

    /// The platform and environment of the path.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for words that are none.
    func queue(of app: App, _ call: Call) throws -> DeliveryQueue {
        guard let platform = Platform(word: try call.parameter("platform")),
            let environment = Environment(rawValue: try call.parameter("environment"))
        else { throw Failure.notFound("platform and environment") }
        return DeliveryQueue(app: app.row, platform: platform, environment: environment)
    }
}
