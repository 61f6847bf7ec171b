public import MartletCore
import MartletWire

extension SQLiteStore {
    /// Ends up to `limit` batches: as expired, or as cancelled with their notification.
    public func expireBatches(limit: Int) async throws -> Int {
        try await write { transaction in
            let batches = try transaction.prepare(SQL.endedBatches).bind(transaction.now, transaction.now, limit)
                .all { $0.row(0) as RowID<Batch> }
            for row in batches { try transaction.endBatch(row) }
            return batches.count
        }
    }

    /// Removes up to `limit` endpoints, the oldest first.
    public func removeStaleEndpoints(registeredBefore: Timestamp, limit: Int) async throws -> Int {
        try await write { transaction in
            let rows = try transaction.prepare(SQL.staleEndpoints).bind(registeredBefore, limit)
                .all { $0.row(0) as RowID<Endpoint> }
            for row in rows { try transaction.removeEndpoint(row, reason: .stale) }
            return rows.count
        }
    }

    /// Counts what waits; reads every waiting batch's row and an index of the endpoints.
    public func statistics() async throws -> StoreStatistics {
        try await read { transaction in
            let backlogs = try transaction.prepare(
                """
                SELECT app_id, platform, environment, sum(member_count), min(accepted_at),
                    EXISTS (
                        SELECT 1 FROM pauses p WHERE p.app_id = b.app_id AND p.platform = b.platform
                        AND p.environment = b.environment
                    )
                FROM batches b GROUP BY app_id, platform, environment
                """
            )
            .all { row in
                StoreStatistics.LaneBacklog(
                    lane: try Lane(row, from: 0),
                    deliveries: row.count(3),
                    oldest: row.time(4),
                    isPaused: row.flag(5)
                )
            }
            return StoreStatistics(
                backlogs: backlogs,
                deadLetters: try transaction.total("SELECT count(*) FROM dead_letters WHERE retried_at IS NULL"),
                enabledEndpoints: try transaction.total(
                    "SELECT count(*) FROM endpoints WHERE status = 0 AND status <> 2"
                ),
                setAside: try transaction.total("SELECT count(*) FROM \(SetAside.tables) WHERE \(SetAside.isCurrent)")
            )
        }
    }

    /// Reads every waiting batch's row, and an index of the open fan-outs.
    public func waitingDeliveries() async throws -> Int {
        try await read { transaction in
            let open = """
                SELECT count(*) FROM notifications INDEXED BY notifications_fan_out
                WHERE state = 1 AND is_fan_out_open = 1
                """
            return try transaction.total("SELECT coalesce(sum(member_count), 0) FROM batches")
                + transaction.total(open)
        }
    }
}

extension Transaction {
    /// Settles a batch without a worker: its members are cancelled with their notification, or expired.
    fileprivate func endBatch(_ row: RowID<Batch>) throws {
        do {
            try endReadable(row)
        } catch is Failure {
            try endUnreadable(row)
        }
    }

    /// Ends a batch whose members cannot be read: by their number alone, so that the notification comes to its end.
    private func endUnreadable(_ row: RowID<Batch>) throws {
        let found = try prepare(
            """
            SELECT b.notification_id, n.state, b.member_count
            FROM batches b JOIN notifications n ON n.id = b.notification_id WHERE b.id = ?
            """
        )
        .bind(row)
        .first { (notification: $0.row(0) as RowID<Notification>, state: $0.int(1), count: $0.count(2)) }
        guard let found else { return }
        var change = CountChange()
        if found.state == Notification.State.cancelled.code {
            change.cancelled = found.count
        } else {
            change.expired = found.count
        }
        change.pending = try keep([], in: row)
        try count(change, of: found.notification)
        try finishIfOver(found.notification)
    }

    private func endReadable(_ row: RowID<Batch>) throws {
        let found = try prepare(
            """
            SELECT b.notification_id, n.public_id, b.app_id, b.platform, b.environment, b.is_environment_known,
                b.attempts, b.expires_at, n.state, b.members
            FROM batches b JOIN notifications n ON n.id = b.notification_id WHERE b.id = ?
            """
        )
        .bind(row)
        .first { columns in
            Batch(
                row: row,
                notification: columns.row(0),
                notificationID: try columns.publicID(1),
                lane: try Lane(columns, from: 2),
                isEnvironmentKnown: columns.flag(5),
                attempts: columns.count(6),
                expiresAt: columns.time(7),
                isCancelled: try columns.code(8, as: Notification.State.self) == .cancelled,
                retry: .standard,
                members: try columns.members(9)
            )
        }
        guard let batch = found else { return }
        let state: Fact.State = batch.isCancelled ? .cancelled : .expired
        let facts = batch.members.map { Fact(member: $0, state: state, attempts: batch.attempts) }
        var change = CountChange()
        _ = try record(facts, of: batch, change: &change)
        change.pending = try keep([], in: row)
        try count(change, of: batch.notification)
        try finishIfOver(batch.notification)
    }

    fileprivate func total(_ sql: String) throws -> Int { try prepare(sql).first { $0.count(0) } ?? 0 }
}
