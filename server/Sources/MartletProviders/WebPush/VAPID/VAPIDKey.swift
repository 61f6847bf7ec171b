import Crypto
import Foundation
import MartletCore
import MartletWire

/// A key pair by which push services know an app (RFC 8292): browsers bind their subscriptions to its public half.
struct VAPIDKey: Sendable {
    let privateKey: P256.Signing.PrivateKey

    /// A new one.
    init() { privateKey = P256.Signing.PrivateKey() }

    /// One made elsewhere: 32 bytes as base64url, which is how other libraries keep it.
    ///
    /// - Throws: `Failure` naming the field `vapid_private_key`.
    init(base64URL text: String) throws(Failure) {
        guard let bytes = Base64URL.decode(text.prefix { $0 != "=" }), bytes.count == 32,
            let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
        else {
            throw Failure(
                .invalidCredential,
                "It is not a VAPID key: 32 bytes as base64url.",
                hint: "Leave it out and the server makes one.",
                field: "vapid_private_key"
            )
        }
        privateKey = key
    }

    /// The private half as it is kept.
    var base64URL: String { Secret.base64URL(Array(privateKey.rawRepresentation)) }

    /// The public half as browsers take it for `applicationServerKey`: 65 bytes as base64url.
    var publicKey: String { Secret.base64URL(Array(privateKey.publicKey.x963Representation)) }

    /// Its id: the first 8 bytes of the public half's SHA-256, so that a key has the same one wherever it is stored.
    var id: String { Secret.base64URL(Array(SHA256.hash(data: privateKey.publicKey.x963Representation).prefix(8))) }
}
