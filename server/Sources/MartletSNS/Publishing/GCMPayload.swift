import Foundation
import MartletCore
import MartletWire

/// What a publisher writes for `GCM`, in the words of FCM's present interface: the text has either a message of that
/// interface under `fcmV1Message`, or a message of the one before it (Amazon SNS, "Sending Google Firebase Cloud
/// Messaging v1 payloads"; Google, "Migrate from legacy FCM APIs to HTTP v1"). A pure value.
struct GCMPayload: Hashable, Sendable {
    /// The message without a target.
    var message: [String: JSONValue]
    /// Whether FCM only looks at it.
    var isValidatedOnly: Bool

    /// Why a text is none.
    struct Malformed: Error, Hashable {
        /// The member that it is about.
        var member: String
    }

    /// What Amazon makes of a plain text.
    init(plain text: String) {
        message = ["data": ["default": .string(text)]]
        isValidatedOnly = false
    }

    /// Translates a text.
    ///
    /// - Throws: `Malformed` for what is no JSON object, names its own recipients, or has a member of another type.
    init(_ text: String) throws(Malformed) {
        guard let members = (try? JSONValue(json: Data(text.utf8)))?.objectValue else { throw Malformed(member: "") }
        if let present = members["fcmV1Message"] {
            try self.init(present: present)
        } else {
            try self.init(legacy: members)
        }
    }

    /// What the submission asks FCM's renderer for.
    var override: JSONValue {
        var members: [String: JSONValue] = ["message": .object(message)]
        if isValidatedOnly { members["validate_only"] = true }
        return .object(members)
    }

    private init(present: JSONValue) throws(Malformed) {
        guard let members = present.objectValue else { throw Malformed(member: "fcmV1Message") }
        guard var message = members["message"]?.objectValue else { throw Malformed(member: "fcmV1Message.message") }
        // The endpoint says which device it is.
        for target in ["token", "fid", "topic", "condition"] { message[target] = nil }
        // Recipients of the interface before, which the present one does not know.
        for target in ["to", "registration_ids"] where message[target] != nil {
            throw Malformed(member: "fcmV1Message.message.\(target)")
        }
        self.message = message
        let asked = members["validate_only"] ?? members["validateOnly"]
        isValidatedOnly = try Self.flag(asked, "fcmV1Message.validate_only") ?? false
    }

    private init(legacy members: [String: JSONValue]) throws(Malformed) {
        for target in ["to", "registration_ids", "condition"] where members[target] != nil {
            throw Malformed(member: target)
        }
        var message: [String: JSONValue] = [:]
        var android = try Self.android(members)
        var aps: [String: JSONValue] = [:]
        if let data = members["data"], data != .null {
            guard data.objectValue != nil else { throw Malformed(member: "data") }
            message["data"] = data
        }
        if let notification = members["notification"], notification != .null {
            guard let words = notification.objectValue else { throw Malformed(member: "notification") }
            let shown = words.filter { ["title", "body", "image"].contains($0.key) && $0.value != .null }
            if !shown.isEmpty { message["notification"] = .object(shown) }
            let own = try Self.androidNotification(words)
            if !own.isEmpty { android["notification"] = .object(own) }
            if let badge = words["badge"].flatMap(Self.number) { aps["badge"] = .integer(badge) }
        }
        if try Self.flag(members["content_available"], "content_available") ?? false { aps["content-available"] = 1 }
        if try Self.flag(members["mutable_content"], "mutable_content") ?? false { aps["mutable-content"] = 1 }
        if !android.isEmpty { message["android"] = .object(android) }
        if !aps.isEmpty { message["apns"] = ["payload": ["aps": .object(aps)]] }
        if let options = members["fcm_options"]?.objectValue { message["fcm_options"] = .object(options) }
        self.message = message
        isValidatedOnly = try Self.flag(members["dry_run"], "dry_run") ?? false
    }

    private static func android(_ members: [String: JSONValue]) throws(Malformed) -> [String: JSONValue] {
        var android: [String: JSONValue] = [:]
        for name in ["collapse_key", "restricted_package_name"] {
            guard let value = members[name], value != .null else { continue }
            guard value.stringValue != nil else { throw Malformed(member: name) }
            android[name] = value
        }
        if let priority = members["priority"], priority != .null {
            guard let word = priority.stringValue?.uppercased(), ["HIGH", "NORMAL"].contains(word) else {
                throw Malformed(member: "priority")
            }
            android["priority"] = .string(word)
        }
        if let life = members["time_to_live"], life != .null {
            guard let seconds = number(life), seconds >= 0 else { throw Malformed(member: "time_to_live") }
            android["ttl"] = .string("\(seconds)s")
        }
        return android
    }

    /// The names of the interface before that `android.notification` has too; others meant nothing to Android.
    private static let androidNames: Set = [
        "android_channel_id", "channel_id", "icon", "sound", "tag", "color", "click_action", "body_loc_key",
        "body_loc_args", "title_loc_key", "title_loc_args", "ticker", "sticky", "event_time", "local_only",
        "notification_priority", "default_sound", "default_vibrate_timings", "default_light_settings",
        "vibrate_timings", "visibility", "notification_count", "light_settings",
    ]

    private static func androidNotification(
        _ words: [String: JSONValue]
    ) throws(Malformed) -> [String: JSONValue] {
        var own: [String: JSONValue] = [:]
        for (name, value) in words where androidNames.contains(name) && value != .null {
            // The list of arguments was JSON within a text as well.
            let isList = name.hasSuffix("_loc_args")
            let read = isList ? value.stringValue.flatMap { try? JSONValue(json: Data($0.utf8)) } : nil
            own[name == "android_channel_id" ? "channel_id" : name] = read ?? value
        }
        return own
    }

    private static func flag(_ value: JSONValue?, _ member: String) throws(Malformed) -> Bool? {
        switch value {
        case nil, .null?: return nil
        case .bool(let flag)?: return flag
        case .integer(0)?, .string("false")?: return false
        case .integer(1)?, .string("true")?: return true
        default: throw Malformed(member: member)
        }
    }

    /// A whole number, which clients of the interface before wrote as a text too.
    private static func number(_ value: JSONValue) -> Int64? {
        value.integerValue ?? value.stringValue.flatMap { Int64($0) }
    }
}
