import MartletCore
import MartletWire

/// A part of an app's notifications, as far as a user is named by them.
struct NamingNotifications: Sendable {
    /// Those that name the user.
    var naming: [RowID<Notification>]
    /// The last one that was looked at.
    var last: Int64
}

/// Notifications keep whom they were for as a text, without an index by user: a user's name is looked for in all of the
/// app's.
extension Transaction {
    /// How many notifications one part looks at. Ours: some milliseconds, also where each names thousands.
    private static let namingPart = 1_000

    /// Which of the next notifications name a user; `nil` at the end.
    func notifications(naming user: String, of app: RowID<App>, after: Int64) throws -> NamingNotifications? {
        let last = try prepare(SQL.lastOfNextNotifications).bind(app, after, Self.namingPart)
            .first { $0.optionalInt("last") }
        guard let last = last ?? nil else { return nil }
        // As it stands in the list. It may stand within another name too, so that the list is read before it is changed.
        var text = JSONText()
        text.write(user)
        let naming = try prepare(SQL.notificationsNaming).bind(app, after, last, text.text)
            .all { $0.row("id") as RowID<Notification> }
        return NamingNotifications(naming: naming, last: last)
    }

    /// Takes a user's name out of a notification. One that was for nobody else says nothing any more, and its item is gone.
    ///
    /// - Returns: whether it named the user.
    func eraseName(_ user: String, from notification: RowID<Notification>) throws -> Bool {
        let known =
            try prepare(SQL.audience).bind(notification)
            // One that cannot be read cannot be sent either.
            .first { try? $0.json("audience", as: Audience.self) } ?? nil
        guard let left = known?.erasing(user) else { return false }
        try prepare("UPDATE notifications SET audience = ? WHERE id = ?").bind(try storedText(left), notification).run()
        if left.isErased { try eraseContent(of: notification) }
        return true
    }

    /// Forgets what a notification said. As long as a delivery of it waits its message stays, so that the attempt says why
    /// it is not made.
    private func eraseContent(of notification: RowID<Notification>) throws {
        try prepare(SQL.eraseContent).bind(try storedText(Content()), notification).run()
        try prepare(SQL.eraseMessages).bind(notification).run()
        try prepare("DELETE FROM withdrawals WHERE notification_id = ?").bind(notification).run()
        let item = try prepare(SQL.itemOfNotification).bind(notification).first(StoredInboxItem.init)
        guard let item, item.kind == .rows else { return }
        let users = try prepare(SQL.entriesOfItem).bind(item.expiresAt, item.number, Int.max)
            .all { $0.row("user_id") as RowID<User> }
        for user in users {
            try prepare("DELETE FROM inbox_entries WHERE user_id = ? AND item_id = ?").bind(user, item.number).run()
        }
        try deleteItem(item.number, of: item.app)
    }

    /// Forgets a user's choices, and inbox items that nobody else has.
    func eraseInbox(of user: RowID<User>, _ app: RowID<App>) throws {
        let own = try prepare("SELECT item_id, expires_at FROM inbox_entries WHERE user_id = ? AND is_direct = 1")
            .bind(user)
            .all { (number: $0.int("item_id"), expiresAt: $0.time("expires_at")) }
        try forgetChoices(of: user)
        let others = try prepare(SQL.entriesOfItem)
        for item in own where try !others.bind(item.expiresAt, item.number, 1).exists() {
            try deleteItem(item.number, of: app)
        }
    }

    /// Whoever is still to get the item has it made anew.
    private func deleteItem(_ number: Int64, of app: RowID<App>) throws {
        try prepare("DELETE FROM inbox_items WHERE app_id = ? AND id = ? AND kind = 1").bind(app, number).run()
    }

    /// The users that a notification names now, by the bytes of their ids.
    func usersNamed(by notification: RowID<Notification>) throws -> Set<[UInt8]> {
        let audience: Audience? = try prepare(SQL.audience).bind(notification).first { try $0.json("audience") }
        guard case .users(let ids)? = audience else { return [] }
        return Set(ids.map { Array($0.utf8) })
    }

    /// Some users without those that were erased.
    func notErased(_ users: [RowID<User>]) throws -> [RowID<User>] {
        var erased: Set<RowID<User>> = []
        try forEach(SQL.erasedUsers, users) { erased.insert($0.row("id")) }
        return erased.isEmpty ? users : users.filter { !erased.contains($0) }
    }
}

extension SQL {
    /// The last of an app's next notifications: app, after, limit.
    static let lastOfNextNotifications = """
        SELECT max(id) AS last FROM (
            SELECT id FROM notifications /*+ notifications_app */ WHERE app_id = ? AND id > ? ORDER BY id LIMIT ?
        ) AS part
        """
    /// Those among them that may name a user: app, after, last, the name as JSON.
    static let notificationsNaming = """
        SELECT id FROM notifications /*+ notifications_app */
        WHERE app_id = ? AND id > ? AND id <= ? AND audience LIKE '{"users"%' AND replace(audience, ?, '') <> audience
        ORDER BY id
        """
    /// Whom a notification is for: notification.
    static let audience = "SELECT audience FROM notifications WHERE id = ?"
    /// Takes out of a notification what it says: content, notification.
    static let eraseContent = """
        UPDATE notifications SET content = ?, inbox = CASE WHEN inbox IS NULL THEN NULL ELSE '{}' END WHERE id = ?
        """
    /// Its messages, where nothing of it waits: notification.
    static let eraseMessages = """
        DELETE FROM messages WHERE notification_id = ?1
            AND NOT EXISTS (SELECT 1 FROM batches b WHERE b.notification_id = ?1)
            AND NOT EXISTS (SELECT 1 FROM fan_outs f WHERE f.notification_id = ?1)
        """
    /// Who of some users was erased: users.
    static let erasedUsers = KeyStatement { users in
        "SELECT id FROM users WHERE id IN (\(users)) AND external_id IS NULL"
    }
}
