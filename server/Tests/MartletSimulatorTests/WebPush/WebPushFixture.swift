import Crypto
import Foundation

@testable import MartletSimulator

/// An application server: its key, its tokens, and messages sealed as RFC 8291 says.
struct WebPushFixture: Sendable {
    static let now = 1_800_000_000.0

    let key = P256.Signing.PrivateKey()

    var publicKey: Data { key.publicKey.x963Representation }

    /// `vapid t=…, k=…`
    func authorization(
        audience: String,
        expires: Double = WebPushFixture.now + 43_200,
        subject: String? = "mailto:push@example.com",
        signer: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        var claims: [String: JSONValue] = ["aud": .string(audience), "exp": .integer(Int64(expires))]
        claims["sub"] = subject.map(JSONValue.string)
        let encoder = JSONEncoder()
        let header: [String: JSONValue] = ["typ": .string("JWT"), "alg": .string("ES256")]
        let text = try [header, claims].map { Base64URL.encode(try encoder.encode($0)) }.joined(separator: ".")
        let signature = try (signer ?? key).signature(for: Data(text.utf8))
        return "vapid t=\(text).\(Base64URL.encode(signature.rawRepresentation)), k=\(Base64URL.encode(publicKey))"
    }

    /// A body of `aes128gcm` whose only record holds the text.
    ///
    /// - Parameters:
    ///   - delimiter: 2 for a last record.
    ///   - recordSize: as the header tells it.
    static func seal(
        _ text: String,
        for keys: UserAgentKeys,
        delimiter: UInt8 = 2,
        padding: Int = 0,
        recordSize: UInt32 = 4_096
    ) throws -> [UInt8] {
        try seal(
            text,
            publicKey: keys.publicKey,
            authSecret: keys.authSecret,
            delimiter: delimiter,
            padding: padding,
            recordSize: recordSize
        )
    }

    /// The same for a browser of which only what its page says is known.
    static func seal(
        _ text: String,
        publicKey: Data,
        authSecret: Data,
        delimiter: UInt8 = 2,
        padding: Int = 0,
        recordSize: UInt32 = 4_096
    ) throws -> [UInt8] {
        let sender = P256.KeyAgreement.PrivateKey()
        let secret = try sender.sharedSecretFromKeyAgreement(
            with: try P256.KeyAgreement.PublicKey(x963Representation: publicKey)
        )
        let public65 = sender.publicKey.x963Representation
        let salt = Data((0..<16).map { UInt8($0) })
        let material = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: authSecret,
            sharedInfo: Data("WebPush: info\0".utf8) + publicKey + public65,
            outputByteCount: 32
        )
        let contentKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material,
            salt: salt,
            info: Data("Content-Encoding: aes128gcm\0".utf8),
            outputByteCount: 16
        )
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material,
            salt: salt,
            info: Data("Content-Encoding: nonce\0".utf8),
            outputByteCount: 12
        )
        let box = try AES.GCM.seal(
            Data(text.utf8) + [delimiter] + [UInt8](repeating: 0, count: padding),
            using: contentKey,
            nonce: try AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) })
        )
        let size = (0..<4).map { UInt8(truncatingIfNeeded: recordSize >> (24 - 8 * UInt32($0))) }
        return Array(salt) + size + [65] + Array(public65) + Array(box.ciphertext) + Array(box.tag)
    }
}
