import MartletCore
import MartletWire

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
        UTCTime(milliseconds: timestamp.rawValue).description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
