import Crypto
import MartletWire

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
        guard let point = Base64URL.decode(Self.unpadded(p256dh)), point.count == Self.publicKeyLength,
            (try? P256.KeyAgreement.PublicKey(x963Representation: point)) != nil
        else {
            throw .invalid(
                "\(field).p256dh",
                "It is not a point of the curve P-256: \(Self.publicKeyLength) bytes, 0x04 first, as base64url.",
                hint: Self.hint
            )
        }
        guard let secret = Base64URL.decode(Self.unpadded(auth)), secret.count == Self.authLength else {
            throw .invalid("\(field).auth", "It is not \(Self.authLength) bytes as base64url.", hint: Self.hint)
        }
        (publicKey, self.auth, self.vapidKeyID) = (point, secret, vapidKeyID)
    }

    /// Takes both keys from the form in which they are stored; `nil` for another length.
    package init?(bytes: [UInt8], vapidKeyID: String) {
        guard bytes.count == Self.publicKeyLength + Self.authLength else { return nil }
        publicKey = Array(bytes.prefix(Self.publicKeyLength))
        auth = Array(bytes.suffix(Self.authLength))
        self.vapidKeyID = vapidKeyID
    }

    /// Both keys as they are stored: 81 bytes.
    package var bytes: [UInt8] { publicKey + auth }

    private static let hint = "Send what PushSubscription.toJSON() gives, as it is."

    /// Some browsers' libraries pad.
    private static func unpadded(_ text: String) -> Substring {
        var text = text[...]
        while text.last == "=" { text.removeLast() }
        return text
    }
}
