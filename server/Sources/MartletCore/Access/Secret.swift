import Crypto

/// A random secret that the server hands out once and afterwards knows only by its hash.
public struct Secret: Sendable {
    /// The text that the holder keeps: a prefix and 43 characters of base64url, 256 bits.
    public let text: String

    /// Makes a new one.
    ///
    /// - Parameter prefix: what it starts with, so that people and scanners recognise it, such as `mk_send_`.
    public init(prefix: String) {
        let key = SymmetricKey(size: .bits256)
        text = prefix + key.withUnsafeBytes { Secret.base64URL(Array($0)) }
    }

    /// What is stored of it.
    public var hash: SecretHash { SecretHash(of: text) }

    /// Bytes as unpadded base64url (RFC 4648, section 5).
    public static func base64URL(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for index in 0...group.count { text.append(alphabet[Int(bits >> UInt32(18 - 6 * index)) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// SHA-256 of a secret. A plain hash is enough because the secret itself has 256 random bits: there is nothing to guess.
public struct SecretHash: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// The hash of what somebody presents.
    public init(of text: String) { bytes = Array(SHA256.hash(data: Array(text.utf8))) }

    /// A hash read back from the store.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Compares in a time that does not depend on where the two differ.
    public func matches(_ other: SecretHash) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        return zip(bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
