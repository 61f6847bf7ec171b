import MartletCore
import MartletWire

/// Who asks.
enum Caller: Sendable {
    /// Nobody in particular: an open route.
    case anyone
    /// The holder of an API key.
    case key(APIKey)
    /// A user of an app, by their own token, which ends then.
    case user(String, App, until: Timestamp)

    /// The key, where there is one.
    var key: APIKey? {
        if case .key(let key) = self { key } else { nil }
    }

    /// Whether it is the operator of the whole server: the holder of an admin key that is bound to no app.
    var isOperator: Bool { key.map { $0.scope == .admin && $0.app == nil } ?? false }

    /// Whether it is somebody's phone and not one of the operator's or the customer's servers.
    var isClient: Bool {
        switch self {
        case .anyone, .user: true
        case .key(let key): key.scope == .client
        }
    }

    /// Who is said to have changed something: `user`, or the key's name.
    var actor: String {
        guard let key else { return "user" }
        return key.name.isEmpty ? key.prefix : key.name
    }

    /// Who it is to the ``Registrar``.
    var registrant: Registrant {
        if case .user(let user, _, _) = self { .user(user) } else { isClient ? .client : .server }
    }
}

extension Access {
    /// Whether a key of this scope may call the route.
    func admits(_ scope: KeyScope) -> Bool {
        switch self {
        case .open, .registration, .ingest, .postback: true
        case .admin: scope == .admin
        case .send, .devices: scope == .admin || scope == .send
        case .user: false
        }
    }
}
