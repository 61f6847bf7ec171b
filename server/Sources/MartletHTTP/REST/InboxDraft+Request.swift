import Foundation
import MartletCore
import MartletWire

extension InboxDraft {
    /// The item that a request leaves; `nil` leaves none. Where nothing is said a notification with a category leaves one:
    /// the category's default and people's choices say who gets it.
    ///
    /// - Throws: `Failure` naming the field.
    init?(_ request: NotificationRequest, begin: Timestamp) throws(Failure) {
        switch request.inbox {
        case .enabled(false): return nil
        case .enabled(true): self.init()
        case .item(let item): try self.init(item, begin: begin)
        case nil:
            // A push without words, such as one that wakes the app, is nothing to read later.
            guard request.category != nil, request.hasWords else { return nil }
            self.init()
        }
        guard content != nil || request.hasWords || request.data?.isEmpty == false else {
            throw .invalid("inbox", "The item says nothing: there is neither a title, a subtitle, a body nor data.")
        }
    }

    private init(_ request: InboxItemRequest, begin: Timestamp) throws(Failure) {
        if let key = request.key, !(1...256).contains(key.utf8.count) {
            throw .invalid("inbox.key", "A key has 1 to 256 bytes.", hint: "Leave it out for an item of its own.")
        }
        let expiresAt = request.expiresAt.map(Timestamp.init)
        if let expiresAt {
            guard expiresAt > begin else {
                throw .invalid("inbox.expires_at", "The item would leave before it is published.")
            }
            guard expiresAt <= begin + InboxDraft.lifetime else {
                throw .invalid("inbox.expires_at", "An item leaves after 90 days at the latest.")
            }
        }
        self.init(key: request.key, expiresAt: expiresAt, content: try request.content.map(Content.init))
    }
}

extension NotificationRequest {
    /// Whether it says something to read.
    fileprivate var hasWords: Bool { [title, subtitle, body].contains { $0?.isEmpty == false } }
}

extension Content {
    /// What an item says.
    ///
    /// - Throws: `Failure` naming the field.
    fileprivate init(_ request: InboxContentRequest) throws(Failure) {
        let field = "inbox.content"
        try Content.check(image: request.image, field: "\(field).image")
        if request.deepLink == "" {
            throw .invalid("\(field).deep_link", "It must not be empty.", hint: "Leave it out.")
        }
        guard let json = try? JSONEncoder().encode(request), json.count <= InboxDraft.contentLimit else {
            throw .invalid(field, "What an item says has at most \(InboxDraft.contentLimit) bytes as JSON.")
        }
        self.init(
            title: request.title,
            subtitle: request.subtitle,
            body: request.body,
            image: request.image,
            deepLink: request.deepLink,
            data: request.data ?? [:]
        )
        let hasWords = [title, subtitle, body].contains { $0?.isEmpty == false }
        guard hasWords || !data.isEmpty else {
            throw .invalid(field, "It says nothing: there is neither a title, a subtitle, a body nor data.")
        }
    }
}
