import Crypto
import Foundation
import MartletCore

/// Seals messages so that only the browser reads them: RFC 8291 over the content encoding `aes128gcm` of RFC 8188, in
/// one record.
struct WebPushEncryption: Sendable {
    /// What a sealed message has more than what it says: salt (16), record size (4), the key's length (1), the key (65),
    /// the delimiter (1) and the tag (16).
    static let overhead = 103
    /// A push service need not take more than 4,096 bytes (RFC 8030, section 7.2).
    static let limit = 4_096 - overhead
    /// The record size, which one record never exceeds.
    private static let recordSize = 4_096
    /// The delimiter of the last record (RFC 8188, section 2).
    private static let lastRecord: UInt8 = 0x02

    /// One sender key and one salt, for one message.
    struct Fresh: Sendable {
        var sender: P256.KeyAgreement.PrivateKey
        var salt: [UInt8]

        /// Both at random. The key is made of 32 random bytes: the library's own way takes six times as long.
        init() {
            while true {
                // One in 2³² is no number below the curve's order.
                let bytes = SymmetricKey(size: .bits256)
                guard let key = bytes.withUnsafeBytes({ try? P256.KeyAgreement.PrivateKey(rawRepresentation: $0) })
                else { continue }
                sender = key
                break
            }
            salt = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
        }

        /// Given ones, for a test vector.
        init(sender: P256.KeyAgreement.PrivateKey, salt: [UInt8]) { (self.sender, self.salt) = (sender, salt) }
    }

    /// A message was too long, or the subscription's key is none.
    struct Unsealable: Error {}

    /// The body of a request.
    ///
    /// - Parameter count: how long the message is made with zeros behind it, so that its length says little.
    static func seal(
        _ plaintext: [UInt8],
        paddedTo count: Int,
        for subscription: PushSubscription,
        with fresh: Fresh = Fresh()
    ) throws -> [UInt8] {
        let padding = max(0, count - plaintext.count)
        guard plaintext.count + padding <= limit else { throw Unsealable() }
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        let sender = Array(fresh.sender.publicKey.x963Representation)
        let secret = try fresh.sender.sharedSecretFromKeyAgreement(with: receiver)
        let (key, nonce) = keys(secret, subscription: subscription, sender: sender, salt: fresh.salt)
        let record = plaintext + [lastRecord] + [UInt8](repeating: 0, count: padding)
        let sealed = try AES.GCM.seal(record, using: key, nonce: AES.GCM.Nonce(data: nonce))
        var body: [UInt8] = []
        body.reserveCapacity(record.count + overhead)
        body += fresh.salt
        body += [0, 0, UInt8(recordSize >> 8), UInt8(recordSize & 0xFF), UInt8(sender.count)]
        body += sender
        body += sealed.ciphertext
        body += sealed.tag
        return body
    }

    /// The content encryption key and the nonce (RFC 8291, section 3.4).
    private static func keys(
        _ secret: SharedSecret,
        subscription: PushSubscription,
        sender: [UInt8],
        salt: [UInt8]
    ) -> (key: SymmetricKey, nonce: [UInt8]) {
        let input = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: subscription.auth,
            sharedInfo: Array("WebPush: info".utf8) + [0] + subscription.publicKey + sender,
            outputByteCount: 32
        )
        let extracted = HKDF<SHA256>.extract(inputKeyMaterial: input, salt: salt)
        func expand(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.expand(
                pseudoRandomKey: extracted,
                info: Array("Content-Encoding: \(name)".utf8) + [0],
                outputByteCount: count
            )
        }
        return (expand("aes128gcm", 16), expand("nonce", 12).withUnsafeBytes { Array($0) })
    }
}

/// How long messages are made before they are sealed, so that an eavesdropper learns little from their length. A pure
/// value.
enum WebPushPadding {
    /// The step: a usual message stays within one or two of them.
    static let step = 512
    /// Up to here a message is padded: with the overhead these are the 2,744 bytes that Firefox for Android takes over its
    /// bridge to FCM.
    static let most = 2_641

    /// The length of a message of so many bytes once it is padded.
    static func length(of count: Int) -> Int {
        guard count <= most else { return count }
        let steps = max(1, (count + step - 1) / step)
        return min(steps * step, most)
    }
}
