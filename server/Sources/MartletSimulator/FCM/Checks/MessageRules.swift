/// Whom a message is for.
enum FCMTarget: Equatable {
    case token(String)
    case fid(String)
    case topic(String)
    case condition(String)

    /// The token or FID.
    var device: String? {
        switch self {
        case .token(let text), .fid(let text): text
        case .topic, .condition: nil
        }
    }
}

/// What FCM documents of a message beyond its types: one target, names of data, times, sizes.
struct MessageRules {
    let message: JSONTree

    /// The longest that a message is kept, in seconds: four weeks.
    static let longestLife = 2_419_200.0
    /// Bytes of data and notification, names and values: to devices, and to topics and conditions.
    static let sizeLimit = 4_096, topicSizeLimit = 2_048

    /// The message's only target.
    func target() throws(FCMError) -> FCMTarget {
        var found: [(name: String, target: FCMTarget)] = []
        let kinds: [(String, (String) -> FCMTarget)] = [
            ("fid", FCMTarget.fid), ("token", FCMTarget.token), ("topic", FCMTarget.topic),
            ("condition", FCMTarget.condition),
        ]
        for (name, make) in kinds {
            if let text = message[name]?.text { found.append((name, make(text))) }
        }
        guard let first = found.first else {
            throw FCMError(.invalidArgument, "Recipient of the message is not set.")
        }
        if found.count > 1 {
            throw Self.invalid(
                "message",
                "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set '\(found[1].name)'"
            )
        }
        // Since 2026 `token` takes FIDs too.
        if case .token(let text) = first.target, FCMRegistry.isWellFormedFID(text) { return .fid(text) }
        return first.target
    }

    /// The rules of the members, in the order of the interface's description.
    func check(_ target: FCMTarget) throws(FCMError) {
        try checkData(message["data"], at: "message.data")
        try checkLabel(message, at: "message")
        if case .topic(let topic) = target {
            try require(
                topic.utf8.allSatisfy(Self.isTopicByte) && !topic.isEmpty,
                "message.topic",
                "Invalid topic name"
            )
        }
        if let android = message["android"] ?? message["android_v2"] {
            if message["android"] != nil, message["android_v2"] != nil {
                throw Self.invalid("message.android_v2", "Only one of android and android_v2 can be set")
            }
            try checkAndroid(android, at: message["android"] == nil ? "message.android_v2" : "message.android")
        }
        if let apns = message["apns"] { try checkLabel(apns, at: "message.apns") }
        if let webpush = message["webpush"] {
            try checkLabel(webpush, at: "message.webpush")
            if let link = webpush["fcm_options"]?["link"]?.text {
                try require(link.hasPrefix("https://"), "message.webpush.fcm_options.link", "The link must be https")
            }
        }
    }

    /// The size of data and notification.
    func checkSize(_ target: FCMTarget) throws(FCMError) {
        let limit = target.device == nil ? Self.topicSizeLimit : Self.sizeLimit
        if size > limit {
            throw FCMError(.tooBig, "Message is too big: \(size) bytes, at most \(limit)")
        }
    }

    /// Bytes of the names and values of data and notification; Android's own replace the common ones.
    var size: Int {
        let android = message["android"]
        let notification = (message["notification"]?.members ?? []) + (android?["notification"]?.members ?? [])
        let data = android?["data"]?.members ?? message["data"]?.members ?? []
        return (notification + data).reduce(0) { sum, member in
            sum + member.name.utf8.count + (member.value.text ?? member.value.json).utf8.count
        }
    }

    private func checkAndroid(_ android: JSONTree, at path: String) throws(FCMError) {
        try checkData(android["data"], at: "\(path).data")
        try checkLabel(android, at: path)
        if let life = android["ttl"]?.text.flatMap(FCMDuration.init) {
            let isAllowed = (0...Self.longestLife).contains(life.seconds)
            try require(isAllowed, "\(path).ttl", "TTL must be from 0 to 2419200 seconds")
        }
        guard let notification = android["notification"] else { return }
        if let color = notification["color"]?.text {
            let digits = color.utf8.dropFirst()
            let isColor = color.hasPrefix("#") && digits.count == 6 && digits.allSatisfy(\.isHexDigit)
            try require(isColor, "\(path).notification.color", "The color must be as #rrggbb")
        }
        for name in ["title", "body"] where notification["\(name)_loc_args"] != nil {
            let hasKey = notification["\(name)_loc_key"] != nil
            let field = "\(path).notification.\(name)_loc_key"
            try require(hasKey, field, "\(name)_loc_key is required when \(name)_loc_args is set")
        }
    }

    private static let reserved: Set = ["from", "message_type", "gcm"]

    /// Names that FCM keeps for itself: `from`, `message_type`, `gcm` and what begins with `google` or
    /// `gcm.notification.`.
    private func checkData(_ data: JSONTree?, at path: String) throws(FCMError) {
        for (index, member) in (data?.members ?? []).enumerated() {
            let name = member.name
            let isReserved =
                Self.reserved.contains(name) || name.hasPrefix("google")
                || name.hasPrefix("gcm.notification.")
            try require(!isReserved, "\(path)[\(index)].key", "Invalid data payload key: \(name)")
        }
    }

    private func checkLabel(_ holder: JSONTree, at path: String) throws(FCMError) {
        guard let label = holder["fcm_options"]?["analytics_label"]?.text else { return }
        let isLabel = (1...50).contains(label.utf8.count) && label.utf8.allSatisfy(Self.isTopicByte)
        try require(isLabel, "\(path).fcm_options.analytics_label", "Invalid analytics label")
    }

    /// `[A-Za-z0-9-_.~%]`
    private static func isTopicByte(_ byte: UInt8) -> Bool {
        byte.isDigit || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
            || "-_.~%".utf8.contains(byte)
    }

    private func require(
        _ holds: Bool,
        _ field: @autoclosure () -> String,
        _ description: @autoclosure () -> String
    ) throws(FCMError) {
        if !holds { throw Self.invalid(field(), description()) }
    }

    private static func invalid(_ field: String, _ description: String) -> FCMError {
        FCMError(.invalidArgument, violation: FieldViolation(field: field, description: description))
    }
}
