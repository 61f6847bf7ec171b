import MartletCore
import MartletWire

/// Renders submissions for browsers; a pure function.
enum WebPushRenderer {
    /// The reason of deliveries of what shows nothing: a browser takes the permission away from a site that gets pushes
    /// and shows none.
    static let nothingToShow = "nothing_to_show"

    /// The payload, and the header fields that are the same for every browser.
    ///
    /// - Throws: `Failure` naming the field that a push service or a browser would refuse.
    static func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        guard !context.credentials.isEmpty else {
            throw Failure(
                .missingCredential,
                "The app has no VAPID key.",
                hint: "Make one: martlet apps credentials set APP --webpush-subject mailto:push@example.com."
            )
        }
        guard let (payload, isDeclarative) = try payload(submission, context.notification) else {
            return .unsent(.webpush, reason: nothingToShow)
        }
        try check(payload)
        let priority = submission.priority ?? .high
        var headers = [
            WebPushRequest.urgency: priority.webPush,
            WebPushRequest.contentType: isDeclarative ? "application/notification+json" : "application/json",
        ]
        headers[WebPushRequest.expiration] =
            switch submission.expiry {
            case .provider: nil
            case .immediate: "0"
            case .at(let moment): String(max(1, moment.seconds))
            }
        headers[WebPushRequest.topic] = submission.collapseID.map(WebPushRequest.topic(of:))
        return Message(platform: .webpush, headers: headers, payload: payload, priority: priority)
    }

    /// What is sent; `nil` where nothing of it would be shown.
    private static func payload(
        _ submission: Submission,
        _ id: PublicID
    ) throws(Failure) -> (payload: Payload, isDeclarative: Bool)? {
        var payload: WebPushPayload
        switch try WebPushOverride(submission.content.overrides[.webpush]) {
        case .text(let text): return (Payload(Array(text.utf8)), false)
        case .payload(let members): payload = try WebPushPayload(members)
        case .none:
            guard let notification = notification(submission) else { return nil }
            payload = WebPushPayload(notification: notification, data: try data(submission.content))
        case .notification(let changes):
            var notification = notification(submission) ?? [:]
            var data = try data(submission.content)
            for (key, value) in changes where key != WebPushPayload.Key.data {
                notification[key] = value == .null ? nil : value
            }
            if let more = changes[WebPushPayload.Key.data]?.objectValue { data.merge(more) { $1 } }
            guard notification["title"]?.stringValue?.isEmpty == false else {
                throw .invalid("\(WebPushOverride.path).notification.title", "A notification has a title.")
            }
            payload = WebPushPayload(notification: notification, data: data)
        }
        payload.add(messageID: id)
        if !submission.badges.isEmpty || submission.inboxBadge != nil { payload.addUserBadge() }
        return (try payload.rendered(), payload.isDeclarative)
    }

    /// The members of `notification`, of which `title` is required; `nil` where there is nothing to read.
    private static func notification(_ submission: Submission) -> [String: JSONValue]? {
        let content = submission.content
        let text = [content.subtitle, content.body].compactMap(\.self).joined(separator: "\n")
        guard content.title != nil || !text.isEmpty else { return nil }
        var members: [String: JSONValue] = ["title": .string(content.title ?? submission.app.name)]
        if !text.isEmpty { members["body"] = .string(text) }
        if let link = content.deepLink, isPage(link) { members["navigate"] = .string(link) }
        if let image = content.image { members["image"] = .string(image) }
        if let tag = submission.collapseID { members["tag"] = .string(tag) }
        if let badge = content.badge { members[WebPushPayload.Key.badge] = .integer(Int64(badge)) }
        return members
    }

    /// The app's own values, and the link where no browser opens it.
    private static func data(_ content: Content) throws(Failure) -> [String: JSONValue] {
        var data = content.data
        for key in [PayloadKey.messageID, PayloadKey.campaignID, WebPushPayload.Key.deliveryID] {
            guard let value = data[key] else { continue }
            guard let text = value.stringValue, (1...256).contains(text.utf8.count) else {
                throw .invalid(
                    "data.\(key)",
                    "It must be a text of 1 to 256 bytes: workers send it back with their events."
                )
            }
        }
        if let link = content.deepLink, !isPage(link), data[WebPushPayload.Key.deepLink] == nil {
            data[WebPushPayload.Key.deepLink] = .string(link)
        }
        return data
    }

    private static func isPage(_ link: String) -> Bool { link.lowercased().hasPrefix("https://") }

    private static func check(_ payload: Payload) throws(Failure) {
        let (count, limit) = (payload.largestCount, WebPushEncryption.limit)
        guard count > limit else { return }
        throw Failure(
            .payloadTooLarge,
            "The rendered payload has \(count) bytes; Web Push takes at most \(limit).",
            hint: "Take away \(count - limit) bytes: shorten the body, or let the page load the data.",
            field: "content"
        )
    }
}

extension Priority {
    /// The value of `Urgency` (RFC 8030, section 5.3).
    fileprivate var webPush: String {
        switch self {
        case .low: "very-low"
        case .normal: "normal"
        case .high: "high"
        }
    }
}
