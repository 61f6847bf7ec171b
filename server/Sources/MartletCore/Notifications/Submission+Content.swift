import Foundation
import MartletWire

extension Submission {
    /// Refuses what shows nothing on any phone and carries nothing to the app: an empty text comes of a variable that was
    /// not set. A push type of its own says that it is meant, and Amazon SNS takes such a message to a topic.
    ///
    /// - Throws: `Failure` naming the content.
    package func validateContent() throws(Failure) {
        guard pushType == nil || pushType == "alert", !recordsRefusals, badges.isEmpty, inboxBadge == nil,
            content.isEmpty
        else { return }
        throw .invalid(
            "content",
            "The notification is empty: no title, body, badge, sound or data.",
            hint: "Give a title or a body; for other kinds of push name the push_type."
        )
    }
}

extension Content {
    /// Whether there is nothing in it for a person or the app.
    fileprivate var isEmpty: Bool {
        [title, subtitle, body, image, deepLink, sound].allSatisfy { $0?.isBlank ?? true } && badge == nil
            && data.isEmpty && overrides.allSatisfy { Self.isEmpty($1, at: $0) }
    }

    /// Whether what only one platform gets shows nothing and carries nothing.
    private static func isEmpty(_ override: JSONValue, at platform: Platform) -> Bool {
        guard var members = override.objectValue else { return override.isBlank(under: "") }
        // A text that is no JSON, or longer than a payload may be, the provider judges.
        if platform != .fcm, let text = members["text"]?.stringValue, text.utf8.count <= 8_192,
            let payload = try? JSONValue(json: Data(text.utf8))
        {
            members["text"] = nil
            members["payload"] = payload
        }
        // It may be meant: Wallet's is one.
        if platform == .apns, let payload = members["payload"], payload == [:] || payload == ["aps": [:]] {
            return false
        }
        return JSONValue.object(members).isBlank(under: "")
    }
}

extension JSONValue {
    /// Whether it is made of blank texts, empty objects, and what only says how a push is shown or delivered.
    ///
    /// - Parameter name: the member that it is the value of.
    fileprivate func isBlank(under name: String) -> Bool {
        switch self {
        case .null: return true
        case .string(let text): return text.isBlank
        case .array(let elements): return elements.allSatisfy { $0.isBlank(under: name) }
        case .bool, .integer, .number, .decimal: return false
        case .object(let members):
            switch name {
            case "data": return members.isEmpty
            // Beside these two are the app's own values, whatever they are called.
            case "payload":
                return members.allSatisfy { key, value in
                    value.isBlank(under: ["aps", "notification"].contains(key) ? key : "data")
                }
            default:
                return members.allSatisfy { key, value in
                    Self.styling.contains(key.lowercased().filter(\.isLetter)) || value.isBlank(under: key)
                }
            }
        }
    }

    /// What shows and carries nothing by itself: letters alone, because FCM takes both `channel_id` and `channelId`.
    private static let styling: Set = [
        "category", "filtercriteria", "interruptionlevel", "launchimage", "mutablecontent", "relevancescore",
        "targetcontentid", "threadid",
        "analyticslabel", "bandwidthconstrainedok", "bypassproxynotification", "channelid", "clickaction",
        "collapsekey", "color", "defaultlightsettings", "defaultsound", "defaultvibratetimings", "directbootok",
        "eventtime", "headers", "icon", "lightsettings", "link", "liveactivitytoken", "localonly",
        "notificationpriority", "priority", "proxy", "restrictedpackagename", "restrictedsatelliteok", "sticky", "tag",
        "ticker", "ttl", "urgency", "validateonly", "vibratetimings", "visibility",
        "actions", "dir", "lang", "renotify", "requireinteraction", "silent", "vibrate",
    ]
}

extension String {
    /// Whether nothing of it is seen: white space and characters without a shape.
    package var isBlank: Bool {
        unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }

    /// The text, unless nothing of it is seen.
    package var shown: String? { isBlank ? nil : self }
}
