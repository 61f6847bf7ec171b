import MartletCore
import MartletWire

extension PublishedMessage {
    /// What an app's people get: the payload of the app's own platform word, or the text in a payload of the simplest
    /// form.
    ///
    /// - Parameters:
    ///   - kind: which of SNS's platforms the app is.
    ///   - person: what the message asks of people's preferences and inboxes.
    ///   - recordsRefusals: whether a payload that the provider would refuse is recorded instead of thrown.
    /// - Returns: `nil` when the message has no text for this platform.
    func submission(
        of text: PublishedText,
        to audience: Audience,
        app: App,
        kind: PlatformApplication.Kind,
        person: PersonRequest,
        now: Timestamp,
        recordsRefusals: Bool
    ) -> Submission? {
        guard let own = text.text(for: kind) else { return nil }
        let expiry = mobile.expiry(for: kind, now: now)
        let content = content(own, of: text, kind: kind)
        return Submission(
            app: app,
            audience: audience,
            content: content,
            category: person.category,
            inbox: person.inbox.map { item($0, of: own, saying: content, kind: kind) },
            pushType: kind.isApple ? mobile.pushType ?? kind.pushType : nil,
            topic: kind.isApple ? mobile.topic : nil,
            priority: kind.isApple ? mobile.priority : nil,
            collapse: mobile.collapseID.map(Submission.Collapse.id) ?? .byDedupKey,
            dedup: person.dedup,
            expiry: expiry,
            retry: expiry == .immediate ? .once : .standard,
            message: filtered(text),
            recordsRefusals: recordsRefusals
        )
    }

    private func content(
        _ own: PublishedText.PlatformText,
        of text: PublishedText,
        kind: PlatformApplication.Kind
    ) -> Content {
        // For people to read; what the device gets stands in the override.
        var content = Content(title: subject, body: text.defaultText.map(Self.excerpt))
        if kind.isApple {
            let payload =
                switch own {
                case .payload(let text): text
                case .plain(let text): Self.alert(text)
                }
            content.overrides[.apns] = ["text": .string(payload)]
        } else if kind.isGoogle {
            content.overrides[.fcm] = Self.fcm(own)
        }
        return content
    }

    /// What FCM's renderer is asked for; of a text that cannot be translated something that it refuses, so that the message
    /// ends as one with any other payload that is malformed.
    private static func fcm(_ own: PublishedText.PlatformText) -> JSONValue {
        switch own {
        case .payload(let text): (try? GCMPayload(text))?.override ?? ["message": "malformed"]
        case .plain(let text): GCMPayload(plain: text).override
        }
    }

    /// How much of a message operators and inboxes have. Ours: a screenful, and half of what an inbox item may have.
    private static func excerpt(_ text: String) -> String {
        var excerpt = text.prefix(1_000)
        while excerpt.utf8.count > InboxDraft.contentLimit / 2 { excerpt = excerpt.prefix(excerpt.count / 2) }
        return String(excerpt)
    }

    /// What Amazon makes of a plain text for APNs.
    private static func alert(_ text: String) -> String {
        var payload = JSONText()
        payload.write(literal: "{\"aps\":{\"alert\":")
        payload.write(text)
        payload.write(literal: "}}")
        return payload.text
    }
}

extension RetryPolicy {
    /// Now or never: what a time to live of 0 means.
    fileprivate static let once: RetryPolicy = {
        var policy = RetryPolicy.standard
        policy.maxAttempts = 1
        return policy
    }()
}

extension SNSError {
    /// A refusal of a push to one endpoint.
    ///
    /// - Parameter kind: the endpoint's platform.
    static func refusal(of failure: Failure, kind: PlatformApplication.Kind) -> SNSError {
        let field = failure.detail.field ?? ""
        if failure.code == .payloadTooLarge { return invalidNotification(kind, "Notification is too long") }
        if field.hasPrefix("overrides.") || field == "content" {
            return invalidNotification(kind, "Notification is malformed")
        }
        let own = ["dedup.key": PersonAttributes.dedupKey, "inbox.key": PersonAttributes.inboxKey]
        if let name = own[field] { return .invalidParameter(name, reason: failure.detail.message) }
        let attributes = [
            "push_type": "PUSH_TYPE", "topic": "TOPIC", "priority": "PRIORITY", "collapse_id": "COLLAPSE_ID",
            "expires_at": "TTL",
        ]
        guard let name = attributes[field] else { return SNSError(failure) }
        let word = kind.isGoogle ? kind.rawValue : "APNS"
        return .invalidParameter("AWS.SNS.MOBILE.\(word).\(name)", reason: failure.detail.message)
    }

    /// What is neither for everybody nor for the endpoint's platform.
    static func noText(for kind: PlatformApplication.Kind) -> SNSError {
        .invalidParameter("JSON must contain an entry for 'default' or '\(kind.rawValue)'.")
    }

    private static func invalidNotification(_ kind: PlatformApplication.Kind, _ problem: String) -> SNSError {
        .invalidParameter("Message", reason: "Invalid notification for protocol \(kind.rawValue): \(problem)")
    }
}
