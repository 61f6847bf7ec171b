public import MartletCore
import MartletWire

extension SQLStore {
    /// Ends up to `limit` batches: as expired, or as cancelled with their notification.
    public func expireBatches(limit: Int, process: Int64) async throws -> [EndedBatch] {
        try await write { transaction in
            try transaction.prepare(SQL.endedBatches).bind(transaction.now, transaction.now, limit)
                .all { (row: $0.row("id") as RowID<Batch>, process: $0.optionalInt("lease_process")) }
                .compactMap { ended in
                    guard ended.process != process else {
                        try transaction.extendLease(of: ended.row)
                        return nil
                    }
                    return try transaction.endBatch(ended.row)
                }
        }
    }

    /// Nobody leases what is quarantined, so that its end is not seen by a worker.
    public func expireFanOuts(limit: Int) async throws -> Int {
        try await write { transaction in
            let rows = try transaction.prepare(SQL.endedFanOuts).bind(Timestamp.never, transaction.now, limit)
                .all { $0.row("id") as RowID<Notification> }
            for row in rows { try transaction.closeFanOut(row) }
            return rows.count
        }
    }

    /// Removes up to `limit` endpoints, the oldest first.
    public func removeStaleEndpoints(registeredBefore: Timestamp, limit: Int) async throws -> Int {
        try await write { transaction in
            let rows = try transaction.prepare(SQL.staleEndpoints).bind(registeredBefore, limit)
                .all { $0.row("id") as RowID<Endpoint> }
            for row in rows { try transaction.removeEndpoint(row, reason: .stale) }
            return rows.count
        }
    }

    /// Reads every waiting batch's row, an index of the open fan-outs, and one of the deliveries to webhook URLs.
    public func waitingDeliveries() async throws -> WaitingDeliveries {
        try await read { transaction in
            var waiting = WaitingDeliveries()
            // Grouped here: an engine may sort all of them first.
            try transaction.prepare("SELECT app_id, member_count FROM batches")
                .forEach { waiting.add($0.count("member_count"), of: .app($0.row("app_id"))) }
            let open = """
                SELECT app_id, count(*) AS count FROM notifications /*+ notifications_fan_out */
                WHERE state = 1 AND is_fan_out_open = 1 GROUP BY app_id
                """
            try transaction.prepare(open).forEach { waiting.add($0.count("count"), of: .app($0.row("app_id"))) }
            waiting.add(try transaction.total("SELECT count(*) AS count FROM webhook_deliveries"), of: .webhooks)
            return waiting
        }
    }
}

extension Transaction {
    /// Settles a batch without a worker: its members are cancelled with their notification, or expired.
    fileprivate func endBatch(_ row: RowID<Batch>) throws -> EndedBatch {
        do {
            return try endReadable(row)
        } catch is Failure {
            return try endUnreadable(row)
        }
    }

    /// Ends a batch whose members cannot be read: by their number alone, so that the notification comes to its end.
    private func endUnreadable(_ row: RowID<Batch>) throws -> EndedBatch {
        let found = try prepare(
            """
            SELECT b.notification_id, n.state, b.member_count, b.app_id, b.platform, b.environment
            FROM batches b JOIN notifications n ON n.id = b.notification_id WHERE b.id = ?
            """
        )
        .bind(row)
        .first { columns in
            (
                notification: columns.row("notification_id") as RowID<Notification>, state: columns.int("state"),
                count: columns.count("member_count"), queue: try? DeliveryQueue(columns)
            )
        }
        guard let found else { return EndedBatch(queue: nil, state: .expired, deliveries: 0) }
        let isCancelled = found.state == Notification.State.cancelled.code
        var change = CountChange()
        if isCancelled { change.cancelled = found.count } else { change.expired = found.count }
        change.pending = try keep([], in: row)
        try count(change, of: found.notification)
        try finishIfOver(found.notification)
        return EndedBatch(queue: found.queue, state: isCancelled ? .cancelled : .expired, deliveries: found.count)
    }

    private func endReadable(_ row: RowID<Batch>) throws -> EndedBatch {
        let found = try prepare(
            """
            SELECT \(Batch.columns), b.app_id, b.platform, b.environment
            FROM batches b JOIN notifications n ON n.id = b.notification_id WHERE b.id = ?
            """
        )
        .bind(row)
        .first { try Batch($0, DeliveryQueue($0)) }
        guard let batch = found else { return EndedBatch(queue: nil, state: .expired, deliveries: 0) }
        let state: DeliveryResult.State = batch.isCancelled ? .cancelled : .expired
        let results = batch.members.map { DeliveryResult(member: $0, state: state, attempts: batch.attempts) }
        var change = CountChange()
        let recorded = try record(results, of: batch, change: &change)
        change.pending = try keep([], in: row)
        try count(change, of: batch.notification)
        try finishIfOver(batch.notification)
        return EndedBatch(queue: batch.queue, state: state, deliveries: recorded)
    }

    fileprivate func total(_ sql: String) throws -> Int { try prepare(sql).first { $0.count("count") } ?? 0 }
}
