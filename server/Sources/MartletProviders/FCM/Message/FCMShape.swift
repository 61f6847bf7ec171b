import MartletCore
import MartletWire

/// What a member of a message may be (fcm.v1.json of 2026-10-23, with the limits of Google's reference).
indirect enum FCMShape: Sendable {
    case text
    case flag
    case integer
    case number
    /// One of these words.
    case word([String])
    /// Seconds as a text such as `3.5s`, at most so many.
    case duration(most: Int64?)
    case texts
    case durations
    /// Texts by name; other values become JSON text.
    case values
    /// The app's own values by name, without the names that are Google's.
    case data
    /// An object that Google hands on.
    case free
    /// 1 to 50 of the characters that an analytics label has.
    case label
    /// `#rrggbb`.
    case color
    /// An address of https.
    case link
    /// A time of RFC 3339.
    case time
    case parts([String: FCMShape])

    /// A message without its target.
    static let message = parts([
        "data": .data, "notification": .parts(["title": .text, "body": .text, "image": .text]), "android": android,
        "android_v2": androidV2, "apns": apns, "webpush": webpush, "fcm_options": options,
    ])

    /// The longest time that FCM keeps a message: four weeks.
    static let longestLife: Int64 = 2_419_200

    private static let options = parts(["analytics_label": .label])

    private static let anyAndroid: [String: FCMShape] = [
        "collapse_key": .text, "ttl": .duration(most: longestLife), "restricted_package_name": .text, "data": .data,
        "fcm_options": options, "direct_boot_ok": .flag, "bandwidth_constrained_ok": .flag,
        "restricted_satellite_ok": .flag,
    ]

    private static let android = parts(
        anyAndroid.merging(["priority": .word(["NORMAL", "HIGH"]), "notification": androidNotification]) { $1 }
    )

    /// The second form, which has no priority: it says what kind of message it is.
    private static let androidV2 = parts(
        anyAndroid.merging(["remote_notification": remoteNotification, "background_sync": .parts([:])]) { $1 }
    )

    private static let remoteNotification = parts([
        "notification": .parts(anyNotification.merging(["id": .integer]) { $1 }), "mutable_content": .flag,
        "use_as_v1_data_message": .flag,
    ])

    private static let anyNotification: [String: FCMShape] = [
        "title": .text, "body": .text, "icon": .text, "color": .color, "sound": .text, "tag": .text,
        "click_action": .text, "body_loc_key": .text, "body_loc_args": .texts, "title_loc_key": .text,
        "title_loc_args": .texts, "channel_id": .text, "ticker": .text, "sticky": .flag, "event_time": .time,
        "local_only": .flag,
        "notification_priority": .word(
            [
                "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH",
                "PRIORITY_MAX",
            ]
        ),
        "default_sound": .flag, "default_vibrate_timings": .flag, "default_light_settings": .flag,
        "vibrate_timings": .durations, "visibility": .word(["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]),
        "notification_count": .integer, "light_settings": lights, "image": .text,
    ]

    private static let androidNotification = parts(
        anyNotification.merging([
            "proxy": .word(["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
            "bypass_proxy_notification": .flag,
        ]) { $1 }
    )

    private static let lights = parts([
        "color": .parts(["red": .number, "green": .number, "blue": .number, "alpha": .number]),
        "light_on_duration": .duration(most: nil), "light_off_duration": .duration(most: nil),
    ])

    private static let apns = parts([
        "headers": .values, "payload": .free, "live_activity_token": .text,
        "fcm_options": .parts(["analytics_label": .label, "image": .text]),
    ])

    private static let webpush = parts([
        "headers": .values, "data": .data, "notification": .free,
        "fcm_options": .parts(["link": .link, "analytics_label": .label]),
    ])
}

extension FCMShape {
    /// A value in the form in which it is sent: names in snake_case, data as texts.
    ///
    /// - Parameter isWhole: whether it stands by itself: `null` is a text in data then, and elsewhere as if it were not
    ///   there. For what is laid over another value it stays, to remove that.
    /// - Throws: `Failure` naming the member that FCM would refuse.
    func canonical(_ value: JSONValue, path: String, isWhole: Bool) throws(Failure) -> JSONValue {
        if value == .null { return .null }
        switch self {
        case .parts(let parts): return try Self.canonical(value, parts: parts, path: path, isWhole: isWhole)
        case .data:
            let texts = try Self.texts(value, path: path, isData: true)
            return .object(isWhole ? texts.mapValues { $0 == .null ? "null" : $0 } : texts)
        case .values:
            let texts = try Self.texts(value, path: path, isData: false)
            return .object(isWhole ? texts.filter { $0.value != .null } : texts)
        default: break
        }
        guard isFit(value) else { throw .invalid(path, "It is not \(expected).") }
        return value
    }

    private static func canonical(
        _ value: JSONValue,
        parts: [String: FCMShape],
        path: String,
        isWhole: Bool
    ) throws(Failure) -> JSONValue {
        guard let members = value.objectValue else { throw .invalid(path, "It is not an object.") }
        var found: [String: JSONValue] = [:]
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            let name = snakeCase(key)
            let field = "\(path).\(key.prefix(64))"
            guard let shape = parts[name] else {
                throw Failure(.unknownField, "FCM has no member \(key.prefix(64)) here.", field: field)
            }
            if isWhole, value == .null { continue }
            let canonical = try shape.canonical(value, path: field, isWhole: isWhole)
            guard found.updateValue(canonical, forKey: name) == nil else {
                throw .invalid(field, "The member \(name) is duplicated.")
            }
        }
        for name in ["title", "body"] where parts["\(name)_loc_args"] != nil {
            guard let arguments = found["\(name)_loc_args"], arguments != .null else { continue }
            guard (found["\(name)_loc_key"] ?? .null) != .null else {
                throw .invalid("\(path).\(name)_loc_args", "The member \(name)_loc_args needs \(name)_loc_key.")
            }
        }
        return .object(found)
    }

    /// Both spellings count at FCM, as in every API of Google (protobuf, JSON mapping).
    private static func snakeCase(_ key: String) -> String {
        key.reduce(into: "") { name, character in
            guard let letter = character.asciiValue, (0x41...0x5A).contains(letter) else {
                return name.append(character)
            }
            name += "_" + character.lowercased()
        }
    }

    /// Values by name as texts; those of data without the names that are Google's.
    static func texts(_ value: JSONValue, path: String, isData: Bool) throws(Failure) -> [String: JSONValue] {
        guard let members = value.objectValue else { throw .invalid(path, "It is not an object.") }
        var texts: [String: JSONValue] = [:]
        for (key, value) in members {
            if isData, let prefix = reserved(key) {
                throw .invalid(
                    "\(path).\(key.prefix(64))",
                    "The key is reserved: FCM refuses \(prefix).",
                    hint: "Give the value another name."
                )
            }
            texts[key] = try text(value, path: "\(path).\(key.prefix(64))")
        }
        return texts
    }

    /// What FCM refuses as a key of data (Google, "Message", data); `nil` for a key that it takes.
    private static func reserved(_ key: String) -> String? {
        if ["from", "gcm", "message_type"].contains(key) { return "\"\(key)\"" }
        return ["google", "gcm.notification."].first { key.hasPrefix($0) }.map { "names that begin with \"\($0)\"" }
    }

    private static func text(_ value: JSONValue, path: String) throws(Failure) -> JSONValue {
        switch value {
        case .string, .null: return value
        default:
            guard let json = try? value.json() else { throw .invalid(path, "It has a number that JSON cannot hold.") }
            return .string(String(decoding: json, as: UTF8.self))
        }
    }
}

extension FCMShape {
    private func isFit(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.text, .string), (.flag, .bool), (.free, .object): true
        case (.number, _): value.doubleValue != nil
        case (.integer, _): value.integerValue.flatMap { Int32(exactly: $0) } != nil
        case (.word(let words), .string(let text)): words.contains(text)
        case (.duration(let most), .string(let text)): Self.isDuration(text, most: most)
        case (.texts, .array(let values)): values.allSatisfy { $0.stringValue != nil }
        case (.durations, .array(let values)):
            values.allSatisfy { $0.stringValue.map { Self.isDuration($0, most: nil) } ?? false }
        case (.label, .string(let text)): Self.isLabel(text)
        case (.color, .string(let text)):
            text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy(\.isHexDigit)
        case (.time, .string(let text)): Self.isTime(text)
        case (.link, .string(let text)): text.lowercased().hasPrefix("https://")
        default: false
        }
    }

    private var expected: String {
        switch self {
        case .text: "a text"
        case .flag: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .word(let words): "one of \(words.joined(separator: ", "))"
        case .duration(let most): most.map { "a duration from \"0s\" to \"\($0)s\"" } ?? "a duration such as \"3.5s\""
        case .texts: "an array of texts"
        case .durations: "an array of durations such as \"3.5s\""
        case .label: "a label of 1 to 50 of the characters A–Z, a–z, 0–9 and - _ . ~ %"
        case .color: "a colour of the form #rrggbb"
        case .link: "an address of https"
        case .time: "a time such as 2026-03-01T12:00:00Z"
        case .values, .data, .free, .parts: "an object"
        }
    }

    /// Seconds with at most nine decimals and an `s` (protobuf, JSON mapping of Duration).
    private static func isDuration(_ text: String, most: Int64?) -> Bool {
        guard text.hasSuffix("s") else { return false }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }),
            parts[0].utf8.count <= 12, let seconds = Int64(parts[0])
        else { return false }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.utf8.count <= 9 else { return false }
        return most.map { seconds < $0 || seconds == $0 && fraction.allSatisfy { $0 == "0" } } ?? true
    }

    /// RFC 3339 with capital letters and at most nine decimals, in the years 1 to 9999 (protobuf, JSON mapping of
    /// Timestamp).
    private static func isTime(_ text: String) -> Bool {
        guard let year = Int(text.prefix(4)), year > 0, text.utf8.prefix(4).allSatisfy(isDigit),
            !text.utf8.contains(UInt8(ascii: "t")), !text.utf8.contains(UInt8(ascii: "z")),
            text.drop(while: { $0 != "." }).dropFirst().prefix(while: { $0.isNumber }).count <= 9
        else { return false }
        // The calendar repeats every 400 years, and `UTCTime` begins in 1970: the year 1 is read as 2001, which began
        // at 978,307,200.
        guard year < 2_000 else { return UTCTime(text) != nil }
        let time = UTCTime("\(year + 2_000)\(text.dropFirst(4))")
        return time.map { $0.milliseconds >= 978_307_200_000 } ?? false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLabel(_ text: String) -> Bool {
        (1...50).contains(text.utf8.count) && FCMToken.isPlain(text) && !text.contains(":")
    }
}
