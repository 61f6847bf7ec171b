import MartletCore
import MartletWire

extension Store {
    /// A draft's badges by users' keys, as JSON; `nil` where no message has a place for them.
    ///
    /// It is made before the transaction that accepts the draft, so that the writer does not wait for it. Users that do
    /// not exist are made, because they may have a device by the time of the attempt.
    func storedBadges(of draft: NotificationDraft) async throws -> String? {
        guard !draft.badges.isEmpty, draft.messages.contains(where: { $0.payload.has(.badge) }) else { return nil }
        let ids = draft.badges.keys.sorted()
        var rows = try await read { try $0.users(ids, of: draft.app) }
        let missing = ids.filter { [rows] in rows[$0] == nil }
        if !missing.isEmpty {
            let made = try await write { transaction in
                guard try transaction.app(.row(draft.app)) != nil else { throw Failure.notFound("app") }
                return try missing.map { try transaction.makeUser($0, of: draft.app) }
            }
            for (id, row) in zip(missing, made) { rows[id] = row }
        }
        var badges: [Int: Int32] = [:]
        for (id, badge) in draft.badges {
            if let row = rows[id] { badges[Int(row.rawValue)] = badge }
        }
        return try encodedJSON(badges)
    }
}

extension Transaction {
    /// The keys of an app's users, by their ids; of those that exist.
    fileprivate func users(_ ids: [String], of app: RowID<App>) throws -> [String: RowID<User>] {
        var rows: [String: RowID<User>] = [:]
        let statement = try prepare(SQL.users).bind(app)
        for start in stride(from: 0, to: ids.count, by: SQL.run) {
            for offset in 0..<SQL.run {
                // The last one again, where there are no more.
                statement.set(Int32(2 + offset), ids[min(start + offset, ids.count - 1)])
            }
            try statement.forEach { rows[$0.text("external_id")] = $0.row("id") }
        }
        return rows
    }

    /// The badges of a batch's users that have one: what their inboxes have now, or what is stored; of all that are stored,
    /// no more than a batch has members are kept.
    func badges(of batch: Batch) throws -> [RowID<User>: Int32] {
        let stored = try prepare("SELECT badges, inbox_badge FROM messages WHERE notification_id = ? AND platform = ?")
            .bind(batch.notification, batch.queue.platform.code)
            .first { row in
                (
                    badges: try row.isNull("badges") ? [:] : row.json("badges", as: [Int: Int32].self),
                    inbox: try row.optionalCode("inbox_badge", as: InboxBadgeName.self)
                )
            }
        if let name = stored?.inbox { return try inboxBadges(name, of: batch) }
        guard let badges = stored?.badges, !badges.isEmpty else { return [:] }
        return batch.members.reduce(into: [:]) { found, member in
            guard let user = member.user else { return }
            found[user] = badges[Int(user.rawValue)]
        }
    }

    /// How many items a batch's users have not read, or not seen, this notification's included.
    private func inboxBadges(_ name: InboxBadgeName, of batch: Batch) throws -> [RowID<User>: Int32] {
        let users = Set(batch.members.compactMap(\.user)).sorted()
        return try inboxCounts(of: users, in: batch.queue.app).mapValues { counts in
            Int32(clamping: name == .unread ? counts.unread : counts.unseen)
        }
    }
}
