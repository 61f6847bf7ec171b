public import MartletCore
public import MartletWire

extension SQLStore {
    /// Marks in one transaction, but those of a category, which are marked in parts.
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
                    let (user, item) = try transaction.newest(id, of: owner)
                    try transaction.markAll(upTo: item.number, as: action, of: user, in: owner.app)
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
                    let (user, item) = try transaction.newest(id, of: owner)
                    if action.changesUnread {
                        try transaction.planBadgeSync(of: user, in: owner.app, readOn: installation)
                    }
                    return try transaction.markPart(
                        of: category,
                        below: next ?? item.number + 1,
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
    /// A person with the newest item that they saw, which may be over by now.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` where it is not theirs.
    fileprivate func newest(_ id: PublicID, of owner: InboxOwner) throws -> (RowID<User>, FoundInboxItem) {
        guard let user = try user(owner.user, of: owner.app), let item = try ownedItem(id, of: user, in: owner.app)
        else { throw Failure.notFound("inbox item") }
        return (user, item)
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
        return true
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
            }
            let entries = try prepare(SQL.markEntries(action, ofCategory: true))
            let last = number - 1
            if action.withdraws { entries.bind(user, last, category, now) } else { entries.bind(user, last, category) }
            changed += try entries.run()
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
