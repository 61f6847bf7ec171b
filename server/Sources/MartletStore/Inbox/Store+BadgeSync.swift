public import MartletCore
import MartletWire

extension Store {
    /// Takes what people's devices are to be told after a read, each person at most once in ``BadgeSync/interval``, those
    /// that waited longest first. What is taken is another server's no more, and lost with this one.
    public func takeBadgeSyncs(limit: Int) async throws -> [BadgeSync] {
        // Most of the time nothing is due: that costs no write.
        guard try await read({ try !$0.dueBadgeSyncs(limit: 1).isEmpty }) else { return [] }
        return try await write { transaction in
            try transaction.dueBadgeSyncs(limit: limit).compactMap(transaction.take)
        }
    }
}

/// Whose devices are due to be told what was read.
private struct DueBadgeSync {
    var user: RowID<User>
    var app: RowID<App>
    var dueAt: Timestamp
    var reader: Int64
    var readBefore: Int64

    init(_ row: borrowing Row) throws {
        user = row.row("user_id")
        app = row.row("app_id")
        dueAt = row.time("badge_due_at")
        reader = row.int("badge_reader")
        readBefore = row.int("read_before")
    }
}

extension Transaction {
    /// Has a person's other devices told what they read when it is their turn, where the app asks for it.
    func planBadgeSync(of user: RowID<User>, in app: RowID<App>, readOn installation: PublicID?) throws {
        let asks = try prepare("SELECT 1 FROM apps WHERE id = ? AND has_badge_sync = 1 AND deleted_at IS NULL")
        guard try asks.bind(app).exists() else { return }
        let reader = try installation.flatMap { id in
            try prepare("SELECT id FROM installations WHERE app_id = ? AND public_id = ?").bind(app, id)
                .first { $0.int("id") }
        }
        // A moment further ahead than a turn can be is of a clock that was set back since.
        try prepare(
            """
            INSERT INTO inbox_state (user_id, badge_due_at, badge_reader) VALUES (?1, ?2, ?3)
            ON CONFLICT (user_id) DO UPDATE SET
                badge_reader = CASE
                    WHEN inbox_state.badge_due_at = 0 OR inbox_state.badge_reader = excluded.badge_reader
                    THEN excluded.badge_reader ELSE 0 END,
                badge_due_at = CASE
                    WHEN inbox_state.badge_due_at > 0 AND inbox_state.badge_due_at <= ?4 THEN inbox_state.badge_due_at
                    WHEN inbox_state.badge_sent_at > ?5 AND inbox_state.badge_sent_at <= ?2
                    THEN inbox_state.badge_sent_at + ?6 ELSE ?2 END
            """
        )
        .bind(
            user,
            now,
            reader ?? 0,
            now + BadgeSync.interval,
            now - BadgeSync.interval,
            Int64(BadgeSync.interval.components.seconds * 1_000)
        )
        .run()
    }

    fileprivate func dueBadgeSyncs(limit: Int) throws -> [DueBadgeSync] {
        try prepare(
            """
            SELECT s.user_id, u.app_id, s.badge_due_at, s.badge_reader, s.read_before
            FROM inbox_state s JOIN users u ON u.id = s.user_id
            WHERE s.badge_due_at > 0 AND s.badge_due_at <= ? ORDER BY s.badge_due_at LIMIT ?
            """
        )
        .bind(now, limit)
        .all(DueBadgeSync.init)
    }

    fileprivate func take(_ due: DueBadgeSync) throws -> BadgeSync? {
        let isTaken = try prepare(
            """
            UPDATE inbox_state SET badge_due_at = 0, badge_reader = 0, badge_sent_at = ?
            WHERE user_id = ? AND badge_due_at = ?
            """
        )
        .bind(now, due.user, due.dueAt)
        .changes()
        guard isTaken > 0 else { return nil }
        let endpoints: [PublicID] = try prepare(
            """
            SELECT public_id FROM endpoints
            WHERE app_id = ? AND user_id = ? AND status = 0 AND (installation_id IS NULL OR installation_id <> ?)
            ORDER BY id LIMIT ?
            """
        )
        .bind(due.app, due.user, due.reader, Audience.limit)
        .all { try $0.publicID("public_id") }
        guard !endpoints.isEmpty else { return nil }
        return try BadgeSync(
            app: due.app,
            endpoints: endpoints,
            read: ownRead(due) + sharedRead(due)
        )
    }

    /// What a person read lately of that which they have an entry of, with the earlier versions, which may be shown too.
    private func ownRead(_ due: DueBadgeSync) throws -> [PublicID] {
        let read = try prepare(
            """
            SELECT item_id, replaced FROM inbox_entries
            WHERE user_id = ? AND read_at > ? ORDER BY read_at DESC, item_id DESC LIMIT ?
            """
        )
        .bind(due.user, now - BadgeSync.memory, BadgeSync.readLimit)
        .all { [$0.int("item_id")] + ReplacedItems($0.optionalText("replaced")).numbers }
        return try publicIDs(ofItems: Array(read.joined().prefix(BadgeSync.readLimit)), in: due.app)
    }

    /// The ids outside of items that are not purged yet, in their order.
    func publicIDs(ofItems numbers: [Int64], in app: RowID<App>) throws -> [PublicID] {
        var ids: [Int64: PublicID] = [:]
        try forEach(SQL.itemIDs, numbers, bind: { $0.bind(app) }) { ids[$0.int("id")] = try $0.publicID("public_id") }
        return numbers.compactMap { ids[$0] }
    }

    /// What is read of that which many share, because all was read up to an item.
    private func sharedRead(_ due: DueBadgeSync) throws -> [PublicID] {
        guard due.readBefore > 0 else { return [] }
        return try prepare(
            """
            SELECT i.public_id FROM inbox_items i /*+ inbox_items_shared */
            WHERE i.app_id = ? AND i.kind <> 1 AND i.recalled_at IS NULL AND i.id <= ? AND i.expires_at > ?
            ORDER BY i.id DESC LIMIT ?
            """
        )
        .bind(due.app, due.readBefore, now, BadgeSync.readLimit / 2)
        .all { try $0.publicID("public_id") }
    }
}
