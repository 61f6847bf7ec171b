public import MartletCore
import MartletWire

extension Store {
    /// Forgets what a person chose, read and did. Their notifications and what was recorded of deliveries no longer name
    /// them; what was for nobody else goes with what it said. Their devices are removed with the devices' subscriptions, or
    /// kept as anonymous. A notification that is open reaches them no more,
    /// and makes them anew as little.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when neither a user nor a notification has the name.
    public func eraseUser(_ user: String, of app: RowID<App>, keepsDevices: Bool) async throws {
        let isKnown = try await read { try $0.user(user, of: app) } != nil
        let begin = NotificationIDs.firstKey(of: clock.now())
        let named = try await eraseNames(user, of: app)
        guard isKnown || named.isNamed else { throw Failure.notFound("user") }
        try await inParts { try $0.eraseEvents(of: user, app, after: $1) }
        try await inParts { try $0.endSubscriptions(of: user, app, isOfDevicesToo: !keepsDevices, after: $1) }
        try await write(isolation: .alone) { transaction in
            // What was accepted meanwhile; nothing is while this is under way.
            var after = min(named.last, begin)
            while let part = try transaction.notifications(naming: user, of: app, after: after) {
                for notification in part.naming { _ = try transaction.eraseName(user, from: notification) }
                after = part.last
            }
            try transaction.erase(user, of: app, keepsDevices: keepsDevices)
        }
    }

    /// How many notifications one write takes a name out of. Ours: some milliseconds.
    private static let namesPerWrite = 100

    /// Takes a user's name out of the app's notifications; says whether any had it, and the last that was looked at.
    private func eraseNames(_ user: String, of app: RowID<App>) async throws -> (isNamed: Bool, last: Int64) {
        var (isNamed, last): (Bool, Int64) = (false, 0)
        while let part = try await readLong({ [last] in try $0.notifications(naming: user, of: app, after: last) }) {
            for start in stride(from: 0, to: part.naming.count, by: Self.namesPerWrite) {
                let some = part.naming[start..<min(start + Self.namesPerWrite, part.naming.count)]
                let count = try await write { transaction in
                    try some.count { try transaction.eraseName(user, from: $0) }
                }
                if count > 0 { isNamed = true }
            }
            last = part.last
        }
        return (isNamed, last)
    }

    /// Walks along a table, each part in a write of its own.
    private func inParts(_ part: @escaping @Sendable (Transaction, Int64) throws -> Int64?) async throws {
        var after: Int64? = 0
        while let last = after { after = try await write { try part($0, last) } }
    }
}

extension Transaction {
    /// How many rows of a table one part looks at. Ours: some milliseconds.
    private static let erasurePart = 10_000

    /// Takes a user out of the next events; says the last that was looked at. A subject is a device between two users: what
    /// it reported for this one is anonymous, and not the next one's.
    fileprivate func eraseEvents(of user: String, _ app: RowID<App>, after: Int64) throws -> Int64? {
        let last = try prepare(SQL.lastOfNextEvents).bind(after, Self.erasurePart).first { $0.optionalInt("last") }
        guard let last = last ?? nil else { return nil }
        try prepare(SQL.eraseEvents).bind(app, user, after, last).run()
        let subjects = try prepare(SQL.eventSubjectsOfUser).bind(app, user, after, last).all { $0.int("subject_id") }
        for subject in subjects {
            try prepare("DELETE FROM event_identities WHERE subject_id = ?").bind(subject).run()
            try prepare("UPDATE event_subjects SET user_id = NULL WHERE id = ?").bind(subject).run()
        }
        return last
    }

    /// Ends a user's own subscriptions among the next of the app, and their devices' where these go too; says the last that
    /// was looked at.
    fileprivate func endSubscriptions(
        of user: String,
        _ app: RowID<App>,
        isOfDevicesToo: Bool,
        after: Int64
    ) throws -> Int64? {
        let last = try prepare(SQL.lastOfNextSubscriptions).bind(app, after, Self.erasurePart)
            .first { $0.optionalInt("last") }
        guard let last = last ?? nil, let row = try self.user(user, of: app) else { return nil }
        var own = try prepare(SQL.subscriptionsOfUser).bind(app, row, after, last)
            .all { $0.row("id") as RowID<Subscription> }
        if isOfDevicesToo {
            own += try prepare(SQL.subscriptionsOfDevices).bind(app, row, after, last).all { $0.row("id") }
        }
        for subscription in own {
            if let known = try self.subscription(.row(subscription)) { try endSubscription(known) }
        }
        return last
    }

    /// Forgets what a user chose, read and is called. The row stays: results have its key, which names nobody then.
    ///
    /// What waits for their devices is not sent when it is leased, because these are gone or anonymous. An audience that is being
    /// read does not meet them a second time, as it does with others that move: they would be sent to as if their person
    /// had chosen nothing.
    fileprivate func erase(_ user: String, of app: RowID<App>, keepsDevices: Bool) throws {
        guard let row = try self.user(user, of: app) else { return }
        let endpoints = try prepare("SELECT id FROM endpoints WHERE app_id = ? AND user_id = ? AND status <> 2")
            .bind(app, row)
            .all { $0.row("id") as RowID<Endpoint> }
        for endpoint in endpoints {
            try prepare("UPDATE endpoints SET user_id = NULL, custom_user_data = NULL WHERE id = ?").bind(endpoint)
                .run()
            if let known = try self.endpoint(endpoint) { try associateEvents(of: known, owner: .nobody) }
            if !keepsDevices { try removeEndpoint(endpoint, reason: .byRequest) }
        }
        try prepare(SQL.eraseWithdrawals).bind(app, row).run()
        try prepare("DELETE FROM preference_changes WHERE user_id = ?").bind(row).run()
        try eraseInbox(of: row, app)
        try prepare("UPDATE dead_letters SET external_user_id = NULL WHERE app_id = ? AND user_id = ?").bind(app, row)
            .run()
        try prepare("UPDATE users SET external_id = NULL WHERE id = ?").bind(row).run()
    }
}

extension SQL {
    /// The last of the next events, of all apps: after, limit.
    static let lastOfNextEvents = """
        SELECT max(id) AS last FROM (SELECT id FROM push_events WHERE id > ? ORDER BY id LIMIT ?) AS part
        """
    /// Takes a user out of events: app, user, after, last.
    static let eraseEvents = """
        UPDATE push_events SET user_id = NULL WHERE app_id + 0 = ? AND user_id = ? AND id > ? AND id <= ?
        """
    /// The subjects by which events are a user's: app, user, after, last.
    static let eventSubjectsOfUser = """
        SELECT DISTINCT e.subject_id FROM push_events e JOIN event_subjects s ON s.id = e.subject_id
        WHERE e.app_id + 0 = ? AND s.user_id = ? AND e.id > ? AND e.id <= ?
        """
    /// The last of an app's next subscriptions: app, after, limit.
    static let lastOfNextSubscriptions = """
        SELECT max(id) AS last FROM (
            SELECT id FROM subscriptions /*+ subscriptions_app */ WHERE app_id = ? AND id > ? ORDER BY id LIMIT ?
        ) AS part
        """
    /// A user's own among them: app, user, after, last.
    static let subscriptionsOfUser = """
        SELECT id FROM subscriptions /*+ subscriptions_app */
        WHERE app_id = ? AND kind = 2 AND subject_id = ? AND id > ? AND id <= ? ORDER BY id
        """
    /// Those of a user's devices among them: app, user, after, last.
    static let subscriptionsOfDevices = """
        SELECT id FROM subscriptions /*+ subscriptions_app */
        WHERE app_id = ?1 AND kind = 1 AND id > ?3 AND id <= ?4 AND subject_id IN (
            SELECT e.id FROM endpoints e WHERE e.app_id = ?1 AND e.user_id = ?2 AND e.status <> 2
        ) ORDER BY id
        """
    /// Forgets which of the notifications in a user's inbox were taken back from their devices: app, user.
    static let eraseWithdrawals = """
        DELETE FROM withdrawals WHERE user_id = ?2 AND notification_id IN (
            SELECT i.notification_id FROM inbox_entries e JOIN inbox_items i ON i.app_id = ?1 AND i.id = e.item_id
            WHERE e.user_id = ?2
        )
        """
}
