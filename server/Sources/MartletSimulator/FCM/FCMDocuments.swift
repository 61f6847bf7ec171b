/// The body of `POST /fcm/projects`.
struct FCMProjectDocument: Decodable {
    var project: String
    var messagesPerMinute: Int?
    /// Whether the project holds an APNs key: without one, iPhones' tokens are answered 401.
    var apnsKey: Bool?

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "project", "messagesPerMinute", "apnsKey")
        project = try fields.project()
        messagesPerMinute = try fields.number("messagesPerMinute", in: 1...Int(Int32.max))
        apnsKey = try fields.optional("apnsKey")
    }
}

/// The body of `POST /fcm/accounts`: a new one for a project; or `POST /fcm/accounts/state`: what one is worth.
struct FCMAccountDocument: Decodable {
    var project: String?
    var email: String?
    var revoked: Bool

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "project", "email", "revoked")
        email = try fields.optional("email")
        project = email == nil ? try fields.project() : nil
        revoked = try fields.optional("revoked") ?? false
    }
}

/// One token of `POST /fcm/tokens`.
struct FCMTokenDocument: Decodable {
    var device: FCMDevice

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "token", "project", "platform", "state")
        device = FCMDevice(
            token: try fields.required("token"),
            project: try fields.optional("project"),
            platform: try fields.optional("platform") ?? .android,
            state: try fields.optional("state") ?? .active
        )
    }
}

/// The body of `POST /fcm/access-tokens`.
struct FCMAccessDocument: Decodable {
    /// Whether those that were given are expired.
    var expire: Bool
    /// Seconds that new ones are good for.
    var lifetime: Int?

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "expire", "lifetime")
        expire = try fields.optional("expire") ?? false
        lifetime = try fields.number("lifetime", in: 1...86_400)
    }
}

/// The body of `POST /fcm/clock`.
struct FCMClockDocument: Decodable {
    /// Seconds that Google's clock is ahead.
    var skew: Int

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "skew")
        skew = try fields.number("skew", in: -86_400...86_400) ?? 0
    }
}

/// The body of `POST /fcm/devices`: what a phone wants a token for.
struct FCMDeviceDocument: Decodable {
    enum Kind: String, Decodable { case token, fid }

    var project: String
    var kind: Kind
    var platform: FCMDevice.Platform

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "project", "kind", "platform")
        project = try fields.project()
        kind = try fields.optional("kind") ?? .token
        platform = try fields.optional("platform") ?? .android
    }
}

/// A message on its way to a phone: an element of the answer of `GET /fcm/devices/{token}/messages`.
package struct FCMDeviceMessage: Codable, Equatable, Sendable {
    /// Number of the message on this phone's line, from 1.
    package var seq: Int
    /// Milliseconds since 1970.
    package var time: Int64
    /// `projects/{project}/messages/{id}`
    package var name: String
    /// The message as it was sent.
    package var message: JSONValue

    init(_ item: FCMMailbox.Item) {
        seq = item.seq
        time = item.message.time
        name = item.message.name
        message = item.message.content.document
    }
}

/// The answer of `GET /fcm/devices/{token}/messages`.
package typealias FCMDevicePage = MessagePage<FCMDeviceMessage>

/// The answer of `GET /fcm/state`.
struct FCMStateDocument: Codable {
    var port: Int
    var isListening: Bool
    var tokenURL: String
    var connections: [ServiceConnectionDocument]
    var connectionsSeen: Int
    var projects: [String]
    var accounts: [String]
    var accessTokens: Int
    var tokens: Int
    var knownTokensOnly: Bool
    var rules: Int
}

extension FieldReader {
    /// The `project` that a document names: as Firebase's ids are, letters, digits and hyphens.
    func project() throws -> String {
        let project: String = try required("project")
        let isID =
            !project.isEmpty
            && project.utf8.allSatisfy {
                $0.isDigit || ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")) || $0 == UInt8(ascii: "-")
            }
        guard isID else {
            throw invalid("project", "is not a project id", hint: "Lower-case letters, digits and hyphens.")
        }
        return project
    }
}
