import Foundation
import MartletCore
import MartletWire

/// What FCM answered to one request (Google, "ErrorCode", and google.rpc.Status).
struct FCMAnswer: ServiceAnswer, Hashable {
    /// `:status`.
    var status: Int
    /// The error's `status`, such as `NOT_FOUND`; `nil` where there is no error object.
    var error: String?
    /// The error's `message`; it is looked at, and never stored or logged.
    var message: String?
    /// `errorCode` of the detail `FcmError`.
    var errorCode: String?
    /// The fields that the detail `BadRequest` names.
    var fields: Set<String> = []
    /// The subjects that the detail `QuotaFailure` names.
    var quotaSubjects: [String] = []
    /// The header `date`: the provider's clock.
    var date: Timestamp?
    /// The header `retry-after`, or the detail `RetryInfo`.
    var retryAfter: Duration?

    private mutating func read(_ detail: [String: JSONValue]) {
        switch detail["@type"]?.stringValue?.split(separator: ".").last {
        case "FcmError": errorCode = detail["errorCode"]?.stringValue.map(Self.bounded)
        case "BadRequest": fields.formUnion(Self.texts("field", in: detail["fieldViolations"]))
        case "QuotaFailure": quotaSubjects += Self.texts("subject", in: detail["violations"])
        case "RetryInfo":
            // A duration such as "12s" or "3.5s" (protobuf, JSON mapping).
            let seconds = detail["retryDelay"]?.stringValue.flatMap { Double($0.dropLast($0.hasSuffix("s") ? 1 : 0)) }
            if retryAfter == nil, let seconds, seconds > 0 {
                let longest = Double(RetryAfter.longest.components.seconds)
                retryAfter = .seconds(Int64(min(seconds, longest).rounded(.up)))
            }
        default: break
        }
    }

    private static func texts(_ name: String, in list: JSONValue?) -> [String] {
        guard case .array(let entries)? = list else { return [] }
        return entries.prefix(32).compactMap { $0.objectValue?[name]?.stringValue }
    }

    var recordedReason: String { errorCode ?? error ?? "HTTP \(status)" }

    /// Whether it refuses without Google's JSON: a proxy's word or another server's.
    var isForeign: Bool { error == nil }

    /// Words are cut and made printable, because they go to the store and to logs.
    static func bounded(_ reason: String) -> String {
        if reason.isEmpty { return "UNKNOWN" }
        return String(decoding: reason.utf8.prefix(64).map { (0x21...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}

extension FCMAnswer: DatedAnswer {
    init(status: Int, body: [UInt8], date: String?, retryAfter: String?, now: Timestamp) {
        let date = date.flatMap(HTTPDate.parse)
        // A date is the provider's: where it says what time it is there, that counts.
        self.init(status: status, date: date, retryAfter: RetryAfter.delay(retryAfter, now: date ?? now))
        guard status >= 300, let root = (try? JSONValue(json: Data(body)))?.objectValue,
            let members = root["error"]?.objectValue
        else { return }
        error = Self.bounded(members["status"]?.stringValue ?? "UNKNOWN")
        message = members["message"]?.stringValue
        guard case .array(let details)? = members["details"] else { return }
        // Google sends a handful; what comes from elsewhere is bounded.
        for detail in details.prefix(32).compactMap(\.objectValue) { read(detail) }
    }
}
