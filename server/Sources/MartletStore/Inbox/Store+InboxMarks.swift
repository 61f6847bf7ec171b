public import MartletCore
public import MartletWire

extension Store {
    /// Does something with a person's items; what is read or archived so is not sent to their devices any more. Where the
    /// app asks for it, their other devices are due to be told, by ``takeBadgeSyncs(limit:)``.
    ///
    /// - Parameter installation: where the person did it; `nil` where that is not known.
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when a single item that is named is not theirs.
    public func markInbox(
        _ mark: InboxMark,
        of owner: InboxOwner,
        on installation: PublicID?
    ) async throws -> InboxCounts {
        switch mark {
        case .items(let ids, let action):
            return try await write { transaction in
                let user = try transaction.user(owner.user, of: owner.app)
                try transaction.mark(ids, as: action, of: user, in: owner.app)
                if let user, action.changesUnread {
                    try transaction.planBadgeSync(of: user, in: owner.app, readOn: installation)
                }
                return try transaction.inboxCounts(of: user, in: owner.app)
            }
        case .all(let id, let action, let category):
            guard [.see, .read, .archive].contains(action) else {
                throw Failure.invalid("action", "All items can be seen, read or archived.")
            }
            guard let category else {
                return try await write { transaction in
                    let (user, number) = try transaction.newest(id, of: owner)
                    try transaction.markAll(upTo: number, as: action, of: user, in: owner.app)
                    if action.changesUnread {
                        try transaction.planBadgeSync(of: user, in: owner.app, readOn: installation)
                    }
                    return try transaction.inboxCounts(of: user, in: owner.app)
                }
            }
            // Below which number the next part stands.
            var next: Int64?
            repeat {
                next = try await write { [next] transaction in
                    let (user, number) = try transaction.newest(id, of: owner)
                    if action.changesUnread {
                        try transaction.planBadgeSync(of: user, in: owner.app, readOn: installation)
                    }
                    return try transaction.markPart(
                        of: category,
                        below: next ?? number + 1,
                        isFirst: next == nil,
                        as: action,
                        of: user,
                        in: owner.app
                    )
                }
            } while next != nil
            return try await inboxCounts(of: owner)
        }
    }
}

extension Transaction {
    /// A person with the number of the newest item that they saw. It may be over by now, or a newer one may have taken its
    /// place: then only its place in the order counts.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` where it is not theirs.
    fileprivate func newest(_ id: PublicID, of owner: InboxOwner) throws -> (user: RowID<User>, number: Int64) {
        guard let user = try user(owner.user, of: owner.app) else { throw Failure.notFound("inbox item") }
        if let item = try ownedItem(id, of: user, in: owner.app) { return (user, item.number) }
        let other = try prepare(SQL.itemByID).bind(owner.app, id).first { row in
            (
                number: row.int("id"),
                isLive: row.isNull("recalled_at") && row.time("expires_at") > now
            )
        }
        // Of an item that is over it is not known any more whose it was; its number says nothing about anybody.
        guard let other,
            try !other.isLive || prepare(SQL.newerVersion).bind(owner.app, id, user).exists()
        else { throw Failure.notFound("inbox item") }
        return (user, other.number)
    }

    /// Marks single items; those that are not the person's are passed over.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` where the only one is not theirs.
    fileprivate func mark(_ ids: [PublicID], as action: InboxAction, of user: RowID<User>?, in app: RowID<App>) throws {
        var hasChanged = false
        for id in ids {
            let found = try user.flatMap { try ownedItem(id, of: $0, in: app) }
            guard let user, let item = found, item.isLive else {
                if ids.count == 1 { throw Failure.notFound("inbox item") }
                continue
            }
            if try mark(item, as: action, of: user, in: app) { hasChanged = true }
        }
        if let user, hasChanged { try write(SQL.touchInboxes, [user]) }
    }

    /// Marks an item; says whether that changes anything.
    ///
    /// - Parameter withdraws: whether devices that the notification was not sent to yet are spared it.
    func mark(
        _ item: FoundInboxItem,
        as action: InboxAction,
        of user: RowID<User>,
        in app: RowID<App>,
        withdraws: Bool = true
    ) throws -> Bool {
        let status = item.status.applying(action)
        guard status != item.status else { return false }
        try write(status, of: item, for: user)
        if withdraws, action.withdraws, !item.status.isRead, try prepare(SQL.isItemOpen).bind(app, item.number).exists()
        {
            try withdraw(user, from: item.notification)
        }
        if withdraws, action.withdraws, !item.status.isRead { try withdraw(user, fromReplaced: item.replaced, in: app) }
        return true
    }

    /// Takes back what of the earlier versions of an item is not over.
    private func withdraw(_ user: RowID<User>, fromReplaced items: [Int64], in app: RowID<App>) throws {
        var open: [RowID<Notification>] = []
        try forEach(SQL.openNotifications, items, bind: { $0.bind(app) }) { open.append($0.row("notification_id")) }
        for notification in Set(open) { try withdraw(user, from: notification) }
    }

    /// The same for all that a person has not read up to an item.
    private func withdrawReplaced(
        upTo number: Int64,
        ofCategory category: RowID<MartletCore.Category>? = nil,
        of user: RowID<User>,
        in app: RowID<App>
    ) throws {
        let statement = try prepare(SQL.unreadReplaced(ofCategory: category != nil))
        if let category { statement.bind(user, number, category) } else { statement.bind(user, number) }
        let replaced = try statement.all { ReplacedItems($0.optionalText("replaced")).numbers }
        try withdraw(user, fromReplaced: Array(replaced.joined()), in: app)
    }

    private func write(_ status: InboxStatus, of item: FoundInboxItem, for user: RowID<User>) throws {
        try prepare(SQL.markEntry)
            .bind(
                user,
                item.number,
                item.kind == .rows,
                item.category,
                item.expiresAt,
                status.isSeen,
                status.isRead,
                status.isArchived,
                status.isRead ? now : Timestamp(milliseconds: 0)
            )
            .run()
    }

    /// Marks a person's own items one by one and all that is shared by its number.
    fileprivate func markAll(
        upTo number: Int64,
        as action: InboxAction,
        of user: RowID<User>,
        in app: RowID<App>
    ) throws {
        if action.withdraws {
            try prepare(SQL.withdrawOwn(ofCategory: false)).bind(app, user, number).run()
            try withdrawReplaced(upTo: number, of: user, in: app)
            try withdrawShared(upTo: number, of: user, in: app)
        }
        let entries = try prepare(SQL.markEntries(action, ofCategory: false))
        if action.withdraws { entries.bind(user, number, now) } else { entries.bind(user, number) }
        try entries.run()
        let read = action == .see ? 0 : number
        try prepare(SQL.markShared).bind(user, number, read, action == .archive ? number : 0).run()
    }

    /// Takes those shared notifications back that are not over and that the person sees and has not read.
    private func withdrawShared(upTo number: Int64, of user: RowID<User>, in app: RowID<App>) throws {
        let sequences = try sequences(of: app)
        guard sequences.inboxItem > 0 else { return }
        let states = try inboxStates(of: [user])
        let open = try prepare(SQL.openShared).bind(app, number, states[user]?.watermarks.read ?? 0, now)
            .all { (item: try SharedItem($0), notification: $0.row("notification_id") as RowID<Notification>) }
        guard !open.isEmpty else { return }
        let inbox = try sharedInbox(open.map(\.item), of: app, sequences)
        guard let person = try inboxPeople([user], states, of: app, for: inbox, sequences)[user] else { return }
        var memory = InboxVisibility.Memory()
        for (item, notification) in open where inbox.sees(item, person, &memory) {
            if !person.status(of: item.number).isRead { try withdraw(user, from: notification) }
        }
    }

    /// Marks the next items of a category: with the first part the person's own.
    ///
    /// - Returns: below which number the next part stands; `nil` at the end.
    fileprivate func markPart(
        of category: RowID<MartletCore.Category>,
        below number: Int64,
        isFirst: Bool,
        as action: InboxAction,
        of user: RowID<User>,
        in app: RowID<App>
    ) throws -> Int64? {
        var changed = 0
        if isFirst {
            if action.withdraws {
                try prepare(SQL.withdrawOwn(ofCategory: true)).bind(app, user, number - 1, category).run()
                try withdrawReplaced(upTo: number - 1, ofCategory: category, of: user, in: app)
            }
            let entries = try prepare(SQL.markEntries(action, ofCategory: true))
            let last = number - 1
            if action.withdraws { entries.bind(user, last, category, now) } else { entries.bind(user, last, category) }
            changed += try entries.changes()
        }
        let items = try prepare(SQL.sharedOfCategory).bind(app, category, number, now, Self.categoryPart).all { row in
            (item: try SharedItem(row), expiresAt: row.time("expires_at"), notification: row.int("notification_id"))
        }
        let sequences = try sequences(of: app)
        let inbox = try sharedInbox(items.map(\.item), of: app, sequences)
        let person = try inboxPeople([user], inboxStates(of: [user]), of: app, for: inbox, sequences)[user]
        var memory = InboxVisibility.Memory()
        for (item, expiresAt, notification) in items {
            guard let person, inbox.sees(item, person, &memory) else { continue }
            let found = FoundInboxItem(
                number: item.number,
                kind: item.kind,
                category: category,
                expiresAt: expiresAt,
                notification: RowID(notification),
                isLive: true,
                status: person.status(of: item.number)
            )
            if try mark(found, as: action, of: user, in: app) { changed += 1 }
        }
        if changed > 0 { try write(SQL.touchInboxes, [user]) }
        return items.count == Self.categoryPart ? items.last?.item.number : nil
    }

    /// How many shared items one transaction marks. Ours: some milliseconds.
    private static let categoryPart = 500
}
