import MartletCore
import MartletStore
import MartletWire

extension World {
    /// Sends what leaves an inbox item, a moment after what was sent before.
    @discardableResult
    func leave(
        _ app: App,
        to audience: Audience = .all,
        in category: MartletCore.Category? = nil,
        _ inbox: InboxDraft = InboxDraft(),
        dedup: Dedup? = nil,
        title: String = "Line 4 is late",
        pageSize: Int = 1_000
    ) async throws -> Notification {
        clock.advance(by: .milliseconds(1))
        var draft = draft(app, to: audience, dedup: dedup)
        draft.category = category
        draft.inbox = inbox
        draft.content = Content(title: title)
        let sent = try await submit(draft)
        try await fanOut(pageSize: pageSize)
        return try await read(sent.id)
    }

    /// A person's inbox.
    func owner(_ app: App, _ user: String) -> InboxOwner { InboxOwner(app: app.row, user: user) }

    /// A person's items, newest first, read in pages.
    func inbox(
        _ app: App,
        _ user: String,
        _ status: InboxStatusName = .active,
        in category: MartletCore.Category? = nil,
        pagesOf size: Int = 100
    ) async throws -> [InboxItem] {
        try await readAll(pagesOf: size) {
            try await store.inbox(.list(status, category: category?.row), of: owner(app, user), $0)
        }
    }

    /// The ids of a person's items, newest first.
    func inboxIDs(
        _ app: App,
        _ user: String,
        _ status: InboxStatusName = .active,
        in category: MartletCore.Category? = nil,
        pagesOf size: Int = 100
    ) async throws -> [PublicID] {
        try await inbox(app, user, status, in: category, pagesOf: size).map(\.id)
    }

    /// How many items a person has not read, and not seen.
    func amounts(_ app: App, _ user: String) async throws -> [Int] {
        let counts = try await store.inboxCounts(of: owner(app, user))
        return [counts.unread, counts.unseen]
    }

    /// Does something with one item of a person's.
    @discardableResult
    func mark(_ item: Notification, _ action: InboxAction, _ app: App, _ user: String) async throws -> InboxCounts {
        try await store.markInbox(.items([item.id], action), of: owner(app, user))
    }

    /// Does something with all items of a person's up to one.
    @discardableResult
    func markAll(
        upTo item: Notification,
        _ action: InboxAction,
        _ app: App,
        _ user: String,
        in category: MartletCore.Category? = nil
    ) async throws -> InboxCounts {
        try await store.markInbox(.all(upTo: item.id, action, category: category?.row), of: owner(app, user))
    }
}
