import MartletCore
import MartletWire

/// The numbers of an app's preference changes are drawn under the lock of the app's row, which is held to the commit: so
/// they are committed in their order, and whoever has read one sees all before it.
extension Transaction {
    /// The number of an app's last preference change; 0 where nobody has ever chosen anything.
    func lastPreferenceChange(of app: RowID<App>) throws -> Int64 {
        try prepare(SQL.lastPreferenceChange).bind(app).first { $0.int("preference_change") } ?? 0
    }

    /// Has others that write to an app's numbers wait until this transaction is over.
    func lockSequences(of app: RowID<App>) throws { try drawPreferenceChanges(0, of: app) }

    /// Writes a change and what follows from it, if it is one; says the change's number.
    ///
    /// - Parameter user: `nil` for a category's default.
    @discardableResult
    func recordPreferenceChange(
        of user: RowID<User>?,
        _ app: RowID<App>,
        _ category: RowID<MartletCore.Category>?,
        from before: ChannelChoice,
        to after: ChannelChoice,
        actor: String
    ) throws -> Int64 {
        let number = try drawPreferenceChanges(1, of: app)
        try prepare(
            """
            INSERT INTO preference_changes (app_id, id, user_id, category_id, before_enabled, before_push, before_inbox,
                after_enabled, after_push, after_inbox, actor, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        .bind(
            app,
            number,
            user?.rawValue ?? 0,
            category?.rawValue ?? 0,
            before.enabled,
            before.push,
            before.inbox,
            after.enabled,
            after.push,
            after.inbox,
            actor,
            now
        )
        .run()
        return number
    }

    @discardableResult
    private func drawPreferenceChanges(_ count: Int, of app: RowID<App>) throws -> Int64 {
        try prepare(SQL.drawPreferenceChanges).bind(app, count).one { $0.int("preference_change") }
    }

    /// Deletes changes by age. One by one, because SQLite looks a list of pairs up by the first of each, which is the app.
    func purgePreferenceChanges(before: Timestamp, limit: Int) throws -> Int {
        let old = try prepare(SQL.oldPreferenceChanges).bind(before, limit).all {
            (app: $0.int("app_id"), id: $0.int("id"))
        }
        for row in old { try prepare(SQL.deletePreferenceChange).bind(row.app, row.id).run() }
        return old.count
    }

    /// Deletes a part of the changes of an app that is gone; says how many rows that were.
    func forgetPreferenceChanges(of app: RowID<App>, limit: Int) throws -> Int {
        let last = try prepare("SELECT id FROM preference_changes WHERE app_id = ? ORDER BY id LIMIT 1 OFFSET ?")
            .bind(app, limit - 1)
            .first { $0.int("id") }
        return try prepare("DELETE FROM preference_changes WHERE app_id = ? AND id <= ?").bind(app, last ?? .max)
            .changes()
    }

    /// Deletes a part of what the users of an app that is gone chose and read, the users with it; says how many rows that
    /// were.
    func forgetUsers(of app: RowID<App>, limit: Int) throws -> Int {
        let users = try prepare("SELECT id FROM users WHERE app_id = ? ORDER BY id LIMIT ?").bind(app, limit)
            .all { $0.row("id") as RowID<User> }
        var count = 0
        // One user may have a thousand rows.
        for user in users where count < limit { count += try forget(user) }
        return count
    }

    /// Deletes a user with what they chose and read; says how many rows that were.
    private func forget(_ user: RowID<User>) throws -> Int {
        try forgetChoices(of: user) + prepare("DELETE FROM users WHERE id = ?").bind(user).changes()
    }

    /// Deletes what a user chose and read, and which devices they had; says how many rows that were.
    @discardableResult
    func forgetChoices(of user: RowID<User>) throws -> Int {
        try ["preferences", "inbox_entries", "inbox_state", "former_devices"].reduce(0) { count, table in
            try count + prepare("DELETE FROM \(table) WHERE user_id = ?").bind(user).changes()
        }
    }
}
