import Foundation
import MartletWire

/// The inbox of the user who is logged in: what is read is kept, and what is marked is shown as marked at once, and told to
/// the server in order, now or later.
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

    /// What was read last, while its user is logged in.
    var cached: CachedInbox? {
        guard let user = calls.context.identity.userID, let copy = copy.value(of: user) else { return nil }
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

    func page(_ query: Query) async throws(PushNotificationError) -> InboxPage {
        let user = try calls.user()
        try await sendMarks(of: user)
        var request = UserRequest("GET", Self.path)
        request.query = query.fields
        request.answerLimit = Self.pageLimit
        let list = try await calls.value(List<InboxItemResponse>.self, for: request, of: user)
        // What was marked while this was on its way is not in it.
        let waiting = marks.waiting(of: user)
        let isKept: Void? = copy.change(of: user) { copy in
            var new = copy ?? InboxCopy()
            new.take(list.data, isWhole: query.isOfAll, isLast: list.next == nil)
            for job in waiting { new.apply(job) }
            copy = new
        }
        guard isKept != nil else { throw .loginRequired }
        let read = list.data.map { item in
            waiting.filter { !$0.isForAll && $0.item == item.id }.reduce(item) { $0.after($1.action) }
        }
        return InboxPage(items: read.map(item), cursor: list.next)
    }

    func counts() async throws(PushNotificationError) -> InboxCounts {
        let user = try calls.user()
        try await sendMarks(of: user)
        let request = UserRequest("GET", "\(Self.path)/counts")
        let counts = try await calls.value(InboxCountsResponse.self, for: request, of: user)
        take(counts, of: user)
        return InboxCounts(counts)
    }

    /// Marks items: kept at once, and told to the server now where it can be reached.
    ///
    /// - Throws: ``PushNotificationError``: where the server refused it, and where too many marks wait.
    func mark(_ jobs: [InboxJob]) async throws(PushNotificationError) {
        let user = try calls.user()
        guard marks.add(jobs, of: user) else {
            throw .networkError(TransportError.failed("\([InboxJob].bound) marks wait to be sent"))
        }
        let items = copy.change(of: user) { copy in
            var new = copy ?? InboxCopy()
            let met = jobs.flatMap { new.apply($0) }
            copy = new
            return met
        }
        let read = jobs.filter { [.read, .archive].contains($0.action) }
        if !read.isEmpty {
            let ids = Set(items ?? []).union(read.filter { !$0.isForAll }.map(\.item))
            await shown.remove(Set(ids.map(\.description)))
        }
        try await marks.send(of: user, waitingFor: jobs) { [self] in take($0, of: user) }
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

    private func take(_ counts: InboxCountsResponse, of user: String) {
        copy.change(of: user) { copy in
            var new = copy ?? InboxCopy()
            new.take(counts)
            copy = new
        }
    }

    private func sendMarks(of user: String) async throws(PushNotificationError) {
        try await marks.sendAll(of: user) { [self] in take($0, of: user) }
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
