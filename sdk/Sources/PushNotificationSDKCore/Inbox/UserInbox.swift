import Foundation
import MartletWire

/// The inbox of the user who is logged in: what is read is kept, and what is marked is shown as marked at once, and told to
/// the server in order, now or later. A call begins when it is made, for whoever is the user then.
final class UserInbox: Sendable {
    private static let path = "inbox"
    /// The most bytes of a page: ours. 100 items of 8 KiB, as the server bounds them, with room for their escapes.
    private static let pageLimit = 4 << 20

    let calls: UserCalls
    private let copy: UserFile<InboxCopy>
    private let marks: InboxMarks
    private let shown: ShownNotifications
    private let links: LinkHandling

    init(_ calls: UserCalls, shown: ShownNotifications) {
        self.calls = calls
        self.shown = shown
        links = calls.context.handlers.links
        copy = UserFile(calls.context, kind: "inbox")
        marks = InboxMarks(calls)
    }

    /// What was read last, with what was marked since, while its user is logged in.
    var cached: CachedInbox? {
        guard let user = calls.context.identity.userID, let copy = marked(of: user) else { return nil }
        let now = calls.context.environment.clock.now
        let items = copy.items.filter { $0.expiresAt.milliseconds > now }
        return CachedInbox(items: items.map(item), counts: copy.counts.map(InboxCounts.init))
    }

    /// Which items are read.
    struct Query: Sendable {
        var status = InboxStatus.active
        var category: String?
        var cursor: String?
        var limit = 20
    }

    func page(_ query: Query) throws(PushNotificationError) -> UserWork<InboxPage> {
        let user = try calls.user()
        return { [self] () async throws(PushNotificationError) in try await page(query, of: user) }
    }

    private func page(_ query: Query, of user: String) async throws(PushNotificationError) -> InboxPage {
        try await sendMarks(of: user)
        var request = UserRequest("GET", Self.path)
        request.query = query.fields
        request.answerLimit = Self.pageLimit
        let list = try await calls.value(List<InboxItemResponse>.self, for: request, of: user)
        let isKept: Void? = copy.change(of: user) { copy in
            copy = copy ?? InboxCopy()
            copy?.take(list.data, isWhole: query.isOfAll, isLast: list.next == nil)
        }
        guard isKept != nil else { throw .loginRequired }
        // What was marked while this was on its way is not in it.
        let waiting = marks.waiting(of: user).filter { !$0.isForAll }
        let read = list.data.map { item in
            waiting.filter { $0.item == item.id }.reduce(item) { $0.after($1.action) }
        }
        // What was read on another device needs not be shown here any more.
        await shown.remove(Set(read.filter { $0.isRead || $0.isArchived }.map(\.id.description)))
        return InboxPage(items: read.map(item), cursor: list.next)
    }

    func counts() throws(PushNotificationError) -> UserWork<InboxCounts> {
        let user = try calls.user()
        return { [self] () async throws(PushNotificationError) in
            try await sendMarks(of: user)
            let request = UserRequest("GET", "\(Self.path)/counts")
            let counts = try await calls.value(InboxCountsResponse.self, for: request, of: user)
            take(counts, of: user)
            return InboxCounts(counts)
        }
    }

    /// Marks items: kept at once, and told to the server now where it can be reached.
    ///
    /// - Throws: ``PushNotificationError``: where nobody is logged in, or too many marks wait; the work, where the server
    ///   refused it.
    func mark(_ jobs: [InboxJob]) throws(PushNotificationError) -> UserWork<Void> {
        let user = try calls.user()
        let read = itemsRead(by: jobs, of: user)
        guard marks.add(jobs, of: user) else {
            throw .networkError(TransportError.failed("\([InboxJob].bound) marks wait to be sent"))
        }
        return { [self] () async throws(PushNotificationError) in
            await shown.remove(read)
            try await marks.send(of: user, waitingFor: jobs) { [self] in confirm($0, $1, of: user) }
        }
    }

    /// The items that some marks put away, or say were read: this device shows them no more.
    private func itemsRead(by jobs: [InboxJob], of user: String) -> Set<String> {
        let read = jobs.filter { [.read, .archive].contains($0.action) }
        guard !read.isEmpty else { return [] }
        var copy = copy.value(of: user) ?? InboxCopy()
        let ids = read.flatMap { copy.apply($0) + ($0.isForAll ? [] : [$0.item]) }
        return Set(ids.map(\.description))
    }

    /// Sends what waits, where something does.
    func resume() {
        guard let user = try? calls.user(), !marks.waiting(of: user).isEmpty else { return }
        Task { try? await sendMarks(of: user) }
    }

    /// Somebody logged in or out.
    func forgetOthers() {
        copy.forgetOthers()
        marks.forgetOthers()
    }

    /// Takes what the stream says.
    func take(_ change: InboxChange, of user: String) {
        take(InboxCountsResponse(unread: change.unread, unseen: change.unseen, revision: change.revision), of: user)
    }

    /// What is kept, with the marks that wait done to it.
    private func marked(of user: String) -> InboxCopy? {
        guard var copy = copy.value(of: user) else { return nil }
        for job in marks.waiting(of: user) { copy.apply(job) }
        return copy
    }

    /// The server has done what some marks say.
    private func confirm(_ jobs: ArraySlice<InboxJob>, _ counts: InboxCountsResponse?, of user: String) {
        copy.change(of: user) { copy in
            var new = copy ?? InboxCopy()
            for job in jobs { new.apply(job) }
            if let counts { new.take(counts) }
            copy = new
        }
    }

    private func take(_ counts: InboxCountsResponse, of user: String) {
        copy.change(of: user) { copy in
            var new = copy ?? InboxCopy()
            new.take(counts)
            copy = new
        }
    }

    private func sendMarks(of user: String) async throws(PushNotificationError) {
        try await marks.sendAll(of: user) { [self] in confirm($0, $1, of: user) }
    }

    private func item(_ response: InboxItemResponse) -> InboxItem {
        InboxItem(response, links: links.policy)
    }
}

extension UserInbox.Query {
    /// Whether it begins at the newest item and leaves out none that is not archived.
    fileprivate var isOfAll: Bool { status == .active && category == nil && cursor == nil }

    fileprivate var fields: [(name: String, value: String)] {
        let fields = [
            ("status", status.rawValue), ("category", category), ("cursor", cursor),
            // The server's bounds.
            ("limit", String(min(max(1, limit), 100))),
        ]
        return fields.compactMap { name, value in value.map { (name, $0) } }
    }
}
