import MartletCore
import MartletWire

/// An item of a person's before it is known what it says.
struct InboxEntry {
    /// Its number.
    var number: Int64
    /// What they did with it.
    var status: InboxStatus
}

/// An item that was asked for by its id, with the person who has it.
struct FoundInboxItem {
    /// Its number.
    var number: Int64
    /// How it is kept.
    var kind: InboxItemKind
    /// The category.
    var category: RowID<MartletCore.Category>?
    /// When it leaves.
    var expiresAt: Timestamp
    /// Whose item it is.
    var notification: RowID<Notification>
    /// Whether it can be read.
    var isLive: Bool
    /// What the person did with it.
    var status: InboxStatus
    /// The items whose places it took for the person.
    var replaced: [Int64] = []
}

extension Transaction {
    /// A page of a person's items, newest first: their own and those that are shared.
    func inboxPage(
        _ status: InboxStatusName,
        category: RowID<MartletCore.Category>?,
        of user: RowID<User>,
        in app: RowID<App>,
        _ page: PageRequest
    ) throws -> Page<InboxItem> {
        let before = page.after ?? .max
        let own = try ownItems(status, category: category, of: user, below: before, limit: page.count + 1)
        let shared = try sharedEntries(status, category: category, of: user, in: app, below: before, page.count + 1)
        let entries = (own + shared).sorted { $0.number > $1.number }.prefix(page.count + 1)
        let shown = Array(entries.prefix(page.count))
        return Page(
            items: try inboxItems(shown, in: app),
            next: entries.count > page.count ? shown.last?.number : nil
        )
    }

    private func ownItems(
        _ status: InboxStatusName,
        category: RowID<MartletCore.Category>?,
        of user: RowID<User>,
        below number: Int64,
        limit: Int
    ) throws -> [InboxEntry] {
        let statement = try prepare(SQL.ownItems(status, ofCategory: category != nil))
        if let category {
            statement.bind(user, number, now, limit, category)
        } else {
            statement.bind(user, number, now, limit)
        }
        return try statement.all { InboxEntry(number: $0.int("item_id"), status: InboxStatus(inboxColumns: $0)) }
    }

    /// Reads shared items in parts until the page is full: as a rule one part.
    private func sharedEntries(
        _ status: InboxStatusName,
        category: RowID<MartletCore.Category>?,
        of user: RowID<User>,
        in app: RowID<App>,
        below number: Int64,
        _ limit: Int
    ) throws -> [InboxEntry] {
        let sequences = try sequences(of: app)
        guard sequences.inboxItem > 0 else { return [] }
        let states = try inboxStates(of: [user])
        var found: [InboxEntry] = []
        var before = number
        while found.count < limit {
            let items = try sharedItems(of: app, below: before, limit: Self.sharedPart)
            guard let last = items.last else { break }
            let inbox = try sharedInbox(items, of: app, sequences)
            let people = try inboxPeople([user], states, of: app, for: inbox, sequences)
            guard let person = people[user] else { break }
            var memory = InboxVisibility.Memory()
            for item in items where category == nil || item.category == category {
                let own = person.status(of: item.number)
                guard status.includes(own), inbox.sees(item, person, &memory) else { continue }
                found.append(InboxEntry(number: item.number, status: own))
            }
            before = last.number
            guard items.count == Self.sharedPart else { break }
        }
        return found
    }

    /// How many shared items are looked at together. Ours: more than a page has.
    static let sharedPart = 256

    /// Items with what they say, in the order of their entries.
    private func inboxItems(_ entries: [InboxEntry], in app: RowID<App>) throws -> [InboxItem] {
        let statuses = Dictionary(entries.map { ($0.number, $0.status) }) { first, _ in first }
        var items: [Int64: InboxItem] = [:]
        try forEach(SQL.itemContents, entries.map(\.number), bind: { $0.bind(app) }) { row in
            let number = row.int("id")
            guard items[number] == nil, let status = statuses[number] else { return }
            items[number] = InboxItem(
                row: RowID(number),
                id: try row.publicID("public_id"),
                category: row.optionalText("category"),
                content: try row.json("content"),
                publishedAt: row.time("published_at"),
                expiresAt: row.time("expires_at"),
                status: status
            )
        }
        return entries.compactMap { items[$0.number] }
    }

    /// One of a person's items with what it says; `nil` where it is not theirs or cannot be read any more.
    func inboxItem(_ id: PublicID, of user: RowID<User>, in app: RowID<App>) throws -> InboxItem? {
        guard let found = try ownedItem(id, of: user, in: app), found.isLive else { return nil }
        return try inboxItems([InboxEntry(number: found.number, status: found.status)], in: app).first
    }

    /// One of a person's items, also one that is over; `nil` where it is not theirs.
    func ownedItem(_ id: PublicID, of user: RowID<User>, in app: RowID<App>) throws -> FoundInboxItem? {
        let found = try prepare(SQL.itemByID).bind(app, id).first { row in
            let item = FoundInboxItem(
                number: row.int("id"),
                kind: try row.code("kind"),
                category: row.optionalRow("category_id"),
                expiresAt: row.time("expires_at"),
                notification: row.row("notification_id"),
                isLive: row.isNull("recalled_at") && row.time("expires_at") > now,
                status: InboxStatus()
            )
            return (item: item, lastUser: row.int("last_user"), mark: row.int("mark"))
        }
        guard var item = found?.item, let found else { return nil }
        guard item.kind != .rows else {
            let entry = try prepare(SQL.entry).bind(user, item.number)
                .first { (status: InboxStatus(inboxColumns: $0), replaced: $0.optionalText("replaced")) }
            guard let entry else { return nil }
            (item.status, item.replaced) = (entry.status, ReplacedItems(entry.replaced).numbers)
            return item
        }
        let shared = SharedItem(
            number: item.number,
            kind: item.kind,
            lastUser: found.lastUser,
            mark: found.mark,
            category: item.category
        )
        let sequences = try sequences(of: app)
        let inbox = try sharedInbox([shared], of: app, sequences)
        let people = try inboxPeople([user], inboxStates(of: [user]), of: app, for: inbox, sequences)
        var memory = InboxVisibility.Memory()
        guard let person = people[user], inbox.sees(shared, person, &memory) else { return nil }
        item.status = person.status(of: item.number)
        return item
    }
}

extension InboxStatusName {
    /// Whether a list of this name has an item.
    func includes(_ status: InboxStatus) -> Bool {
        switch self {
        case .active: !status.isArchived
        case .unseen: !status.isSeen
        case .unread: !status.isRead
        case .read: status.isRead && !status.isArchived
        case .archived: status.isArchived
        }
    }
}
