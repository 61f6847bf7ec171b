import Foundation
import MartletCore
import MartletWire

/// A message on its way from a submission to what is sent.
struct FCMMessage {
    /// Its members without the target.
    private(set) var members: [String: JSONValue]
    /// Whether FCM only looks at it.
    private(set) var isValidatedOnly = false
    /// Whether the sender gave it whole.
    let isWhole: Bool
    private var places: [String: HoledJSON.Place] = [:]

    /// The message of a submission before urgency, lifetime and ids.
    ///
    /// - Throws: `Failure` naming the field that FCM would refuse.
    init(_ submission: Submission) throws(Failure) {
        let content = submission.content
        switch try FCMOverride(content.overrides[.fcm]) {
        case .none:
            members = try Self.rendered(content)
            isWhole = false
        case .changes(let changes):
            members = FCMOverride.merge(changes, over: try Self.rendered(content))
            isWhole = false
            // The sound of a notification that was taken away would make another one.
            let isAsked = changes["android"]?.objectValue?["notification"] != nil
            if !isShown, !isAsked { Self.remove(["android", "notification"], in: &members) }
        case .message(let message, let isValidatedOnly):
            members = message
            self.isValidatedOnly = isValidatedOnly
            isWhole = true
        }
        if object("apns")["live_activity_token"] != nil {
            let path = isWhole ? "\(FCMOverride.path).message" : FCMOverride.path
            try APNsPayload.checkLiveActivity(aps, path: "\(path).apns.payload.aps")
        }
    }

    /// Whether the system draws something: without it the app's own code is run.
    var isShown: Bool { !(members["notification"]?.objectValue ?? [:]).isEmpty || !androidNotification.isEmpty }

    /// What a push of it is to devices of Apple, as APNs' own renderer has it; `nil` where that is left to FCM: a Live
    /// Activity, and a whole message that neither shows nor wakes anything there.
    var applePushType: APNsPushType? {
        if object("apns")["live_activity_token"] != nil { return nil }
        if isShownByApple { return .alert }
        return aps["content-available"] == 1 ? .background : nil
    }

    /// Whether devices of Apple show it, or have a badge or a sound of it: Android's own notification is nothing to them.
    var isShownByApple: Bool {
        !object("notification").isEmpty || places["message.apns.payload.aps"] != nil
            || ["alert", "badge", "sound"].contains { (aps[$0] ?? .null) != .null }
    }

    private var aps: [String: JSONValue] {
        object("apns")["payload"]?.objectValue?["aps"]?.objectValue ?? [:]
    }

    private var androidNotification: [String: JSONValue] {
        let notification = object("android")["notification"]?.objectValue ?? [:]
        return notification.filter { ["title", "body", "title_loc_key", "body_loc_key"].contains($0.key) }
    }

    /// A member that is an object; empty where it is not there.
    func object(_ name: String) -> [String: JSONValue] { members[name]?.objectValue ?? [:] }

    /// Sets a member by its path; those on the way are made.
    mutating func set(_ path: [String], to value: JSONValue, unlessThere: Bool = false) {
        Self.set(path[...], to: value, in: &members, unlessThere: unlessThere)
    }

    private static func set(
        _ path: ArraySlice<String>,
        to value: JSONValue,
        in members: inout [String: JSONValue],
        unlessThere: Bool
    ) {
        guard let name = path.first else { return }
        if path.count == 1 {
            if !unlessThere || members[name] == nil { members[name] = value }
            return
        }
        var inner = members[name]?.objectValue ?? [:]
        set(path.dropFirst(), to: value, in: &inner, unlessThere: unlessThere)
        members[name] = .object(inner)
    }

    /// Takes a member away, as that which is there in place of it is a hole.
    mutating func setPlace(_ path: [String], name: String, _ kind: Payload.Kind, quote: String = "", unit: String = "")
    {
        var inner = path + [name]
        set(inner, to: .null)
        Self.remove(inner[...], in: &members)
        inner.removeLast()
        let key = (["message"] + inner).joined(separator: ".")
        places[key] = .init(kind: kind, before: "\"\(name)\":\(quote)", after: unit + quote)
    }

    private static func remove(_ path: ArraySlice<String>, in members: inout [String: JSONValue]) {
        guard let name = path.first else { return }
        if path.count == 1 {
            members[name] = nil
            return
        }
        guard var inner = members[name]?.objectValue else { return }
        remove(path.dropFirst(), in: &inner)
        members[name] = .object(inner)
    }

    /// What FCM counts against its limit: names and values of data and notification (Google, "About FCM messages"), and
    /// to be sure those of Android's own, at their largest.
    var countedBytes: Int {
        let holes =
            (places["message.data"] == nil ? 0 : "delivery_id".utf8.count + 36)
            + (places["message.android.notification"] == nil ? 0 : "notification_count".utf8.count + 10)
        return Self.countedBytes(of: members) + holes
    }

    /// The same of a message without holes.
    static func countedBytes(of members: [String: JSONValue]) -> Int {
        let android = members["android"]?.objectValue ?? [:]
        let own = [android["notification"], members["notification"]].compactMap { $0?.objectValue }
        let data = max(
            count(members["data"]?.objectValue ?? [:]),
            count(android["data"]?.objectValue ?? [:])
        )
        return own.reduce(data) { $0 + count($1) }
    }

    private static func count(_ members: [String: JSONValue]) -> Int {
        members.reduce(0) { sum, member in
            let value = member.value.stringValue?.utf8.count ?? (try? member.value.json())?.count ?? 0
            return sum + member.key.utf8.count + value
        }
    }

    /// What is sent: the target is the message's first member.
    func payload() throws(Failure) -> Payload {
        var places = places
        places["message"] = .init(kind: .target, before: "", after: "")
        var request: [String: JSONValue] = ["message": .object(members)]
        if isValidatedOnly { request["validate_only"] = true }
        do {
            return try HoledJSON.payload(.object(request), places: places)
        } catch {
            throw .invalid("content", "The message has a number that JSON cannot hold.")
        }
    }
}

extension FCMMessage {
    /// What a notification says, in FCM's words.
    private static func rendered(_ content: Content) throws(Failure) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        var values = content.data
        for (key, value) in [("deep_link", content.deepLink), ("image_url", content.image)] {
            guard let value else { continue }
            guard values.updateValue(.string(value), forKey: key) == nil else {
                throw .invalid("data.\(key)", "The key \(key) is given twice: in data and by its own field.")
            }
        }
        let data = try FCMShape.texts(.object(values), path: "data", isData: true).mapValues {
            $0 == .null ? "null" : $0
        }
        if !data.isEmpty { members["data"] = .object(data) }
        if content.title != nil || content.body != nil {
            members["notification"] = object([
                "title": content.title.map(JSONValue.string), "body": content.body.map(JSONValue.string),
                "image": content.image.map(JSONValue.string),
            ])
            if let sound = content.sound { members["android"] = ["notification": ["sound": .string(sound)]] }
        }
        if let badge = content.badge {
            guard (0...Int(Int32.max)).contains(badge) else {
                throw .invalid("badge", "A badge is a whole number, 0 or more.")
            }
        }
        members["apns"] = try apns(content)
        if let link = content.deepLink, link.lowercased().hasPrefix("https://") {
            members["webpush"] = ["fcm_options": ["link": .string(link)]]
        }
        return members
    }

    /// What devices of Apple get beside data and notification, from the same renderer as APNs': `aps`, and those of the
    /// app's own values that are no texts, in their own form.
    private static func apns(_ content: Content) throws(Failure) -> JSONValue {
        var own = content
        own.overrides = [:]
        var payload = try APNsPayload(own, isLiveActivity: false)
        if payload.isShown { payload.allowChanges() } else { payload.set("content-available", in: 1) }
        let members = payload.members.filter { $0.key == "aps" || $0.value.stringValue == nil }
        var apns: [String: JSONValue] = ["payload": .object(members)]
        if let image = content.image { apns["fcm_options"] = ["image": .string(image)] }
        return .object(apns)
    }

    /// The members that are there.
    private static func object(_ members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues(\.self))
    }
}
