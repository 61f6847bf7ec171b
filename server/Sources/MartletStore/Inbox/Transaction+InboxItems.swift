import MartletCore
import MartletWire

/// How an item is kept, as far as writes need to know it.
struct StoredInboxItem {
    /// Its number.
    var number: Int64
    /// Whose it is.
    var app: RowID<App>
    /// How it is kept.
    var kind: InboxItemKind
    /// The category.
    var category: RowID<MartletCore.Category>?
    /// When it leaves.
    var expiresAt: Timestamp
    /// What makes it take an earlier one's place.
    var key: String?
    /// Whether it was taken back.
    var isRecalled: Bool

    /// An item from its columns.
    init(_ row: Row) throws {
        number = row.int("id")
        app = row.row("app_id")
        kind = try row.code("kind")
        category = row.optionalRow("category_id")
        expiresAt = row.time("expires_at")
        key = row.optionalText("key")
        isRecalled = !row.isNull("recalled_at")
    }

    fileprivate init(_ source: InboxSource, number: Int64, kind: InboxItemKind) {
        self.number = number
        app = source.app
        self.kind = kind
        category = source.category
        expiresAt = source.expiresAt
        key = kind == .rows ? source.draft.key : nil
        isRecalled = false
    }
}

/// What a notification says of its item.
private struct InboxSource {
    var notification: RowID<Notification>
    var id: PublicID
    var app: RowID<App>
    var category: RowID<MartletCore.Category>?
    var draft: InboxDraft
    var content: Content
    var audience: Audience
    var hasDedup: Bool
    var expiresAt: Timestamp
}

extension Transaction {
    /// The most items of their own that a person has, within a few: the oldest leave.
    static let ownItemLimit = 1_000

    /// The most shared items of an app that are live: the oldest leave.
    static let sharedItemLimit = 2_000

    /// Leaves a notification's item to people of a part of its audience; where everybody has it, with the first part.
    func leaveItem(for users: [RowID<User>], of head: NotificationHead) throws {
        guard head.hasInbox else { return }
        let known = try prepare(SQL.itemOfNotification).bind(head.row).first(StoredInboxItem.init)
        // A page may have been read before one of them was erased. Sets and rules say nothing of such a person.
        let users = try known?.kind ?? .rows == .rows ? notErased(users) : users
        guard let item = try known ?? publish(head, isForSomebody: !users.isEmpty), !item.isRecalled else { return }
        guard item.expiresAt > now, !users.isEmpty else { return }
        switch item.kind {
        case .everyone: return
        case .rows: try writeEntries(of: item, for: Set(users).sorted(), of: head)
        case .sets: try writeSets(of: item, for: users)
        }
    }

    /// Which of some users have the item of a notification that keeps people apart.
    func whoHasItem(of notification: RowID<Notification>, among users: Set<Int64>) throws -> Set<Int64> {
        guard !users.isEmpty,
            let item = try prepare(SQL.itemOfNotification).bind(notification).first(StoredInboxItem.init),
            !item.isRecalled
        else { return [] }
        var holders: Set<Int64> = []
        switch item.kind {
        case .everyone: return []
        case .rows:
            try forEach(SQL.holders, users.sorted(), bind: { $0.bind(item.number) }) {
                holders.insert($0.int("user_id"))
            }
        case .sets:
            let byBlock = Dictionary(grouping: users) { UserSet.place(of: RowID($0)).block }
            for (block, users) in byBlock.sorted(by: { $0.key < $1.key }) {
                try prepare(SQL.set).bind(item.app, block, item.number).forEach { row in
                    row.withBytes("members") { members in
                        for user in users where UserSet.contains(UserSet.place(of: RowID(user)).offset, in: members) {
                            holders.insert(user)
                        }
                    }
                }
            }
        }
        return holders
    }

    /// Makes the item; `nil` where nobody has it, or it is over by now.
    private func publish(_ head: NotificationHead, isForSomebody: Bool) throws -> StoredInboxItem? {
        guard let source = try inboxSource(of: head), source.expiresAt > now else { return nil }
        var subscriptions = 0
        if case .topic(let topic) = source.audience {
            // One that was deleted meanwhile keeps its row while an audience is read from it.
            subscriptions =
                try prepare("SELECT confirmed FROM topics WHERE public_id = ?").bind(topic.id)
                .first { $0.count("confirmed") } ?? 0
        }
        let kind = InboxItemKind(source.audience, hasDedup: source.hasDedup, subscriptions: subscriptions)
        guard isForSomebody || kind == .everyone else { return nil }
        let lastUser =
            kind == .everyone
            ? try prepare("SELECT max(id) AS last FROM users WHERE app_id = ?").bind(head.app).first { $0.int("last") }
            : nil
        let content = try storedText(source.draft.content?.inInbox ?? source.content.inInbox)
        let insert = try prepare(SQL.insertItem)
            .bind(
                head.app,
                Int64(0),
                source.id,
                head.row,
                source.category,
                now,
                head.mark,
                source.expiresAt,
                kind.code,
                lastUser,
                kind == .rows ? source.draft.key : nil,
                content
            )
        var number = try kind == .rows ? ownNumber(of: head, isFirst: true) : nextSharedNumber(of: head.app)
        insert.set(2, number)
        // Both kinds have numbers of one range: one may be taken.
        while try insert.changes() == 0 {
            number = try kind == .rows ? ownNumber(of: head, isFirst: false) : nextSharedNumber(of: head.app)
            insert.set(2, number)
        }
        if kind != .rows { try prepare(SQL.evictShared).bind(now, head.app, Self.sharedItemLimit).run() }
        return StoredInboxItem(source, number: number, kind: kind)
    }

    private func inboxSource(of head: NotificationHead) throws -> InboxSource? {
        try prepare(
            """
            SELECT public_id, category_id, inbox, content, audience FROM notifications
            WHERE id = ? AND inbox IS NOT NULL
            """
        )
        .bind(head.row)
        .first { row in
            let draft: InboxDraft = try row.json("inbox")
            return InboxSource(
                notification: head.row,
                id: try row.publicID("public_id"),
                app: head.app,
                category: row.optionalRow("category_id"),
                draft: draft,
                content: try row.json("content"),
                audience: try row.json("audience"),
                hasDedup: head.dedup != nil,
                expiresAt: draft.expiresAt ?? now + InboxDraft.lifetime
            )
        }
    }

    /// The notification's key; where it was accepted long before, a key of now, because items stand in the order in which
    /// they were published.
    private func ownNumber(of head: NotificationHead, isFirst: Bool) -> Int64 {
        let key = head.row.rawValue
        return isFirst && key >= NotificationIDs.firstKey(of: now - Self.promptness) ? key : keys.nextKey(at: now)
    }

    /// How long before its item a notification may have been accepted for both to have one key. Ours.
    private static let promptness: Duration = .seconds(1)

    /// The next number of a shared item, or of a change of one. Whoever draws it locks the app's row until the commit.
    func nextSharedNumber(of app: RowID<App>) throws -> Int64 {
        let step = AppSequences.sharedStep
        let least = (keys.nextKey(at: now) / step + 1) * step
        let number = try prepare(SQL.nextSharedItem).bind(app, least).one { $0.int("inbox_item") }
        // What this process numbers next stands behind it.
        keys.follow(number)
        return number
    }

    private func writeEntries(
        of item: StoredInboxItem,
        for users: [RowID<User>],
        of head: NotificationHead
    ) throws {
        if let key = item.key {
            // What names devices goes to each of a person's with a notification of its own: none takes the other back.
            if try !isOfDevices(head.row) {
                let reason = Suppression.Reason.superseded.code
                try write(SQL.supersede, users) { $0.bind(item.app, key, item.number, reason) }
            }
            try write(SQL.replaceEntries, users) { $0.bind(item.number, item.category, item.expiresAt, key) }
        } else {
            try write(SQL.insertEntries, users) { $0.bind(item.number, item.category, item.expiresAt) }
        }
        try write(SQL.touchInboxes, users)
        // Each person is looked at every sixteenth time or so: that costs little, and few are over the limit by many.
        let looked = users.filter { ($0.rawValue ^ item.number) & 15 == 0 }
        var overfull: [RowID<User>] = []
        try forEach(SQL.overfullInboxes, looked, bind: { $0.bind(Self.ownItemLimit) }) {
            overfull.append($0.row("user_id"))
        }
        for user in overfull {
            let oldest = try prepare(SQL.oldestKept).bind(user, Self.ownItemLimit - 1).first { $0.int("item_id") }
            try prepare("DELETE FROM inbox_entries WHERE user_id = ? AND is_direct = 1 AND item_id < ?")
                .bind(user, oldest ?? 0)
                .run()
        }
    }

    private func isOfDevices(_ notification: RowID<Notification>) throws -> Bool {
        let audience: Audience? = try prepare("SELECT audience FROM notifications WHERE id = ?").bind(notification)
            .first { try $0.json("audience") }
        switch audience {
        case .endpoints?, .tokens?: return true
        case .users?, .all?, .topic?, nil: return false
        }
    }

    private func writeSets(of item: StoredInboxItem, for users: [RowID<User>]) throws {
        for (block, users) in UserSet.sets(of: users) {
            var merged = users
            let before = try prepare(SQL.set).bind(item.app, block, item.number).first { $0.bytes("members") }
            if let before {
                guard let set = UserSet(bytes: before) else { throw Row.damage("a set of users") }
                merged.formUnion(set)
            }
            try prepare(SQL.writeSet).bind(item.app, block, item.number, merged.bytes).run()
        }
    }
}
