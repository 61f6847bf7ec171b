import MartletCore
import MartletWire

/// Renders submissions for APNs; a pure function.
enum APNsRenderer {
    /// `apns-collapse-id` has at most 64 bytes (Apple, "Sending notification requests to APNs").
    static let collapseIDLimit = 64

    /// The payload, and the header fields that are the same for every device.
    ///
    /// - Throws: `Failure` naming the field that Apple would refuse.
    static func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        let asked = try pushType(submission.pushType)
        var payload = try APNsPayload(submission.content, isLiveActivity: asked == .liveactivity)
        if !submission.badges.isEmpty || submission.inboxBadge != nil { payload.addUserBadges() }
        guard let type = asked ?? payload.impliedPushType else {
            // What says something to another platform alone must not be stopped by this one.
            guard submission.content.overrides.keys.allSatisfy({ $0 == .apns }) else {
                return .unsent(.apns, reason: WebPushRenderer.nothingToShow)
            }
            throw .invalid(
                "content",
                "The notification is empty: no title, body, badge, sound or data.",
                hint: "Give a title or a body; for other kinds of push name the push_type."
            )
        }
        try payload.fit(type)
        if type == .alert, payload.isUserBadgeAlone, !submission.namesAllBadges { throw emptyPush }
        if type != .mdm {
            if submission.hasDeliveryID { try payload.addDeliveryID() }
            payload.add(messageID: context.notification, limit: type.rules.payloadLimit)
        }
        try checkCredentials(context.credentials, for: type)
        var headers = try topic(submission.topic, type: type, credentials: context.credentials)
        headers[APNsHeader.pushType] = type.rawValue
        let priority = try priority(submission.priority, type: type)
        headers[APNsHeader.priority] = priority.apns
        headers[APNsHeader.expiration] = try expiration(submission.expiry, type: type)
        headers[APNsHeader.collapseID] = try collapseID(submission)
        return Message(
            platform: .apns,
            headers: headers,
            payload: try checked(payload, type: type),
            isAlert: type == .alert,
            priority: priority
        )
    }

    private static func pushType(_ name: String?) throws(Failure) -> APNsPushType? {
        guard let name else { return nil }
        if let type = APNsPushType(rawValue: name) { return type }
        throw .invalid(
            "push_type",
            "APNs has no push type \"\(name.prefix(64))\".",
            hint: "There are: \(APNsPushType.allCases.map(\.rawValue).joined(separator: ", "))."
        )
    }

    /// What a push would be for a user whose badge is not named, where nothing else is shown.
    private static var emptyPush: Failure {
        .invalid(
            "badge.by_user",
            "Users who are not named would get an empty notification.",
            hint: "Give a title or a body, or a badge for each user of the audience."
        )
    }

    /// The payload, whose size is within the limit whatever fills its holes: no delivery fails for it later.
    private static func checked(_ payload: APNsPayload, type: APNsPushType) throws(Failure) -> Payload {
        let rendered = try payload.rendered()
        let count = rendered.largestCount
        let limit = type.rules.payloadLimit
        guard count <= limit else {
            throw Failure(
                .payloadTooLarge,
                "The rendered payload has \(grouped(count)) bytes; APNs takes at most \(grouped(limit)).",
                hint: "Take away \(grouped(count - limit)) bytes: shorten the body, or let the app load the data.",
                field: payload.isRaw ? "\(APNsOverride.path).payload" : "content"
            )
        }
        return rendered
    }

    private static func checkCredentials(_ credentials: [CredentialSummary], for type: APNsPushType) throws(Failure) {
        guard !credentials.isEmpty else {
            throw Failure(
                .missingCredential,
                "The app has no APNs credential.",
                hint: "Store a .p8 key or a certificate for the app first."
            )
        }
        switch type.rules.authentication {
        case .any: break
        case .tokenOnly:
            guard credentials.contains(where: { $0.kind == .token }) else {
                throw .invalid("push_type", "A \(type.rawValue) push needs a .p8 key; the app has certificates only.")
            }
        case .certificateOnly:
            guard credentials.contains(where: { $0.kind == .certificate }) else {
                throw .invalid("push_type", "An \(type.rawValue) push needs a certificate; the app has .p8 keys only.")
            }
        }
    }

    private static func topic(
        _ asked: String?,
        type: APNsPushType,
        credentials: [CredentialSummary]
    ) throws(Failure) -> [String: String] {
        let suffix = type.rules.topicSuffix
        guard let asked else { return [APNsHeader.topicSuffix: suffix] }
        let topics = Set(credentials.map(\.topic))
        if let topic = topics.first(where: { asked == $0 || asked == $0 + suffix }) {
            return topics.count == 1 ? [APNsHeader.topicSuffix: suffix] : [APNsHeader.topic: topic + suffix]
        }
        // A signing key is good for all apps of its team; a certificate names the topics that it is good for.
        guard credentials.contains(where: { $0.kind == .token }), let topic = foreignTopic(asked, suffix: suffix) else {
            let allowed = topics.sorted().map { $0 + suffix }.joined(separator: ", ")
            throw .invalid(
                "topic",
                "The topic \"\(asked.prefix(128))\" is not the app's.",
                hint: "Leave topic out, or use: \(allowed). With a .p8 key it may be another bundle id of the team."
            )
        }
        return [APNsHeader.topic: topic]
    }

    /// The topic of another app of the team, with the push type's suffix; `nil` for what is no bundle id, or has the
    /// suffix of another push type.
    private static func foreignTopic(_ asked: String, suffix: String) -> String? {
        let bundle = !suffix.isEmpty && asked.hasSuffix(suffix) ? String(asked.dropLast(suffix.count)) : asked
        let others = APNsPushType.allCases.map(\.rules.topicSuffix).filter { !$0.isEmpty }
        // Apple, "CFBundleIdentifier": letters, digits, hyphens and periods; a field's value of 255 bytes is ours.
        let isBundleID = (1...255).contains(bundle.utf8.count) && bundle.utf8.allSatisfy(isOfBundleID)
        guard isBundleID, !others.contains(where: bundle.hasSuffix) else { return nil }
        return bundle + suffix
    }

    private static func isOfBundleID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func priority(_ asked: Priority?, type: APNsPushType) throws(Failure) -> Priority {
        let rules = type.rules
        guard let asked else { return rules.defaultPriority }
        guard rules.priorities.contains(asked) else {
            let allowed = rules.priorities.sorted().map(\.apns).joined(separator: " or ")
            throw .invalid("priority", "A \(type.rawValue) push has priority \(allowed), not \(asked.apns).")
        }
        return asked
    }

    /// Absent and 0 differ: absent leaves it to Apple, 0 means to try once and store nothing.
    private static func expiration(_ expiry: Submission.Expiry, type: APNsPushType) throws(Failure) -> String? {
        let required = type.rules.expiration.map { String($0) }
        switch expiry {
        case .provider: return required
        case .immediate: return "0"
        case .at(let moment):
            guard required == nil else {
                throw .invalid("expires_at", "A \(type.rawValue) push is tried once: it has no expiry.")
            }
            // Not 0, which would mean something else.
            return String(max(1, moment.seconds))
        }
    }

    static func collapseID(_ submission: Submission) throws(Failure) -> String? {
        guard let id = submission.collapseID else { return nil }
        let field = submission.collapse == .byDedupKey ? "dedup.key" : "collapse_id"
        guard (1...collapseIDLimit).contains(id.utf8.count) else {
            throw .invalid(field, "A collapse id has 1 to \(collapseIDLimit) bytes; this one has \(id.utf8.count).")
        }
        // RFC 9113, section 8.2.1: a field's value neither starts nor ends with a space.
        guard id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), id.utf8.first != 0x20, id.utf8.last != 0x20 else {
            throw .invalid(
                field,
                "A collapse id is printable ASCII and neither starts nor ends with a space.",
                hint: field == "dedup.key" ? "Change the dedup key, or name another collapse_id." : nil
            )
        }
        return id
    }

    /// A number with a comma at the thousands.
    private static func grouped(_ number: Int) -> String {
        let rest = String(number % 1_000)
        guard number >= 1_000 else { return rest }
        return grouped(number / 1_000) + "," + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
