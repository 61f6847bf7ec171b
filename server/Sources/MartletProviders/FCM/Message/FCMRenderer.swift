import MartletCore
import MartletWire

/// The fields of a message's head that are the server's own: what is decided at rendering and needed when it is sent.
enum FCMHeader {
    /// The urgency that it was rendered with, as APNs' number.
    static let priority = "priority"
    /// When it is no longer worth delivering, in seconds since 1970: FCM wants the time that is left.
    static let expiresAt = "expires-at"
}

/// Renders submissions for FCM; a pure function.
enum FCMRenderer {
    /// The most bytes of names and values of data and notification (Google, "About FCM messages").
    static let limit = 4_096

    /// - Throws: `Failure` naming the field that FCM would refuse.
    static func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        guard !context.credentials.isEmpty else {
            throw Failure(
                .missingCredential,
                "The app has no FCM credential.",
                hint: "Store a service account for the app first."
            )
        }
        var message = try FCMMessage(submission)
        guard !isEmpty(message, submission) else {
            throw .invalid(
                "content",
                "The notification is empty: no title, body, badge or data.",
                hint: "Give a title or a body."
            )
        }
        var headers: [String: String] = [:]
        let priority = submission.priority ?? message.ownPriority
        headers[FCMHeader.priority] = String(priority.rawValue)
        setPriority(priority, isAsked: submission.priority != nil, of: &message)
        setExpiry(submission.expiry, of: &message, &headers)
        try setCollapse(submission, of: &message)
        try setBadge(submission, of: &message)
        setAppleHeaders(priority, of: &message)
        try setIDs(submission, context, of: &message)
        try check(message)
        return Message(
            platform: .fcm,
            headers: headers,
            payload: try message.payload(),
            isAlert: message.isShown,
            priority: priority
        )
    }

    /// Whether there is nothing in it for anybody. What says something to another platform only runs the app's code here:
    /// one platform's content must not stop a notification to devices of several.
    private static func isEmpty(_ message: FCMMessage, _ submission: Submission) -> Bool {
        let content = submission.content
        return !message.isWhole && !message.isShown && message.members["data"] == nil && content.badge == nil
            && content.subtitle == nil && content.sound == nil && submission.inboxBadge == nil
            && submission.badges.isEmpty && content.overrides.isEmpty
    }

    /// What shows nothing is never urgent at Apple (Apple, "Sending notification requests to APNs").
    private static func setAppleHeaders(_ priority: Priority, of message: inout FCMMessage) {
        let number = message.isShownByApple ? priority : .normal
        message.set(["apns", "headers", APNsHeader.priority], to: .string(number.apns), unlessThere: true)
        guard let type = message.applePushType else { return }
        message.set(["apns", "headers", APNsHeader.pushType], to: .string(type.rawValue), unlessThere: true)
    }

    /// HIGH passes Doze (FCM, "Set and manage Android message priority").
    private static func setPriority(_ priority: Priority, isAsked: Bool, of message: inout FCMMessage) {
        let isLeft = message.isWhole && !isAsked
        message.setPriority(priority, unlessThere: isLeft)
    }

    /// Absent and 0 differ: absent is FCM's four weeks, 0 means now or never.
    private static func setExpiry(
        _ expiry: Submission.Expiry,
        of message: inout FCMMessage,
        _ headers: inout [String: String]
    ) {
        switch expiry {
        case .provider: return
        case .immediate:
            message.setLifetime("0s")
            message.set(["apns", "headers", APNsHeader.expiration], to: "0")
            message.set(["webpush", "headers", "TTL"], to: "0")
        case .at(let moment):
            headers[FCMHeader.expiresAt] = String(moment.seconds)
            message.set(["apns", "headers", APNsHeader.expiration], to: .string(String(max(1, moment.seconds))))
            message.setLifetimePlace()
            message.setPlace(["webpush", "headers"], name: "TTL", .timeToLive, quote: "\"")
        }
    }

    /// Only a collapse id that was asked for is a collapse key: FCM keeps four of them for a device and holds pushes back
    /// that use one too often. A tag replaces what is shown, and costs nothing.
    private static func setCollapse(_ submission: Submission, of message: inout FCMMessage) throws(Failure) {
        guard let id = try APNsRenderer.collapseID(submission) else { return }
        if case .id = submission.collapse { message.setCollapseKey(id) }
        message.set(["apns", "headers", APNsHeader.collapseID], to: .string(id), unlessThere: true)
        guard message.isShown else { return }
        message.setTag(id)
    }

    private static func setBadge(_ submission: Submission, of message: inout FCMMessage) throws(Failure) {
        guard !message.isWhole else { return }
        let hasPlaces = !submission.badges.isEmpty || submission.inboxBadge != nil
        if hasPlaces {
            if message.isShown {
                message.setPlace(["android", "notification"], name: "notification_count", .badge)
            }
            message.setPlace(["apns", "payload", "aps"], name: "badge", .badge)
        } else if let badge = submission.content.badge, message.isShown {
            let path = ["android", "notification", "notification_count"]
            message.set(path, to: .integer(Int64(badge)), unlessThere: true)
        }
    }

    /// The ids by which the app reports on it and tells repetitions.
    private static func setIDs(
        _ submission: Submission,
        _ context: RenderContext,
        of message: inout FCMMessage
    ) throws(Failure) {
        let data = message.object("data")
        message.set(
            ["data", PayloadKey.messageID],
            to: .string(context.notification.description),
            unlessThere: true
        )
        guard submission.hasDeliveryID else { return }
        let key = APNsPayload.CustomKey.deliveryID
        guard data[key] == nil else {
            let path = message.isWhole ? "\(FCMOverride.path).message.data" : "data"
            throw .invalid("\(path).\(key)", "The key \(key) is given twice: by its own field too.")
        }
        message.setPlace(["data"], name: key, .deliveryID, quote: "\"")
    }

    private static func check(_ message: FCMMessage) throws(Failure) {
        let field = message.isWhole ? "\(FCMOverride.path).message" : "content"
        let count = message.countedBytes
        guard count <= limit else {
            throw Failure(
                .payloadTooLarge,
                "Data and notification have \(count) bytes; FCM takes at most \(limit).",
                hint: "Take away \(count - limit) bytes: shorten the body, or let the app load the data.",
                field: field
            )
        }
        guard let payload = message.object("apns")["payload"], let json = try? payload.json() else { return }
        guard json.count <= APNsPushType.alert.rules.payloadLimit else {
            throw Failure(
                .payloadTooLarge,
                "What devices of Apple get has \(json.count) bytes; APNs takes at most 4096.",
                field: field
            )
        }
    }
}

extension FCMMessage {
    /// The urgency where none is asked for: its own, or what APNs would have for the same.
    fileprivate var ownPriority: Priority {
        switch object("android")["priority"]?.stringValue {
        case "HIGH": .high
        case "NORMAL": .normal
        default: isShown ? .high : .normal
        }
    }

    /// Where Android's part stands: there may be one of two.
    private var android: String { members["android_v2"] == nil ? "android" : "android_v2" }

    fileprivate mutating func setPriority(_ priority: Priority, unlessThere: Bool) {
        // The second form says it by what it is.
        if android == "android" {
            let word: JSONValue = priority == .high ? "HIGH" : "NORMAL"
            set(["android", "priority"], to: word, unlessThere: unlessThere)
        }
        let urgency: JSONValue = priority == .high ? "high" : priority == .normal ? "normal" : "low"
        set(["webpush", "headers", "Urgency"], to: urgency, unlessThere: true)
    }

    fileprivate mutating func setLifetime(_ text: JSONValue) { set([android, "ttl"], to: text) }

    fileprivate mutating func setLifetimePlace() {
        setPlace([android], name: "ttl", .timeToLive, quote: "\"", unit: "s")
    }

    fileprivate mutating func setCollapseKey(_ id: String) {
        set([android, "collapse_key"], to: .string(id), unlessThere: true)
    }

    fileprivate mutating func setTag(_ id: String) {
        if android == "android" { set(["android", "notification", "tag"], to: .string(id), unlessThere: true) }
    }
}
