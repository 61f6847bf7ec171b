import Crypto
import Foundation
import MartletCore
import MartletWire
import Synchronization

/// The key that signs the requests of a day in a region, derived from a secret.
///
/// Deriving takes four HMACs: a caller may keep it by key id, day and region, until the key is revoked.
struct SigningKey: Sendable {
    /// The day that it is for: `20261121`.
    let day: String
    /// The region that it is for.
    let region: String
    private let key: SymmetricKey

    /// Derives the key of a scope.
    init(secret: String, scope: CredentialScope) {
        self.init(secret: secret, day: scope.day, region: scope.region)
    }

    /// Derives the key of a day and a region.
    init(secret: String, day: String, region: String) {
        self.day = day
        self.region = region
        var key = SymmetricKey(data: Data("AWS4\(secret)".utf8))
        for part in [day, region, "sns", "aws4_request"] {
            key = SymmetricKey(data: Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key)))
        }
        self.key = key
    }

    /// Whether these bytes are the signature of this text, in a time that does not depend on how many of them are.
    func isSignature(_ bytes: [UInt8], of text: String) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(bytes, authenticating: Data(text.utf8), using: key)
    }

    /// The signature of a text.
    func signature(of text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }
}

/// The keys derived from secrets, one for each access key, day and region that sign now.
final class SigningKeys: Sendable {
    private struct Name: Hashable {
        var row: RowID<StoredAccessKey>
        var day: String
        var region: String
    }

    /// How many are kept; one more, and it begins anew. Ours: a few hundred bytes each, and deriving one costs little.
    private static let limit = 256

    private let known = Mutex<[Name: SigningKey]>([:])

    /// The key of an access key that is in force.
    ///
    /// - Throws: `Failure` when its secret was sealed with another encryption key.
    func key(of access: StoredAccessKey, scope: CredentialScope, vault: Vault) throws(Failure) -> SigningKey {
        let name = Name(row: access.row, day: scope.day, region: scope.region)
        if let key = known.withLock({ $0[name] }) { return key }
        let secret = try vault.open(access.sealed, for: StoredAccessKey.purpose(of: access.id))
        let key = SigningKey(secret: String(decoding: secret, as: UTF8.self), scope: scope)
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known[name] = key
        }
        return key
    }
}

/// The time of a signature, in seconds: `20261121T091408Z` is how it is written into what is signed.
struct SigningTime: Hashable, Sendable, CustomStringConvertible {
    let timestamp: Timestamp

    /// A moment, its milliseconds dropped.
    init(_ moment: Timestamp) { timestamp = Timestamp(milliseconds: moment.seconds * 1000) }

    /// Reads the basic form of ISO 8601, as in `X-Amz-Date`; `nil` for any other.
    init?(basic text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let (date, clock) = ("\(part(0..<4))-\(part(4..<6))-\(part(6..<8))", "\(part(9..<11)):\(part(11..<13))")
        guard let time = UTCTime("\(date)T\(clock):\(part(13..<15))Z") else { return nil }
        timestamp = Timestamp(milliseconds: time.milliseconds)
    }

    /// Reads `Sat, 21 Nov 2026 09:14:08 GMT`, as in `Date` (RFC 9110, section 5.6.7), and with the `-0000` that botocore
    /// writes; `nil` for any other form. The day of the week is not compared.
    init?(http text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[1].utf8.count == 2,
            let month = months.firstIndex(of: parts[2]), parts[3].utf8.count == 4,
            ["GMT", "-0000", "+0000"].contains(parts[5])
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        guard let time = UTCTime("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z"), parts[4].utf8.count == 8 else {
            return nil
        }
        timestamp = Timestamp(milliseconds: time.milliseconds)
    }

    /// The day of it, as in a credential scope: `20261121`.
    var day: String { String(description.prefix(8)) }

    /// The basic form of ISO 8601.
    var description: String {
        UTCTime(timestamp).description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}

/// Hexadecimal digits.
enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two lower-case digits for each byte.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of digits of either case; `nil` for an odd number of them, or anything else.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// What a digit of either case is worth.
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
