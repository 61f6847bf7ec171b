/// The body of `POST /keys`.
struct KeyDocument: Decodable {
    var key: SimulatorKey

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "keyID", "teamID", "key", "environment", "topics")
        key = try ControlError.naming {
            try SimulatorKey(
                keyID: try fields.required("keyID"),
                teamID: try fields.required("teamID"),
                pem: try fields.required("key"),
                environment: try fields.optional("environment"),
                topics: try fields.optional("topics")
            )
        }
    }
}

/// The body of `POST /apps`.
struct AppDocument: Decodable {
    var app: SimulatorApp

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "topic", "teamID")
        app = try ControlError.naming {
            try SimulatorApp(topic: try fields.required("topic"), teamID: try fields.required("teamID"))
        }
    }
}

/// The body of `POST /tokens`: device tokens to bind, and whether any other is unknown.
struct TokensDocument: Decodable {
    /// Tokens taken in one request.
    static let limit = 10_000

    var devices: [Device]
    var knownTokensOnly: Bool?

    /// One token; `state` is `active` (default), `unregistered` or `expired`, `since` in milliseconds since 1970.
    struct Device: Decodable {
        enum State: String, Decodable { case active, unregistered, expired }

        var token: String
        var topic: String?
        var environment: APNsEnvironment?
        var state: State
        var since: Int64?

        init(from decoder: any Decoder) throws {
            let fields = try FieldReader(decoder, allowing: "token", "topic", "environment", "state", "since")
            token = try fields.required("token")
            topic = try fields.optional("topic")
            environment = try fields.optional("environment")
            state = try fields.optional("state") ?? .active
            since = try fields.optional("since")
            guard APNsCheck.isWellFormedToken(token.utf8) else {
                throw fields.invalid("token", "is not a device token", hint: "64 to 200 hexadecimal digits.")
            }
            if state == .active, since != nil { throw fields.invalid("since", "has no meaning for an active token") }
        }

        /// The device; a state without `since` began at `now`.
        func device(now: Int64) throws -> SimulatorDevice {
            let state: SimulatorDevice.State =
                switch state {
                case .active: .active
                case .unregistered: .unregistered(since: since ?? now)
                case .expired: .expired(since: since ?? now)
                }
            return try SimulatorDevice(token: token, topic: topic, environment: environment, state: state)
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "tokens", "knownTokensOnly")
        devices = try fields.optional("tokens") ?? []
        knownTokensOnly = try fields.optional("knownTokensOnly")
        if devices.count > Self.limit { throw fields.invalid("tokens", "has more than \(Self.limit) entries") }
        if devices.isEmpty, knownTokensOnly == nil {
            throw fields.invalid("tokens", "is missing", hint: "Send tokens, knownTokensOnly or both.")
        }
    }
}
