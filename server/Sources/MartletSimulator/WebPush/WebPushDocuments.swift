import Crypto
import Foundation

/// The body of `POST /webpush/subscriptions`.
struct WebPushSubscribeDocument: Decodable {
    var service: PushServiceKind
    /// The application server's key: 65 bytes as base64url.
    var key: Data?
    var sizeLimit: Int?

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "service", "applicationServerKey", "sizeLimit")
        service = try fields.optional("service") ?? .other
        sizeLimit = try fields.number("sizeLimit", in: 103...PushCheck.sizeLimit)
        guard let text = try fields.optional("applicationServerKey", as: String.self) else { return }
        let bytes = Base64URL.decode(text, allowsPadding: true)
        guard let bytes, (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil, bytes.count == 65 else {
            throw fields.invalid(
                "applicationServerKey",
                "is no public key",
                hint: "An uncompressed point on P-256: 65 bytes as base64url."
            )
        }
        key = bytes
    }
}

/// The body of `POST /webpush/subscriptions/{id}/state`.
struct WebPushStateDocument: Decodable {
    var state: PushSubscription.State

    init(from decoder: any Decoder) throws {
        state = try FieldReader(decoder, allowing: "state").required("state")
    }
}

/// A subscription: an element of the answer of `GET /webpush/subscriptions`. `endpoint` and `keys` are what a page sends
/// of its own (`PushSubscription.toJSON()`).
package struct WebPushSubscriptionDocument: Codable, Sendable, Equatable {
    package struct Keys: Codable, Sendable, Equatable {
        package var p256dh: String
        package var auth: String
    }

    package var id: String
    package var service: PushServiceKind
    package var endpoint: String
    /// `nil` for a real browser's, which are its own secret.
    package var keys: Keys?
    package var applicationServerKey: String?
    /// The real browser that has it.
    package var browser: String?
    /// `active`, `gone` or `missing`.
    package var state: String
    /// Messages that were accepted.
    package var messages: Int

    init(_ subscription: PushSubscription) {
        id = subscription.id
        service = subscription.service
        endpoint = subscription.endpoint
        applicationServerKey = subscription.applicationServerKey.map { Base64URL.encode($0) }
        state = subscription.state.rawValue
        messages = subscription.messages
        switch subscription.agent {
        case .simulated(let own):
            keys = Keys(p256dh: Base64URL.encode(own.publicKey), auth: Base64URL.encode(own.authSecret))
        case .browser(let agent, _): browser = agent
        }
    }
}

/// A message that waits for a browser: an element of the answer of `GET /webpush/subscriptions/{id}/messages`.
package struct WebPushMessageDocument: Codable, Sendable, Equatable {
    /// Number of the message on this line, from 1.
    package var seq: Int
    /// Milliseconds since 1970.
    package var time: Int64
    package var id: String
    package var ttl: Int
    package var urgency: String?
    package var topic: String?
    /// What was in it, when it is JSON.
    package var payload: JSONValue?
    /// What was in it, when it is other text.
    package var payloadText: String?
    /// What was in it, when it is no text, as base64url.
    package var payloadData: String?
    /// Why it could not be opened.
    package var undecryptable: String?

    init(_ item: WebPushMailbox.Item) {
        let message = item.message
        seq = item.seq
        time = message.time
        id = message.id
        ttl = message.timeToLive
        urgency = message.urgency
        topic = message.topic
        switch message.opened {
        case .success(let bytes):
            payload = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
            if payload == nil { payloadText = String(validating: bytes, as: UTF8.self) }
            if payload == nil, payloadText == nil { payloadData = Base64URL.encode(bytes) }
        case .failure(let failure): undecryptable = failure.rawValue
        case nil: break
        }
    }
}

/// A real browser: an element of the answer of `GET /webpush/browsers`.
struct BrowserDocument: Codable, Equatable {
    var browser: String
    var connected: Bool
    /// The ids of its subscriptions.
    var subscriptions: [String]
}

/// The answer of `GET /webpush/acknowledgements`.
struct AcknowledgementPage: Codable, Equatable {
    var acknowledgements: [BrowserAcknowledgement]
    var next: Int
}

/// The answer of `GET /webpush/state`.
struct WebPushStatePage: Codable {
    var port: Int
    var isListening: Bool
    /// The origins whose addresses it stands in for.
    var origins: [String]
    var connections: [ServiceConnectionDocument]
    var connectionsSeen: Int
    var subscriptions: Int
    var browsers: Int
    var rules: Int
}
