import Crypto
import Foundation

/// What the primitives of one message to a browser cost (RFC 8291), done with the library alone.
enum SealingCost {
    private static let messages = 5_000

    /// CPU microseconds a message: a key, the agreement, the keys derived from it, the encryption.
    static func microseconds(_ bytes: Int) throws -> Double {
        let receiver = P256.KeyAgreement.PrivateKey().publicKey
        let plaintext = [UInt8](repeating: 120, count: bytes)
        let auth = [UInt8](repeating: 1, count: 16)
        var sum = 0
        let before = CPUTime.ofSelf
        for _ in 0..<messages {
            sum += try sealed(plaintext, for: receiver, auth: auth)
        }
        let seconds = CPUTime.ofSelf - before
        guard sum > messages * bytes else { throw BenchmarkError("nothing was sealed") }
        return seconds * 1_000_000 / Double(messages)
    }

    private static func sealed(
        _ plaintext: [UInt8],
        for receiver: P256.KeyAgreement.PublicKey,
        auth: [UInt8]
    ) throws -> Int {
        let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        let sender = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        let secret = try sender.sharedSecretFromKeyAgreement(with: receiver)
        let info = Array(receiver.x963Representation) + Array(sender.publicKey.x963Representation)
        let input = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: auth,
            sharedInfo: info,
            outputByteCount: 32
        )
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
        let extracted = HKDF<SHA256>.extract(inputKeyMaterial: input, salt: salt)
        let key = HKDF<SHA256>.expand(pseudoRandomKey: extracted, info: [1], outputByteCount: 16)
        let nonce = HKDF<SHA256>.expand(pseudoRandomKey: extracted, info: [2], outputByteCount: 12)
        let box = try nonce.withUnsafeBytes { try AES.GCM.seal(plaintext, using: key, nonce: AES.GCM.Nonce(data: $0)) }
        return box.ciphertext.count + box.tag.count
    }
}
