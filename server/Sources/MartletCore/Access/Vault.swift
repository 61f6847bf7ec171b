public import Crypto
import Foundation
import MartletWire

/// Seals provider credentials and shared secrets before they are stored (AES-256-GCM).
public struct Vault: Sendable {
    private let key: SymmetricKey

    /// A vault around the server's encryption key.
    public init(key: SymmetricKey) { self.key = key }

    /// A vault around a key given as text.
    ///
    /// - Throws: `Failure` when the text is not base64 of 32 bytes.
    public init(base64 text: String) throws(Failure) {
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else {
            throw Failure(
                .invalidValue,
                "The encryption key is not base64 of 32 bytes.",
                hint: "Make one with: openssl rand -base64 32"
            )
        }
        key = SymmetricKey(data: bytes)
    }

    /// Seals a secret for one purpose; the result holds nonce, ciphertext and tag.
    ///
    /// - Parameter purpose: what it belongs to, such as `credential/<app>/apns`; opening needs the same text, so that
    ///   a row copied elsewhere does not open.
    public func seal(_ secret: [UInt8], for purpose: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(secret, using: key, authenticating: Array(purpose.utf8))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return Array(combined)
    }

    /// Seals so that the same secret gives the same bytes, for what is found again by its sealed form. Whoever has two of
    /// them sees whether their secrets are the same, and nothing else.
    ///
    /// The nonce is a MAC of purpose and secret under a key of its own, as in RFC 5297: another secret has another one.
    public func sealRepeatably(_ secret: [UInt8], for purpose: String) throws -> [UInt8] {
        let nonceKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key,
            info: Data("martlet repeatable nonce".utf8),
            outputByteCount: 32
        )
        // The purpose's length in front, so that no two pairs are the same bytes.
        let bytes = Array("\(purpose.utf8.count):\(purpose)".utf8) + secret
        let mac = HMAC<SHA256>.authenticationCode(for: bytes, using: nonceKey)
        let nonce = try AES.GCM.Nonce(data: Array(mac).prefix(12))
        let box = try AES.GCM.seal(secret, using: key, nonce: nonce, authenticating: Array(purpose.utf8))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return Array(combined)
    }

    /// Opens what was sealed for the same purpose.
    ///
    /// - Throws: `Failure` with ``ErrorCode/internalError`` when the key, the purpose or the bytes are not the same.
    public func open(_ sealed: [UInt8], for purpose: String) throws(Failure) -> [UInt8] {
        do {
            return Array(
                try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: Array(purpose.utf8))
            )
        } catch {
            throw Failure(
                .internalError,
                "A stored secret cannot be decrypted with this encryption key.",
                hint: "Start the server with the MARTLET_ENCRYPTION_KEY it was stored with, or store the secret again."
            )
        }
    }
}
