import Crypto
import Foundation

/// The keys of a simulated browser's subscription (RFC 8291 section 2).
struct UserAgentKeys: Sendable {
    let privateKey: P256.KeyAgreement.PrivateKey
    /// 16 random bytes.
    let authSecret: Data

    init() {
        privateKey = P256.KeyAgreement.PrivateKey()
        authSecret = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
    }

    /// Known keys, for vectors.
    init(privateKey: Data, authSecret: Data) throws {
        self.privateKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
        self.authSecret = authSecret
    }

    /// `p256dh`: the uncompressed point.
    var publicKey: Data { privateKey.publicKey.x963Representation }
}

/// Why a browser cannot open a message.
enum DecryptionFailure: String, Error, Equatable {
    case tooShort = "the body is shorter than a header and an empty record"
    case keyID = "the key id is not an uncompressed point on P-256"
    case recordSize = "the record size is below 18"
    case secondRecord = "there is more than one record"
    case authentication = "the record does not authenticate"
    case padding = "the record has no delimiter of a last record"
}

extension UserAgentKeys {
    /// RFC 8188 section 2: salt, record size, length of the key id.
    private static let saltSize = 16, headerSize = 21
    private static let pointSize = 65, tagSize = 16
    /// The delimiter of the last record (RFC 8188 section 2).
    private static let lastRecord: UInt8 = 2

    /// Opens a body of content encoding `aes128gcm`, which must be one record (RFC 8291 section 4), as Chromium holds it
    /// to be.
    func open(_ body: [UInt8]) throws(DecryptionFailure) -> [UInt8] {
        guard body.count >= Self.headerSize else { throw .tooShort }
        let salt = body[..<Self.saltSize]
        let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let keyIDSize = Int(body[20])
        let start = Self.headerSize + keyIDSize
        guard recordSize >= Self.tagSize + 2 else { throw .recordSize }
        guard body.count > start + Self.tagSize else { throw .tooShort }
        guard keyIDSize == Self.pointSize,
            let sender = try? P256.KeyAgreement.PublicKey(x963Representation: body[Self.headerSize..<start])
        else { throw .keyID }
        let record = body[start...]
        guard record.count <= recordSize else { throw .secondRecord }
        let (key, nonce) = try derive(from: sender, salt: Data(salt))
        let tagStart = record.endIndex - Self.tagSize
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce,
                ciphertext: record[..<tagStart],
                tag: record[tagStart...]
            ), let padded = try? AES.GCM.open(box, using: key)
        else { throw .authentication }
        guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == Self.lastRecord else { throw .padding }
        return Array(padded[..<end])
    }

    /// The record's key and nonce (RFC 8291 section 3.4).
    private func derive(
        from sender: P256.KeyAgreement.PublicKey,
        salt: Data
    ) throws(DecryptionFailure) -> (key: SymmetricKey, nonce: [UInt8]) {
        guard let secret = try? privateKey.sharedSecretFromKeyAgreement(with: sender) else { throw .keyID }
        let material = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret.withUnsafeBytes { SymmetricKey(data: Data($0)) },
            salt: authSecret,
            info: Data("WebPush: info\0".utf8) + publicKey + sender.x963Representation,
            outputByteCount: 32
        )
        func expand(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material,
                salt: salt,
                info: Data("Content-Encoding: \(name)\0".utf8),
                outputByteCount: count
            )
        }
        return (expand("aes128gcm", 16), expand("nonce", 12).withUnsafeBytes { Array($0) })
    }
}
