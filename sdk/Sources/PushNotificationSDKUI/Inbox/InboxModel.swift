import Foundation
package import PushNotificationSDKCore

/// The list of inbox items: what is kept at once, what the server says as soon as it does, and each mark before the server
/// has it.
@MainActor
package final class InboxModel: UserModel {
    /// What fills the screen.
    package enum Content: Equatable {
        /// Nothing is known yet.
        case loading
        /// There are no items.
        case empty
        /// Nothing can be shown.
        case failed(PushNotificationError)
        /// The list, and why it may be old. Where older items follow it may have none yet.
        case items(trouble: PushNotificationError?)
    }

    /// A mark that the server has yet to confirm, or that an answer on its way may not know.
    private struct PendingMark {
        var number: Int
        var mark: InboxMark
        var items: Set<String>
        var isConfirmed = false
    }

    /// The most pages that a change reads: ours, 100 items. What a list has behind them it reads when it is scrolled there.
    static let pagesReadAgain = 5

    package var onChange: () -> Void = {}
    /// The items, newest first, as they are after all marks; none that is put away.
    package private(set) var items: [InboxItem] = []
    /// Why the next page could not be read.
    package private(set) var moreTrouble: PushNotificationError?
    /// Why the last mark was taken back, until the person has seen it.
    package private(set) var refusal: PushNotificationError?

    /// What to hand in for the next page; `nil` where there are no older items than the last one.
    package private(set) var cursor: String?
    var user: String?
    private(set) var trouble: PushNotificationError?

    private let source: any InboxSource
    /// The items as the server, or what is kept, says.
    private var known: [InboxItem] = []
    private var marks: [PendingMark] = []
    /// The cursor of the page that is being read.
    private var reading: String?
    /// Whether `known` is what the server says, without a gap.
    private var isLoaded = false
    /// The revision of the inbox when the newest page was asked for.
    private var revision: Int64?
    /// Numbers of loads and marks.
    private var last = 0
    private var newestLoad = 0
    private var isOnTheirWay = 0

    package init(_ source: any InboxSource) { self.source = source }

    var users: any UserSource { source }

    package var content: Content {
        // The person may have put away all of a page that others follow.
        if !items.isEmpty || hasMore { return .items(trouble: trouble) }
        if let trouble { return .failed(trouble) }
        return isLoaded ? .empty : .loading
    }

    /// Whether there are older items than the last one.
    package var hasMore: Bool { cursor != nil }
    /// Whether there is anything to mark as read.
    package var hasUnread: Bool { items.contains { !$0.isRead } }

    /// Shows what is kept, reads the newest page and reads it again with each change and for each user, until the task is
    /// cancelled.
    package func run() async {
        // Before anything is read: no change falls in between.
        let (updates, userChanges) = (source.updates, source.userChanges)
        if !adoptUser(), known.isEmpty { showKept() }
        async let followed: Void = follow(userChanges)
        await load()
        for await update in updates where update.counts.revision != revision { await load() }
        await followed
    }

    /// Reads the newest page anew, and forgets the older ones. It ends what it began where whoever waits for it is
    /// cancelled, as SwiftUI does when it draws a list anew.
    package func refresh() async {
        await Task { await load(keepsOlder: false) }.value
    }

    /// Reads the next page, where there is one and nobody reads it yet. It ends what it began where whoever waits for it is
    /// cancelled, as SwiftUI does when the end of the list leaves the screen.
    package func loadMore() async {
        // What left the screen before this began needs nothing more.
        guard !Task.isCancelled else { return }
        await Task { await readMore() }.value
    }

    private func readMore() async {
        // The page of a list that began anew meanwhile holds up nothing.
        guard let asked = cursor, asked != reading else { return }
        let owner = user
        reading = asked
        moreTrouble = nil
        isOnTheirWay += 1
        changed()
        do throws(PushNotificationError) {
            let page = try await source.page(after: asked)
            // The list may have begun anew meanwhile.
            if isStill(owner), cursor == asked {
                let ids = Set(known.map(\.id))
                known += page.items.filter { !ids.contains($0.id) }
                cursor = page.cursor
            }
        } catch {
            if isStill(owner), cursor == asked { moreTrouble = error }
        }
        if reading == asked { reading = nil }
        arrived()
    }

    func load() async { await load(keepsOlder: true) }

    private func load(keepsOlder: Bool) async {
        adoptUser()
        last += 1
        let (number, owner) = (last, user)
        revision = source.cached?.counts?.revision
        isOnTheirWay += 1
        do throws(PushNotificationError) {
            let page = try await page(keepsOlder: keepsOlder, of: owner)
            // An answer that was overtaken on its way says what is not so any more.
            if isStill(owner), number > newestLoad {
                newestLoad = number
                take(page)
            }
        } catch {
            if isStill(owner), number > newestLoad, !Task.isCancelled { fail(error) }
        }
        arrived()
        see()
    }

    /// The newest page and, where the list follows it without a gap, the pages behind it as far as the list goes: no
    /// change names the older items that were read or recalled.
    private func page(keepsOlder: Bool, of owner: String?) async throws(PushNotificationError) -> InboxPage {
        var page = try await source.page(after: nil)
        let ids = Set(page.items.map(\.id))
        guard keepsOlder, isLoaded, known.contains(where: { ids.contains($0.id) }) else { return page }
        for _ in 1..<Self.pagesReadAgain {
            guard user == owner, let cursor = page.cursor, let oldest = page.items.last,
                known.contains(where: { $0.isOlder(than: oldest) })
            else { break }
            let next = try await source.page(after: cursor)
            page = InboxPage(items: page.items + next.items, cursor: next.cursor)
        }
        return page
    }

    private func take(_ page: InboxPage) {
        known = page.items
        cursor = page.cursor
        moreTrouble = nil
        isLoaded = true
        trouble = nil
    }

    private func fail(_ error: PushNotificationError) {
        // Somebody else's items are nobody's to see.
        if error == .loginRequired { forget() }
        trouble = error
    }

    func reset() {
        forget()
        showKept()
    }

    private func forget() {
        (known, marks) = ([], [])
        (cursor, reading, revision) = (nil, nil, nil)
        (trouble, moreTrouble, refusal) = (nil, nil, nil)
        isLoaded = false
    }

    private func showKept() {
        known = source.cached?.items ?? []
        changed()
    }

    /// An answer came: what it may not have known, the next one will.
    private func arrived() {
        isOnTheirWay -= 1
        settle()
    }

    /// Makes marks a part of what is known that the server has confirmed, when no older answer is on its way. A mark waits
    /// for those before it: otherwise one that is answered later would stand over it.
    private func settle() {
        if isOnTheirWay == 0 {
            let confirmed = marks.prefix(while: \.isConfirmed)
            known = apply(Array(confirmed), to: known).filter { !$0.isArchived }
            marks.removeFirst(confirmed.count)
        }
        changed()
    }

    private func apply(_ marks: [PendingMark], to items: [InboxItem]) -> [InboxItem] {
        marks.reduce(items) { items, pending in
            items.map { pending.items.contains($0.id) ? $0.after(pending.mark) : $0 }
        }
    }

    private func changed() {
        items = apply(marks, to: known).filter { !$0.isArchived }
        onChange()
    }
}

extension InboxModel {
    /// The person tapped an item: it is read, and the app goes where it leads.
    ///
    /// - Parameter open: what opens it; `nil` is the SDK's router.
    package func open(_ item: InboxItem, with open: ((InboxItem) -> Void)? = nil) async {
        guard isStill(user) else { return }
        if let open { open(item) } else { source.open(item) }
        if !item.isRead { await mark(item, as: .read) }
    }

    /// Marks an item.
    package func mark(_ item: InboxItem, as mark: InboxMark) async {
        await begin(mark, of: [item.id], by: user) { [source] () async throws(PushNotificationError) in
            try await source.mark(item.id, as: mark)
        }
    }

    /// Marks all items that are there as read; what arrives meanwhile is not.
    package func markAllRead() async {
        guard hasUnread, let newest = items.first else { return }
        await begin(.read, of: Set(items.map(\.id)), by: user) { [source] () async throws(PushNotificationError) in
            try await source.markAll(upTo: newest.id, as: .read)
        }
    }

    /// The person has seen why a mark was taken back.
    package func dismissRefusal() {
        refusal = nil
        onChange()
    }

    /// What is in the list was seen. That is not worth a word where the server does not take it.
    private func see() {
        guard isLoaded, !Task.isCancelled, items.contains(where: { !$0.isSeen }), let newest = items.first else {
            return
        }
        let owner = user
        Task {
            await begin(.seen, of: Set(items.map(\.id)), by: owner, isSilent: true) {
                [source] () async throws(PushNotificationError) in
                try await source.markAll(upTo: newest.id, as: .seen)
            }
        }
    }

    private func begin(
        _ mark: InboxMark,
        of items: Set<String>,
        by owner: String?,
        isSilent: Bool = false,
        send: @MainActor () async throws(PushNotificationError) -> Void
    ) async {
        guard isStill(owner) else { return }
        last += 1
        let number = last
        marks.append(PendingMark(number: number, mark: mark, items: items))
        changed()
        // It runs when the mark has begun: what is kept has it then, also without a connection.
        Task { Self.marked.post(()) }
        do throws(PushNotificationError) {
            try await send()
            if let index = marks.firstIndex(where: { $0.number == number }) { marks[index].isConfirmed = true }
        } catch {
            marks.removeAll { $0.number == number }
            if isStill(owner), !isSilent { refusal = error }
        }
        settle()
        Self.marked.post(())
    }

    /// Tells the badges of an app what its own lists marked, of which the server tells only later.
    static let marked = Mailbox<Void>(bound: 1)
}

extension InboxItem {
    /// Whether it stands below another in a list: by time, then by id.
    fileprivate func isOlder(than other: InboxItem) -> Bool {
        (publishedAt, id) < (other.publishedAt, other.id)
    }
}
