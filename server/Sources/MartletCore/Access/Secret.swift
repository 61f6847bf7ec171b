import Crypto

/// A random secret that the server hands out once and afterwards knows only by its hash.
public struct Secret: Sendable {
    /// The text that the holder keeps: a prefix and its bits as base64url, 43 characters for 256 and 22 for 128.
    public let text: String

    /// Makes a new one.
    ///
    /// - Parameters:
    ///   - prefix: what it starts with, so that people and scanners recognise it, such as `mk_send_`.
    ///   - bits: 256; 128 for what lives hours and stands in a link or a cookie.
    public init(prefix: String, bits: Int = 256) {
        let key = SymmetricKey(size: SymmetricKeySize(bitCount: bits))
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

/// SHA-256 of a secret. A plain hash is enough because the secret itself has 128 random bits at least: there is nothing to
/// guess.
public struct SecretHash: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// The hash of what somebody presents.
    public init(of text: String) { self.init(hashing: Array(text.utf8)) }

    /// The hash of what is kept.
    package init(hashing secret: [UInt8]) { bytes = Array(SHA256.hash(data: secret)) }

    /// A hash read back from the store.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Compares in a time that does not depend on where the two differ.
    public func matches(_ other: SecretHash) -> Bool { isSecretlyEqual(bytes, other.bytes) }
}

/// Compares bytes in a time that depends on their number alone, not on where the two differ.
package func isSecretlyEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
