/// The body of `POST /connections/goaway`, `/connections/abort` and `/connections/max-streams`.
struct ConnectionsDocument: Decodable {
    /// The connection to act on; `nil` for all.
    var connection: Int?
    /// The `reason` of a GOAWAY's debug data.
    var reason: String?
    /// The GOAWAY's error code (RFC 9113 section 7).
    var code: UInt32
    /// SETTINGS_MAX_CONCURRENT_STREAMS.
    var value: Int?

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "connection", "reason", "code", "value")
        connection = try fields.optional("connection")
        reason = try fields.optional("reason")
        code = try fields.errorCode() ?? 0
        value = try fields.number("value", in: 0...Int(Int32.max))
    }
}

/// The body of `POST /listener/stop` and `/listener/start`.
struct ListenerDocument: Decodable {
    /// The listener to act on; `nil` for all.
    var environment: APNsEnvironment?
    var mode: ListenerMode
    /// After this time it listens again by itself.
    var milliseconds: Int?

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "environment", "mode", "milliseconds")
        environment = try fields.optional("environment")
        mode = try fields.optional("mode") ?? .refuse
        milliseconds = try fields.number("milliseconds", in: 1...longestDelay)
    }
}

/// What a stopped listener does with new connections.
package enum ListenerMode: String, Sendable, Codable {
    /// The port is closed: connection refused.
    case refuse
    /// TCP connects, then the TLS handshake is answered with a fatal alert.
    case failTLS
}

/// The body of `POST …/tokens`: device tokens to bind, and whether any other is unknown.
struct TokensDocument<Device: Decodable>: Decodable {
    /// Tokens taken in one request.
    private static var limit: Int { 10_000 }

    var devices: [Device]
    var knownTokensOnly: Bool?

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

/// What waits for a phone or browser: the answer of `GET …/messages`.
package struct MessagePage<Message: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    /// The oldest first.
    package var messages: [Message]
    /// Give it as `after`: it says that these were taken.
    package var next: Int
}
