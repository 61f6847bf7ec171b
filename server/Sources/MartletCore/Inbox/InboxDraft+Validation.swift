import MartletWire

extension InboxDraft {
    /// Checks what an item says, its key and its expiry.
    ///
    /// - Parameters:
    ///   - content: what its notification says.
    ///   - begin: when its notification begins.
    /// - Throws: `Failure` naming the field at fault.
    public func validate(_ content: Content, _ audience: Audience, begin: Timestamp) throws(Failure) {
        if let key {
            guard (1...256).contains(key.utf8.count), !key.hasControlCharacters else {
                throw .invalid("inbox.key", "An item's key has 1 to 256 bytes and no control characters.")
            }
            // Everybody has one row between them: nothing of one person's can take its place.
            if case .all = audience {
                throw .invalid("inbox.key", "What goes to everybody has no key.", hint: "Leave inbox.key out.")
            }
        }
        if let expiresAt {
            guard expiresAt > begin else {
                throw .invalid("inbox.expires_at", "The item would expire before it is sent.")
            }
            guard expiresAt <= begin + Self.longestLifetime else {
                throw .invalid("inbox.expires_at", "The item would expire more than a year after it is sent.")
            }
        }
        let field = self.content == nil ? "content" : "inbox.content"
        let shown = (self.content ?? content).inInbox
        guard [shown.title, shown.body].contains(where: { $0?.shown != nil }) || !shown.data.isEmpty else {
            throw .invalid(field, "An inbox item needs something to show: a title, a body, or data.")
        }
        let count = try shown.inboxByteCount(field)
        guard count <= Self.contentLimit else {
            throw .invalid(field, "An item's content has \(count) bytes as JSON; the most is \(Self.contentLimit).")
        }
    }

    /// The longest time that an item stays: a leap year, ours, as a notification's expiry has it.
    private static let longestLifetime: Duration = .seconds(366 * 86_400)
}

extension Content {
    /// What of a notification is shown in an inbox: its words, image, link and the app's own values.
    public var inInbox: Content {
        Content(title: title, subtitle: subtitle, body: body, image: image, deepLink: deepLink, data: data)
    }

    /// How many bytes it has as the JSON that a reader gets.
    fileprivate func inboxByteCount(_ field: String) throws(Failure) -> Int {
        var members: [String: JSONValue] = [:]
        let texts = [
            ("title", title), ("subtitle", subtitle), ("body", body), ("image", image), ("deep_link", deepLink),
        ]
        for (name, text) in texts { members[name] = text.map(JSONValue.string) }
        if !data.isEmpty { members["data"] = .object(data) }
        do {
            return try JSONValue.object(members).json().count
        } catch {
            throw .invalid(field, "The content has a number that JSON cannot hold.")
        }
    }
}
