import Crypto
package import MartletWire

/// What a browser hands out beside a subscription's address: the keys that messages to it are sealed for (RFC 8291,
/// section 3), and which of the app's VAPID keys it was made with, without which its push service refuses them.
public struct PushSubscription: Sendable, Hashable {
    /// The browser's public key as an uncompressed point of P-256.
    public let publicKey: [UInt8]
    /// The secret that the browser shares with those who may push.
    public let auth: [UInt8]
    /// The id of the VAPID key that it was made with.
    public let vapidKeyID: String

    /// An uncompressed point: 0x04 and two coordinates of 32 bytes (SEC 1, section 2.3.3).
    package static let publicKeyLength = 65
    /// RFC 8291, section 3.2.
    package static let authLength = 16

    /// Reads what a browser's `PushSubscription.toJSON()` has.
    ///
    /// - Parameter field: where the keys stand.
    /// - Throws: `Failure` naming the field.
    package init(p256dh: String, auth: String, vapidKeyID: String, field: String) throws(Failure) {
        guard let point = Base64URL.decode(Self.base64URL(p256dh)), point.count == Self.publicKeyLength,
            (try? P256.KeyAgreement.PublicKey(x963Representation: point)) != nil
        else {
            throw .invalid(
                "\(field).p256dh",
                "It is not a point of the curve P-256: \(Self.publicKeyLength) bytes, 0x04 first, as base64url.",
                hint: Self.hint
            )
        }
        guard let secret = Base64URL.decode(Self.base64URL(auth)), secret.count == Self.authLength else {
            throw .invalid("\(field).auth", "It is not \(Self.authLength) bytes as base64url.", hint: Self.hint)
        }
        (publicKey, self.auth, self.vapidKeyID) = (point, secret, vapidKeyID)
    }

    /// Takes both keys one after the other; `nil` for another length.
    package init?(bytes: [UInt8], vapidKeyID: String) {
        guard bytes.count == Self.publicKeyLength + Self.authLength else { return nil }
        publicKey = Array(bytes.prefix(Self.publicKeyLength))
        auth = Array(bytes.suffix(Self.authLength))
        self.vapidKeyID = vapidKeyID
    }

    /// Both keys one after the other: 81 bytes.
    package var bytes: [UInt8] { publicKey + auth }

    private static let hint = "Send what PushSubscription.toJSON() gives, as it is."

    /// Some pages make standard base64 of the keys with `btoa`: padded, and with `+` and `/`.
    private static func base64URL(_ text: String) -> Substring {
        let text = String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
        return text.dropLast(text.reversed().prefix { $0 == "=" }.count)
    }
}

/// A subscription as it is stored.
public enum StoredSubscription: Sendable, Hashable {
    /// Sealed by the vault.
    case sealed([UInt8])
    /// As it was stored before subscriptions were sealed; the browser's next registration seals it.
    case plain(PushSubscription)
}

extension Vault {
    /// Seals a subscription for its app and its address.
    package func seal(_ subscription: PushSubscription, app: PublicID, address: String) throws(Failure)
        -> StoredSubscription
    {
        let bytes = subscription.bytes + Array(subscription.vapidKeyID.utf8)
        do { return .sealed(try seal(bytes, for: Self.purpose(app, address))) } catch {
            throw Failure(.internalError, "The subscription could not be sealed.")
        }
    }

    /// Opens one; `nil` for one that was sealed with another encryption key, or is not this app's or of this address.
    package func open(_ stored: StoredSubscription, app: PublicID, address: String) -> PushSubscription? {
        switch stored {
        case .plain(let subscription): return subscription
        case .sealed(let bytes):
            guard let opened = try? open(bytes, for: Self.purpose(app, address)) else { return nil }
            let length = PushSubscription.publicKeyLength + PushSubscription.authLength
            let keyID = String(decoding: opened.dropFirst(length), as: UTF8.self)
            return PushSubscription(bytes: Array(opened.prefix(length)), vapidKeyID: keyID)
        }
    }

    private static func purpose(_ app: PublicID, _ address: String) -> String { "subscription/\(app)/\(address)" }
}
