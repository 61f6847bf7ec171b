import Foundation

/// What Firefox sends over its push connection: JSON with a `messageType` (Mozilla, "Push service WebSocket protocol").
enum FirefoxMessage: Equatable {
    /// What became of a message.
    struct Update: Equatable, Decodable {
        var channelID: String?
        var version: String
        var code: Int?
    }

    case hello(uaid: String?)
    case register(channelID: String, key: String?)
    case unregister(channelID: String)
    case ack([Update])
    case nack(Update)
    /// `{}`, or by its name.
    case ping
    /// Known, and nothing to answer.
    case ignored
    /// Not of this protocol.
    case unknown

    private struct Document: Decodable {
        var messageType: String?
        var uaid: String?
        var channelID: String?
        var key: String?
        var updates: [Update]?
        var version: String?
        var code: Int?
    }

    init(_ text: String) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(text.utf8)) else {
            self = .unknown
            return
        }
        switch (document.messageType, document.channelID) {
        case (nil, _), ("ping", _): self = .ping
        case ("hello", _): self = .hello(uaid: document.uaid.flatMap { $0.isEmpty ? nil : $0 })
        case ("register", let channel?): self = .register(channelID: channel, key: document.key)
        case ("unregister", let channel?): self = .unregister(channelID: channel)
        case ("ack", _): self = .ack(document.updates ?? [])
        case ("nack", let channel):
            let update = document.version.map { Update(channelID: channel, version: $0, code: document.code) }
            self = update.map { .nack($0) } ?? .unknown
        case ("broadcast_subscribe", _): self = .ignored
        default: self = .unknown
        }
    }
}

/// What Firefox is sent.
struct FirefoxReply: Encodable, Equatable {
    struct Headers: Encodable, Equatable {
        var encoding = "aes128gcm"
    }

    var messageType: String?
    var uaid: String?
    var status: Int?
    var useWebPush: Bool?
    var broadcasts: [String: String]?
    var channelID: String?
    var pushEndpoint: String?
    var version: String?
    /// Base64url.
    var data: String?
    var headers: Headers?

    private enum CodingKeys: String, CodingKey {
        case messageType, uaid, status, broadcasts, channelID, pushEndpoint, version, data, headers
        case useWebPush = "use_webpush"
    }

    static func hello(uaid: String) -> FirefoxReply {
        FirefoxReply(messageType: "hello", uaid: uaid, status: 200, useWebPush: true, broadcasts: [:])
    }

    static func register(channelID: String, endpoint: String?) -> FirefoxReply {
        FirefoxReply(
            messageType: "register",
            status: endpoint == nil ? 500 : 200,
            channelID: channelID,
            pushEndpoint: endpoint
        )
    }

    static func unregister(channelID: String) -> FirefoxReply {
        FirefoxReply(messageType: "unregister", status: 200, channelID: channelID)
    }

    static func notification(_ message: WebPushMessage, channelID: String) -> FirefoxReply {
        let hasBody = !message.body.isEmpty
        return FirefoxReply(
            messageType: "notification",
            channelID: channelID,
            version: message.id,
            data: hasBody ? Base64URL.encode(message.body) : nil,
            headers: hasBody ? Headers() : nil
        )
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
