import Crypto
import MartletCore
import MartletTransport
import MartletWire

/// The header fields of pushes (RFC 8030, section 5), and how a message keeps them until it is sent.
enum WebPushRequest {
    static let ttl = "ttl"
    static let urgency = "urgency"
    static let topic = "topic"
    static let contentType = "content-type"
    /// Not a field of a request: when the push is of no more use, in seconds; `0` is to be tried once.
    static let expiration = "expiration"

    /// The longest that Google keeps a push, four weeks, which others accept.
    static let longestLife: Int64 = 2_419_200

    /// The fields that are the same for all requests of a push to one service.
    ///
    /// - Parameter authorization: the VAPID token with its key.
    static func fields(
        _ message: Message,
        authorization: String,
        service: Environment,
        at now: Timestamp
    ) -> [(name: String, value: String)] {
        let life = life(message, service: service, at: now)
        var fields = [
            ("authorization", authorization), (ttl, String(life)), ("content-encoding", "aes128gcm"),
            (contentType, message.headers[contentType] ?? "application/octet-stream"),
        ]
        for name in [urgency, topic] {
            if let value = message.headers[name] { fields.append((name, value)) }
        }
        // Without it Microsoft keeps nothing, and refuses one that does not go with the TTL.
        if service == .microsoft { fields.append(("x-wns-cache-policy", life == 0 ? "no-cache" : "cache")) }
        return fields
    }

    /// The field `authorization` (RFC 8292, section 3), without the space that a list may have: py-vapid takes none.
    static func authorization(_ token: VAPIDToken, key: VAPIDKey) -> String {
        "vapid t=\(token.text),k=\(key.publicKey)"
    }

    /// For how long the service is to keep a push.
    private static func life(_ message: Message, service: Environment, at now: Timestamp) -> Int64 {
        // Apple answers BadTtl to 0.
        let least: Int64 = service == .apple ? 1 : 0
        guard let end = message.headers[expiration].flatMap({ Int64($0) }) else { return longestLife }
        return min(max(least, end == 0 ? 0 : end - now.seconds), longestLife)
    }

    /// What replaces a push that still waits at the service: 32 characters of base64url (RFC 8030, section 5.4), whatever
    /// the collapse id has.
    static func topic(of collapseID: String) -> String {
        Secret.base64URL(Array(SHA256.hash(data: Array(collapseID.utf8)).prefix(24)))
    }
}
