import MartletCore
import MartletWire

/// An app's numbers that shared items and preference changes are drawn from.
struct AppSequences {
    /// The last preference change; 0 where nobody ever chose anything.
    var preferenceChange: Int64 = 0
    /// What is newest of the shared items.
    var inboxItem: Int64 = 0

    /// A shared item's number is a multiple of this, so that as much less of it is a revision: JavaScript's numbers are
    /// exact below 2^53, and those of items are not.
    static let sharedStep: Int64 = 1_024

    /// The revision of an inbox that changed so often by itself.
    func revision(own: Int64 = 0) -> Int64 { own + inboxItem / Self.sharedStep }

    /// The number above which items are new to who knows a revision.
    static func number(of revision: Int64) -> Int64 { min(revision, .max / sharedStep) * sharedStep }
}

/// What is kept of a person's inbox as a whole.
struct InboxState {
    /// How often it changed, but for shared items.
    var revision: Int64 = 0
    /// What they did with all shared items.
    var watermarks = InboxWatermarks()
}

extension Transaction {
    /// An app's numbers.
    func sequences(of app: RowID<App>) throws -> AppSequences {
        try prepare("SELECT preference_change, inbox_item FROM app_sequences WHERE app_id = ?").bind(app).first {
            AppSequences(preferenceChange: $0.int("preference_change"), inboxItem: $0.int("inbox_item"))
        } ?? AppSequences()
    }

    /// What is kept of some people's inboxes; nothing of who never had one.
    func inboxStates(of users: [RowID<User>]) throws -> [RowID<User>: InboxState] {
        var states: [RowID<User>: InboxState] = [:]
        try forEach(SQL.inboxStates, users) { row in
            states[row.row("user_id")] = InboxState(
                revision: row.int("revision"),
                watermarks: InboxWatermarks(
                    seen: row.int("seen_before"),
                    read: row.int("read_before"),
                    archived: row.int("archived_before")
                )
            )
        }
        return states
    }

    /// An app's shared items that are live, below a number, newest first.
    func sharedItems(of app: RowID<App>, below number: Int64 = .max, limit: Int = .max) throws -> [SharedItem] {
        try prepare(SQL.sharedItems).bind(app, number, now, limit).all(SharedItem.init)
    }

    /// Who sees which of some shared items.
    func sharedInbox(_ items: [SharedItem], of app: RowID<App>, _ sequences: AppSequences) throws -> SharedInbox {
        guard items.contains(where: { $0.kind == .everyone && $0.category != nil }) else {
            return SharedInbox(items, InboxVisibility(categories: []))
        }
        let categories = try prepare(
            """
            SELECT id, default_enabled AS enabled, default_push AS push, default_inbox AS inbox, is_inbox_required
            FROM categories WHERE app_id = ?
            """
        )
        .bind(app)
        .all { row in
            Category(
                row: row.row("id"),
                app: app,
                key: "",
                defaults: ChannelChoice(row, "enabled", "push", "inbox"),
                required: row.flag("is_inbox_required") ? [.inbox] : [],
                createdAt: now
            )
        }
        let changes = try choiceChanges(of: [RowID(0)], in: app, after: items.leastMark, sequences)
        return SharedInbox(items, InboxVisibility(categories: categories, changes: changes[RowID(0)] ?? []))
    }

    /// Some people, as far as these items are concerned.
    ///
    /// - Parameter isCounted: whether sets are only asked for items that somebody has not read.
    func inboxPeople(
        _ users: [RowID<User>],
        _ states: [RowID<User>: InboxState],
        of app: RowID<App>,
        for inbox: SharedInbox,
        _ sequences: AppSequences,
        isCounted: Bool = false
    ) throws -> [RowID<User>: InboxPerson] {
        var people = [RowID<User>: InboxPerson](minimumCapacity: users.count)
        for user in users {
            people[user] = InboxPerson(user: user.rawValue, watermarks: states[user]?.watermarks ?? InboxWatermarks())
        }
        guard let first = inbox.items.first?.number, let last = inbox.items.last?.number else { return people }
        try forEach(SQL.sharedEntries, users, bind: { $0.bind(first, last) }) { row in
            people[row.row("user_id")]?.entries[row.int("item_id")] = InboxStatus(inboxColumns: row)
        }
        if inbox.items.contains(where: { $0.kind == .everyone }) {
            for (user, choices) in try choices(of: users, in: app, after: inbox.items.leastMark, sequences) {
                people[user]?.choices = choices
            }
        }
        if inbox.items.contains(where: { $0.kind == .sets }) {
            try addMemberships(to: &people, of: app, inbox, isCounted: isCounted)
        }
        return people
    }

    /// What people choose now, and what it was before the changes behind a number.
    private func choices(
        of users: [RowID<User>],
        in app: RowID<App>,
        after mark: Int64,
        _ sequences: AppSequences
    ) throws -> [RowID<User>: ChoiceHistory] {
        guard sequences.preferenceChange > 0 else { return [:] }
        var current: [RowID<User>: [RowID<MartletCore.Category>?: ChannelChoice]] = [:]
        try forEach(SQL.inboxChoices, users) { row in
            current[row.row("user_id"), default: [:]][row.choiceCategory] = ChannelChoice(
                row,
                "enabled",
                "push",
                "inbox"
            )
        }
        let changes = try choiceChanges(of: users, in: app, after: mark, sequences)
        var histories: [RowID<User>: ChoiceHistory] = [:]
        for user in Set(current.keys).union(changes.keys) {
            histories[user] = ChoiceHistory(current: current[user] ?? [:], changes: changes[user] ?? [])
        }
        return histories
    }

    private func choiceChanges(
        of users: [RowID<User>],
        in app: RowID<App>,
        after mark: Int64,
        _ sequences: AppSequences
    ) throws -> [RowID<User>: [ChoiceHistory.Change]] {
        guard sequences.preferenceChange > mark else { return [:] }
        var changes: [RowID<User>: [ChoiceHistory.Change]] = [:]
        try forEach(SQL.inboxChanges, users, bind: { $0.bind(app, mark) }) { row in
            let change = ChoiceHistory.Change(
                id: row.int("id"),
                category: row.choiceCategory,
                before: ChannelChoice(row, "enabled", "push", "inbox")
            )
            changes[row.row("user_id"), default: []].append(change)
        }
        return changes
    }

    /// Reads the sets in which people stand, those of users with successive keys once.
    private func addMemberships(
        to people: inout [RowID<User>: InboxPerson],
        of app: RowID<App>,
        _ inbox: SharedInbox,
        isCounted: Bool
    ) throws {
        guard let first = inbox.items.first?.number, let last = inbox.items.last?.number else { return }
        let statement = try prepare(SQL.sets)
        let byBlock = Dictionary(grouping: people.keys) { UserSet.place(of: $0).block }
        for (block, users) in byBlock.sorted(by: { $0.key < $1.key }) {
            let unread = isCounted ? users.compactMap { people[$0]?.firstCounted }.min() ?? 0 : 0
            let offsets = users.map { UserSet.place(of: $0).offset }
            var found = [[Int64]](repeating: [], count: users.count)
            try statement.bind(app, block, max(first, unread), last).forEach { row in
                let number = row.int("item_id")
                guard inbox.item(number) != nil else { return }
                row.withBytes("members") { members in
                    for index in offsets.indices where UserSet.contains(offsets[index], in: members) {
                        found[index].append(number)
                    }
                }
            }
            for (user, numbers) in zip(users, found) where !numbers.isEmpty { people[user]?.memberships = numbers }
        }
    }
}

extension InboxPerson {
    /// The least number of an item that may be counted.
    fileprivate var firstCounted: Int64 {
        min(min(watermarks.read, watermarks.seen) + 1, entries.keys.min() ?? .max)
    }
}

extension [SharedItem] {
    /// The least mark of an item that everybody has.
    fileprivate var leastMark: Int64 { lazy.filter { $0.kind == .everyone }.map(\.mark).min() ?? .max }
}

extension Row {
    /// The category of a choice; 0 is over all.
    fileprivate var choiceCategory: RowID<MartletCore.Category>? {
        let row = int("category_id")
        return row == 0 ? nil : RowID(row)
    }
}

extension SharedItem {
    /// A shared item from its columns.
    init(_ row: Row) throws {
        self.init(
            number: row.int("id"),
            kind: try row.code("kind"),
            lastUser: row.int("last_user"),
            mark: row.int("mark"),
            category: row.optionalRow("category_id")
        )
    }
}

extension InboxStatus {
    /// A status from its three columns.
    init(inboxColumns row: Row) {
        self.init(isSeen: row.flag("is_seen"), isRead: row.flag("is_read"), isArchived: row.flag("is_archived"))
    }
}
