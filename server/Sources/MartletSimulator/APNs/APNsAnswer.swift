import Foundation
import MartletTransport
import NIOCore

/// The answer to a push, as Apple words it.
struct APNsAnswer: Equatable {
    var status: Int
    var reason: String?
    /// For 410, milliseconds since 1970.
    var timestamp: Int64?
    /// The `apns-id` of the request, or a new one.
    var id: String
    /// `apns-unique-id`, which only the sandbox gives.
    var uniqueID: String?

    init(_ verdict: Verdict, to request: APNsRequest, environment: APNsEnvironment) {
        if let refusal = verdict.refusal {
            status = refusal.reason.status
            reason = refusal.reason.rawValue
            timestamp = refusal.timestamp
        } else {
            status = 200
            if environment == .sandbox { uniqueID = AnswerID.make() }
        }
        if let given = request.id, APNsCheck.isUUID(given) { id = given } else { id = AnswerID.make() }
    }

    /// Replaces what the checks say by what a rule says.
    mutating func become(status: Int, reason: String?, timestamp: Int64?, now: Int64) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp ?? (status == 410 ? now : nil)
        if status != 200 { uniqueID = nil }
    }

    func headers(date: String) -> [HTTP2Header] {
        var headers = [HTTP2Header("apns-id", id, isIndexed: false), HTTP2Header("date", date)]
        if let uniqueID { headers.append(HTTP2Header("apns-unique-id", uniqueID, isIndexed: false)) }
        return headers
    }

    /// `{"reason":…}` with the timestamp of a 410; `nil` without a reason.
    var body: ByteBuffer? {
        guard let reason else { return nil }
        let time = timestamp.map { #","timestamp":\#($0)"# } ?? ""
        return ByteBuffer(string: #"{"reason":\#(Self.quoted(reason))\#(time)}"#)
    }

    /// The text as a JSON string.
    static func quoted(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0.isDigit || ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")) }) {
            return "\"\(text)\""
        }
        return (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
