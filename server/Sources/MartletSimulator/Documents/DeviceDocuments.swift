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
        let push = item.push.unpacked()
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
