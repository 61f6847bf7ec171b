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

/// One token of `POST /tokens`; `state` is `active` (default), `unregistered` or `expired`, `since` in milliseconds since
/// 1970.
struct APNsTokenDocument: Decodable {
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

/// The body of `POST /devices`: what a phone wants a token for.
struct DeviceDocument: Decodable {
    /// The bundle id of the app.
    var topic: String
    var environment: APNsEnvironment

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "topic", "environment")
        topic = try fields.required("topic")
        environment = try fields.optional("environment") ?? .production
        guard APNsCheck.isWellFormedTopic(topic) else {
            throw fields.invalid("topic", "is not a bundle id", hint: "Letters, digits, hyphens and full stops.")
        }
    }
}

/// The answer of `POST /devices`.
struct DeviceTokenDocument: Codable, Equatable {
    /// 32 bytes in hexadecimal.
    var token: String
}

/// A push on its way to a phone: an element of the answer of `GET /devices/{token}/pushes`.
struct DevicePush: Codable, Equatable {
    /// Number of the push on this phone's line, from 1.
    var seq: Int
    /// Milliseconds since 1970.
    var time: Int64
    var apnsID: String?
    var pushType: String?
    var priority: String?
    var collapseID: String?
    var payload: JSONValue?

    init(_ item: DeviceMailbox.Item) {
        let push = item.message.unpacked()
        seq = item.seq
        time = push.time
        apnsID = push.apnsID
        pushType = push.headers["apns-push-type"]
        priority = push.headers["apns-priority"]
        collapseID = push.headers["apns-collapse-id"]
        payload = push.payload
    }
}

/// The answer of `GET /devices/{token}/pushes`.
struct DevicePage: Codable, Equatable {
    /// The oldest first.
    var pushes: [DevicePush]
    /// Give it as `after`: it says that these were taken.
    var next: Int
}
