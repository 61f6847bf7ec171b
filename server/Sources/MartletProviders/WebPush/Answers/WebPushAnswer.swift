import Foundation
import MartletCore

/// What a push service answered to one request.
struct WebPushAnswer: ServiceAnswer, Hashable {
    /// The status.
    var status: Int
    /// Apple's `reason`.
    var reason: String?
    /// Mozilla's `errno`.
    var errno: Int?
    /// The beginning of the body, for services that answer in prose.
    var text = ""
    /// How long to wait.
    var retryAfter: Duration?
    /// Microsoft's `X-WNS-NotificationStatus`, in lower case.
    var notificationStatus: String?
    /// Whether the body is said to be HTML.
    var isHTML = false

    /// The header fields that an answer is judged by.
    static let fields = ["retry-after", "x-wns-notificationstatus", "content-type"]
    /// How much of a body is looked at.
    static let textLimit = 1_024

    /// Whether the body is a page for people, such as that of a proxy: no service answers so.
    var isPage: Bool {
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(9).lowercased()
        // Whatever a field says, JSON is no page, and neither is prose.
        if isHTML, !start.hasPrefix("{"), text.contains("<") { return true }
        return ["<html", "<!doctype", "<!--", "<?xml"].contains(where: start.hasPrefix)
    }

    /// No service has a form that all its refusals have.
    var isForeign: Bool { false }

    var recordedReason: String { reason ?? errno.map { "errno \($0)" } ?? "HTTP \(status)" }

    /// A reason goes to the store and to logs: letters and digits only.
    private static func word(_ text: String) -> String? {
        let isWord = text.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) }
        return isWord && (1...64).contains(text.utf8.count) ? text : nil
    }

    private struct Fields: Decodable {
        var reason: String?
        var errno: Int?

        enum CodingKeys: CodingKey { case reason, errno }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            reason = try? container.decode(String.self, forKey: .reason)
            errno = try? container.decode(Int.self, forKey: .errno)
        }
    }
}

extension WebPushAnswer {
    /// An answer as it came; what cannot be read of it counts as absent.
    init(status: Int, body: [UInt8], now: Timestamp, field: (String) -> String?) {
        let fields = body.first == UInt8(ascii: "{") ? try? JSONDecoder().decode(Fields.self, from: Data(body)) : nil
        self.init(
            status: status,
            reason: fields?.reason.flatMap(Self.word),
            errno: fields?.errno.flatMap { (0...9_999).contains($0) ? $0 : nil },
            text: String(decoding: body.prefix(Self.textLimit), as: UTF8.self),
            retryAfter: RetryAfter.delay(field("retry-after"), now: now),
            notificationStatus: field("x-wns-notificationstatus")?.lowercased(),
            isHTML: field("content-type")?.lowercased().hasPrefix("text/html") ?? false
        )
    }
}
