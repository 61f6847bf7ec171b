import Foundation
import MartletCore

/// What APNs answered to one request (Apple, "Handling notification responses from APNs").
struct APNsAnswer: ServiceAnswer, Hashable {
    /// `:status`.
    var status: Int
    /// The body's `reason`.
    var reason: String?
    /// The body's `timestamp`: when the token ceased to be valid.
    var timestamp: Timestamp?
    /// The header `date`: the provider's clock.
    var date: Timestamp?
    /// The header `retry-after`; Apple documents none, a proxy may send it.
    var retryAfter: Duration?

    /// Whether it refuses without Apple's JSON: a proxy's word or another server's, which says nothing about a device or
    /// an app.
    var isForeign: Bool { (400..<500).contains(status) && reason == nil }

    var recordedReason: String { reason ?? "HTTP \(status)" }

    private struct Fields: Decodable {
        var reason: String?
        var timestamp: Int64?

        enum CodingKeys: CodingKey { case reason, timestamp }

        private static let head = Array(#"{"reason":""#.utf8)
        private static let middle = Array(#"","timestamp":"#.utf8)
        private static let end = Array(#""}"#.utf8)

        /// Apple's own form, `{"reason":"BadDeviceToken"}` with a timestamp or without, byte by byte: a decoder costs thirty
        /// times as much, and in a bad hour every answer has one.
        init?(plain body: [UInt8]) {
            guard body.starts(with: Self.head) else { return nil }
            let rest = body[Self.head.count...]
            let word = rest.prefix { ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) }
            let tail = rest[word.endIndex...]
            reason = String(decoding: word, as: UTF8.self)
            if tail.elementsEqual(Self.end) { return }
            let digits = tail.dropFirst(Self.middle.count).dropLast()
            guard tail.starts(with: Self.middle), tail.last == UInt8(ascii: "}"), (1...18).contains(digits.count),
                digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), digits.count == 1 || digits.first != 0x30
            else { return nil }
            timestamp = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }

        /// Whatever else it may be; what is no object at all, such as a proxy's page, is not worth a decoder.
        init?(any body: [UInt8]) {
            guard body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{"),
                let fields = try? JSONDecoder().decode(Fields.self, from: Data(body))
            else { return nil }
            self = fields
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            reason = try? container.decode(String.self, forKey: .reason)
            timestamp = try? container.decode(Int64.self, forKey: .timestamp)
        }
    }

    /// Reasons are single words; what is longer or not printable is cut, because it goes to the store and to logs. An
    /// empty one says nothing.
    private static func bounded(_ reason: String) -> String? {
        if reason.isEmpty { return nil }
        return String(decoding: reason.utf8.prefix(64).map { (0x21...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}

extension APNsAnswer: DatedAnswer {
    init(status: Int, body: [UInt8], date: String?, retryAfter: String?, now: Timestamp) {
        let fields = Fields(plain: body) ?? Fields(any: body)
        let date = date.flatMap(HTTPDate.parse)
        self.init(
            status: status,
            reason: fields?.reason.flatMap(Self.bounded),
            timestamp: fields?.timestamp.map(Timestamp.init(milliseconds:)),
            date: date,
            retryAfter: RetryAfter.delay(retryAfter, now: date ?? now)
        )
    }
}
