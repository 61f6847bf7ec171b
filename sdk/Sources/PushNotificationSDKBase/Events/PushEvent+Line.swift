package import Foundation
import MartletWireBase

/// The form in which an event is stored and spooled: one line, its columns in a fixed order and a tab between them.
///
/// A launch reads up to 1,000 of them, and the extension has little memory: a JSON decoder takes a hundred times as long.
extension PushEvent {
    /// The first column: what the line is. Other forms get other letters.
    private static let form = UInt8(ascii: "1")
    /// The longest text that is kept of one column, as the server's interface has it for the longest one.
    private static let longestText = 4096
    private static let escape = UInt8(ascii: "\\")
    private static let tab = UInt8(ascii: "\t")

    /// The event as one line, without its end.
    package var line: Data {
        var line: [UInt8] = [Self.form]
        line.reserveCapacity(384)
        for text in [id.uuidString, type.rawValue, String(time)] { Self.append(text, to: &line) }
        for (_, value) in columns { Self.append(value, to: &line) }
        return Data(line)
    }

    /// About how many bytes the event has in a request.
    package var size: Int {
        columns.reduce(256) { $0 + ($1.value?.utf8.count ?? 0) }
    }

    /// The columns that may be empty, by name.
    package var columns: [(name: String, value: String?)] {
        [
            ("message_id", message.messageID), ("campaign_id", message.campaignID), ("request_id", message.requestID),
            ("value", value), ("user_id", context.userID), ("installation_id", context.installationID),
            ("apns_token", context.apnsToken), ("fcm_token", context.fcmToken),
            ("device_model", context.deviceModel), ("os_version", context.osVersion),
            ("app_version", context.appVersion),
        ]
    }

    /// Reads what ``line`` wrote; `nil` for anything else.
    package init?(line: Data) {
        self.init(bytes: Array(line)[...])
    }

    init?(bytes: ArraySlice<UInt8>) {
        var texts = bytes.split(separator: Self.tab, omittingEmptySubsequences: false).map(Self.text)[...]
        guard texts.count == 15, texts.removeFirst() == "1",
            let id = texts.removeFirst().flatMap(UUID.init(uuidString:)),
            let type = texts.removeFirst().flatMap(EventType.init(rawValue:)),
            let time = texts.removeFirst().flatMap({ Int64($0) })
        else { return nil }
        self.init(id: id, type: type, time: time)
        message.messageID = texts.removeFirst()
        message.campaignID = texts.removeFirst()
        message.requestID = texts.removeFirst()
        value = texts.removeFirst()
        context.userID = texts.removeFirst()
        context.installationID = texts.removeFirst()
        context.apnsToken = texts.removeFirst()
        context.fcmToken = texts.removeFirst()
        context.deviceModel = texts.removeFirst()
        context.osVersion = texts.removeFirst()
        context.appVersion = texts.removeFirst()
    }

    /// No text is an empty column; an empty text is a lone escape.
    private static func append(_ text: String?, to line: inout [UInt8]) {
        line.append(tab)
        guard let text else { return }
        if text.isEmpty { line.append(escape) }
        var kept = text.utf8.count <= longestText ? text : String(text.prefix(longestText / 4))
        kept.withUTF8 { bytes in
            // As a rule nothing is escaped.
            guard bytes.contains(where: { $0 == escape || $0 == tab || $0 == UInt8(ascii: "\n") }) else {
                return line.append(contentsOf: bytes)
            }
            for byte in bytes {
                switch byte {
                case escape: line += [escape, escape]
                case tab: line += [escape, UInt8(ascii: "t")]
                case UInt8(ascii: "\n"): line += [escape, UInt8(ascii: "n")]
                default: line.append(byte)
                }
            }
        }
    }

    private static func text(_ column: ArraySlice<UInt8>) -> String? {
        guard !column.isEmpty else { return nil }
        guard column.contains(escape) else { return String(decoding: column, as: UTF8.self) }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in column {
            guard isEscaped else {
                if byte == escape { isEscaped = true } else { bytes.append(byte) }
                continue
            }
            isEscaped = false
            switch byte {
            case UInt8(ascii: "t"): bytes.append(tab)
            case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
