public import MartletCore
import MartletWire

extension Store {
    /// Forgets what is older than its retention; says how much that was. A store that drops whole days keeps a notification
    /// for up to two days more.
    public func purge(_ table: RetentionTable, before: Timestamp, limit: Int) async throws -> Int {
        let before = table == .notifications ? try await database.dropDays(before: before) : before
        return try await write { transaction in
            switch table {
            case .staleEndpoints: try transaction.removeStaleEndpoints(registeredBefore: before, limit: limit)
            case .notifications: try transaction.purgeNotification(before: before, limit: limit)
            case .claims: try transaction.purgeClaims(before: before, limit: limit)
            case .idempotency: try transaction.purgeIdempotency(before: before, limit: limit)
            case .removedEndpoints: try transaction.purgeRemovedEndpoints(before: before, limit: limit)
            case .deadLetters: try transaction.purgeDeadLetters(before: before, limit: limit)
            case .pendingSubscriptions: try transaction.purgePendingSubscriptions(before: before, limit: limit)
            case .webhookHosts: try transaction.purgeWebhookQueues(before: before, limit: limit)
            case .deletedTopics: try transaction.purgeDeletedTopics(before: before, limit: limit)
            case .fifoMessages: try transaction.purgeFIFOMessages(before: before, limit: limit)
            case .inboxItems: try transaction.purgeInbox(before: before, limit: limit)
            case .events: try transaction.purgeEvents(before: before, limit: limit)
            case .eventKeys: try transaction.purgeEventKeys(before: before, limit: limit)
            case .eventCounts: try transaction.purgeEventCounts(before: before, limit: limit)
            case .eventSubjects: try transaction.purgeEventSubjects(before: before, limit: limit)
            case .preferenceChanges: try transaction.purgePreferenceChanges(before: before, limit: limit)
            case .minuteCounts: try transaction.foldMinutes(before: before, limit: limit)
            case .pastMinuteCounts: try transaction.purgePastMinutes(before: before, limit: limit)
            case .hourCounts: try transaction.purgeHours(before: before, limit: limit)
            case .operatorSessions: try transaction.purgeSessions(before: before, limit: limit)
            case .auditLog: try transaction.purgeAuditLog(before: before, limit: limit)
            }
        }
    }

    /// Deletes an app with everything that is its own.
    public func deleteApp(_ app: RowID<App>) async throws {
        try await writeConfiguration { try $0.hide(app) }
        try await deleteHiddenRows()
    }

    /// Deletes what hidden apps leave, in parts.
    func deleteHiddenRows() async throws {
        while try await write({ try $0.deleteHidden(limit: 5_000) }) > 0 {}
    }
}

extension Transaction {
    fileprivate func purgeNotification(before: Timestamp, limit: Int) throws -> Int {
        // By key, which grows with time: that saves an index which every submission would have to write.
        let oldest = try prepare(
            """
            SELECT n.id, n.created_at FROM notifications n
            WHERE NOT EXISTS (SELECT 1 FROM batches b WHERE b.notification_id = n.id)
                AND NOT EXISTS (SELECT 1 FROM fan_outs f WHERE f.notification_id = n.id)
            ORDER BY n.id LIMIT 1
            """
        )
        .first { (row: $0.row("id") as RowID<Notification>, createdAt: $0.time("created_at")) }
        guard let oldest, oldest.createdAt < before else { return try deleteHidden(limit: limit) }
        return try forget(oldest.row, limit: limit)
    }

    /// Deletes a part of a notification, the notification itself with the last one; says how many rows that were.
    private func forget(_ notification: RowID<Notification>, limit: Int) throws -> Int {
        var count = 0
        let large = [
            ("batches", "first_endpoint"), ("deliveries", "endpoint_id"), ("suppressions", "key"),
            ("accepted", "first_endpoint"), ("moves", "endpoint_id"), ("withdrawals", "user_id"),
            ("holds", "id"),
        ]
        for (table, key) in large {
            guard count < limit else { return count }
            let last = try prepare(
                "SELECT \(key) AS key FROM \(table) WHERE notification_id = ? ORDER BY \(key) LIMIT 1 OFFSET ?"
            )
            .bind(notification, limit - count - 1)
            .first { $0.int("key") }
            count += try prepare("DELETE FROM \(table) WHERE notification_id = ? AND \(key) <= ?")
                .bind(notification, last ?? .max)
                .changes()
        }
        guard count < limit else { return count }
        for table in ["fan_outs", "topic_fan_outs", "quarantine", "cancellations", "progress", "messages"] {
            try prepare("DELETE FROM \(table) WHERE notification_id = ?").bind(notification).run()
        }
        return count + (try prepare("DELETE FROM notifications WHERE id = ?").bind(notification).changes())
    }

    /// Goes from dedup key to dedup key, those first whose cooldowns ended longest ago.
    fileprivate func purgeClaims(before: Timestamp, limit: Int) throws -> Int {
        let oldest = try prepare(
            "SELECT id FROM dedup_keys WHERE timed_until < ? ORDER BY timed_until, id LIMIT 1"
        )
        .bind(before)
        .first { $0.int("id") }
        guard let key = oldest else { return 0 }
        let count = try prepare(
            """
            DELETE FROM claims WHERE key_id = ?1 AND subject IN (
                SELECT subject FROM claims WHERE key_id = ?1 AND cooldown_until IS NOT NULL ORDER BY subject LIMIT ?2
            )
            """
        )
        .bind(key, limit)
        .changes()
        guard count < limit else { return count }
        if try prepare("SELECT 1 FROM claims WHERE key_id = ? LIMIT 1").bind(key).exists() {
            try prepare("UPDATE dedup_keys SET timed_until = NULL WHERE id = ?").bind(key).run()
        } else {
            try prepare("DELETE FROM dedup_keys WHERE id = ?").bind(key).run()
        }
        return count + 1
    }

    fileprivate func purgeIdempotency(before: Timestamp, limit: Int) throws -> Int {
        let old = try prepare(SQL.oldIdempotency).bind(before, limit).all {
            (key: $0.int("key_id"), route: $0.text("route"), value: $0.text("value"))
        }
        for row in old { try prepare(SQL.deleteIdempotency).bind(row.key, row.route, row.value).run() }
        return old.count
    }

    fileprivate func removeStaleEndpoints(registeredBefore: Timestamp, limit: Int) throws -> Int {
        let rows = try prepare(SQL.staleEndpoints).bind(registeredBefore, limit).all { $0.row("id") as RowID<Endpoint> }
        for row in rows { try removeEndpoint(row, reason: .stale) }
        return rows.count
    }

    /// Who had a device before goes as the device would.
    fileprivate func purgeRemovedEndpoints(before: Timestamp, limit: Int) throws -> Int {
        let count = try purgeEndpoints(before: before, limit: limit)
        guard count < limit else { return count }
        return try count + purgeFormerDevices(before: before, limit: limit - count)
    }

    /// An endpoint that was removed before the oldest notification of its app was accepted has no delivery: none is
    /// made to a removed endpoint.
    private func purgeEndpoints(before: Timestamp, limit: Int) throws -> Int {
        try prepare(
            """
            DELETE FROM endpoints WHERE id IN (
                SELECT e.id FROM endpoints e WHERE e.status = 2 AND e.status_at < ? AND e.status_at < coalesce((
                    SELECT n.created_at FROM notifications n WHERE n.app_id = e.app_id ORDER BY n.id LIMIT 1
                ), e.status_at + 1)
                ORDER BY e.status_at, e.id LIMIT ?
            )
            """
        )
        .bind(before, limit)
        .changes()
    }

    fileprivate func purgeDeadLetters(before: Timestamp, limit: Int) throws -> Int {
        try prepare(
            """
            DELETE FROM dead_letters WHERE id IN (
                SELECT id FROM dead_letters WHERE died_at < ? ORDER BY died_at, id LIMIT ?
            )
            """
        )
        .bind(before, limit)
        .changes()
    }

    /// Frees an app's name and stops what is under way.
    func hide(_ app: RowID<App>) throws {
        try prepare("UPDATE apps SET name = NULL, issuer = NULL, audience = NULL, deleted_at = ? WHERE id = ?")
            .bind(now, app).run()
        for table in ["api_keys", "credentials", "pauses", "platform_applications"] {
            try prepare("DELETE FROM \(table) WHERE app_id = ?").bind(app).run()
        }
        try prepare(
            """
            INSERT INTO cancellations (notification_id, cancelled_at)
            SELECT id, ?2 FROM notifications WHERE app_id = ?1 AND id IN (
                SELECT notification_id FROM fan_outs UNION SELECT notification_id FROM batches
            )
            ON CONFLICT (notification_id) DO NOTHING
            """
        )
        .bind(app, now)
        .run()
        for table in ["topic_fan_outs", "fan_outs"] {
            try prepare(
                """
                DELETE FROM \(table) WHERE notification_id IN (
                    SELECT notification_id FROM fan_outs WHERE app_id = ? AND state IN (0, 1, 2, 3)
                )
                """
            )
            .bind(app)
            .run()
        }
        try hideTopics(of: app)
    }

    /// Deletes a part of what deleted apps leave; says how many rows that were.
    fileprivate func deleteHidden(limit: Int) throws -> Int {
        let hidden = try prepare("SELECT id FROM apps WHERE deleted_at IS NOT NULL ORDER BY id LIMIT 1")
            .first { $0.row("id") as RowID<App> }
        guard let app = hidden else { return 0 }
        let notification = try prepare("SELECT id FROM notifications WHERE app_id = ? ORDER BY id LIMIT 1").bind(app)
            .first { $0.row("id") as RowID<Notification> }
        if let notification { return try forget(notification, limit: limit) }
        let claims = try prepare(
            """
            DELETE FROM claims WHERE (key_id, subject) IN (
                SELECT c.key_id, c.subject FROM dedup_keys k JOIN claims c ON c.key_id = k.id
                WHERE k.app_id = ? ORDER BY k.key, c.subject LIMIT ?
            )
            """
        )
        .bind(app, limit)
        .changes()
        guard claims == 0 else { return claims }
        let topics = try forgetTopics(of: app, limit: limit)
        guard topics == 0 else { return topics }
        let events = try forgetEvents(of: app, limit: limit)
        guard events == 0 else { return events }
        let counts = try forgetCounts(of: app, limit: limit)
        guard counts == 0 else { return counts }
        let rest = [
            ("dedup_keys", "key"), ("dead_letters", "id"), ("endpoints", "platform, token"), ("installations", "id"),
        ]
        for (table, order) in rest {
            let count = try delete(limit, of: app, from: table, by: order)
            guard count == 0 else { return count }
        }
        for forget in [forgetInboxes, forgetUsers, forgetPreferenceChanges] {
            let count = try forget(app, limit)
            guard count == 0 else { return count }
        }
        try prepare("DELETE FROM app_sequences WHERE app_id = ?").bind(app).run()
        return try prepare("DELETE FROM apps WHERE id = ?").bind(app).changes()
    }

    /// Deletes rows of an app in an order in which they are found, so that nothing is sorted.
    private func delete(_ limit: Int, of app: RowID<App>, from table: String, by order: String) throws -> Int {
        try prepare(
            "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE app_id = ? ORDER BY \(order) LIMIT ?)"
        )
        .bind(app, limit)
        .changes()
    }
}
