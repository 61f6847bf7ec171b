package import MartletWire

extension InboxDraft {
    /// The item that a request leaves; `nil` leaves none. Where nothing is said a notification with a category leaves one:
    /// the category's default and people's choices say who gets it.
    ///
    /// What is wrong with a key, an expiry or a size the submitter says.
    ///
    /// - Throws: `Failure` naming the field.
    package init?(_ request: NotificationRequest) throws(Failure) {
        switch request.inbox {
        case .enabled(false): return nil
        case .enabled(true): self.init()
        case .item(let item):
            let content = try item.content.map(Content.init)
            self.init(key: item.key, expiresAt: item.expiresAt.map(Timestamp.init), content: content)
        case nil:
            // A push without words, such as one that wakes the app, is nothing to read later.
            guard request.category != nil, request.hasWords else { return nil }
            self.init()
        }
        guard content != nil || request.hasWords || request.data?.isEmpty == false else {
            throw .invalid("inbox", "The item says nothing: there is neither a title, a body nor data.")
        }
    }
}

extension NotificationRequest {
    /// Whether it says something to read.
    fileprivate var hasWords: Bool { [title, body].contains { $0?.isBlank == false } }
}

extension Content {
    /// What an item says.
    ///
    /// - Throws: `Failure` naming the field.
    fileprivate init(_ request: InboxContentRequest) throws(Failure) {
        try Content.check(image: request.image, field: "inbox.content.image")
        if request.deepLink == "" {
            throw .invalid("inbox.content.deep_link", "It must not be empty.", hint: "Leave it out.")
        }
        self.init(
            title: request.title,
            subtitle: request.subtitle,
            body: request.body,
            image: request.image,
            deepLink: request.deepLink,
            data: request.data ?? [:]
        )
    }
}
