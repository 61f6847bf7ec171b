import Crypto
import Foundation

/// A key for clients of the SNS API: an id that requests name, and a secret that signs them.
package struct AccessKey: Sendable {
    /// 20 characters: `MKIA` and 16 of A–Z and 2–7, 80 bits.
    package let id: String
    /// 40 characters of base64, 240 bits. It is shown once and kept encrypted: signatures cannot be verified with a hash
    /// of it.
    package let secret: String

    /// Makes a new one.
    package init() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        id = "MKIA" + String(decoding: Self.random(16).map { alphabet[Int($0 & 31)] }, as: UTF8.self)
        secret = Data(Self.random(30)).base64EncodedString()
    }

    /// Whether a text could be an access key's id: 16 to 128 letters, digits and underscores, as AWS documents it.
    package static func isID(_ text: String) -> Bool {
        (16...128).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || $0 == UInt8(ascii: "_")
            }
    }

    /// Bytes of the system's generator for keys.
    private static func random(_ count: Int) -> [UInt8] {
        SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Array($0) }
    }
}

extension AccessKey: CustomStringConvertible, CustomReflectable {
    /// The id alone.
    package var description: String { id }

    /// Nothing that a dump could show of the secret.
    package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
