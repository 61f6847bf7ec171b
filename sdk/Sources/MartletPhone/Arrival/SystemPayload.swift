import Foundation
import MartletWire
import UserNotifications

/// What the system reads of a payload: the `aps` dictionary (Apple, "Generating a remote notification").
struct SystemPayload: Equatable {
    /// What shows; without title, body and attachments nothing does.
    var content = ContentRecord()
    /// Whether there is an alert with a text.
    var hasAlert = false
    /// Whether the service extension may change it.
    var isMutable = false
    /// Whether the app is to be told in the background.
    var isContentAvailable = false

    /// Reads a payload; members of a wrong type count as absent, as the system passes over them.
    init(_ payload: Data) {
        content.userInfo = PayloadRecord(json: payload)
        guard case .object(let members)? = try? JSONValue(json: payload), case .object(let aps)? = members["aps"] else {
            return
        }
        switch aps["alert"] {
        case .string(let text): content.body = text
        case .object(let alert):
            content.title = alert["title"].text ?? ""
            content.subtitle = alert["subtitle"].text ?? ""
            content.body = alert["body"].text ?? ""
        default: break
        }
        hasAlert = content.hasAlert
        content.badge = aps["badge"].number.flatMap { Int(exactly: $0) }
        if case .object(let sound)? = aps["sound"] {
            content.sound = sound["name"].text
        } else {
            content.sound = aps["sound"].text
        }
        content.categoryIdentifier = aps["category"].text ?? ""
        content.threadIdentifier = aps["thread-id"].text ?? ""
        content.targetContentIdentifier = aps["target-content-id"].text
        content.relevanceScore = aps["relevance-score"].number ?? 0
        let levels: [String: UInt] = ["passive": 0, "active": 1, "time-sensitive": 2, "critical": 3]
        content.interruptionLevel = aps["interruption-level"].text.flatMap { levels[$0] } ?? 1
        isMutable = aps["mutable-content"].number == 1
        isContentAvailable = aps["content-available"].number == 1
    }
}

extension JSONValue? {
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    fileprivate var number: Double? {
        self?.doubleValue
    }
}

extension ContentRecord {
    /// Whether there is a text to show.
    var hasAlert: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }
}
