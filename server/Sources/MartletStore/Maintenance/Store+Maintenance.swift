public import MartletCore
import MartletWire

extension Store {
    /// Records as expired what waits in batches whose time ran out and which no worker holds, paused queues too, and as
    /// cancelled what waits in those of cancelled notifications. Closes fan-outs that are quarantined and whose
    /// notification's time ran out: what of the audience was not read has no delivery.
    ///
    /// - Parameters:
    ///   - limit: how many batches at most, and how many fan-outs.
    ///   - process: the caller's, whose leases last longer as in ``Store/leaseBatches(_:capacity:lease:)``.
    public func expire(limit: Int, process: Int64) async throws -> EndedWork {
        try await write { transaction in
            let due = try transaction.prepare(SQL.endedBatches).bind(transaction.now, transaction.now, limit)
                .all { (row: $0.row("id") as RowID<Batch>, process: $0.optionalInt("lease_process")) }
            for batch in due where batch.process == process { try transaction.extendLease(of: batch.row) }
            let batches = try due.filter { $0.process != process }.map { try transaction.endBatch($0.row) }
            let fanOuts = try transaction.prepare(SQL.endedFanOuts).bind(transaction.now, limit)
                .all(FanOutKey.init)
            for key in fanOuts {
                try transaction.closeFanOut(key)
                try transaction.forgetQuarantine(of: key)
            }
            return EndedWork(batches: batches, fanOuts: fanOuts.count)
        }
    }
}

extension Transaction {
    /// Reads every waiting batch's row, an index of the open fan-outs, and one of the deliveries to webhook URLs.
    func waitingDeliveries() throws -> WaitingDeliveries {
        var waiting = WaitingDeliveries()
        // Grouped here: an engine may sort all of them first.
        try prepare("SELECT app_id, waiting_count FROM batches")
            .forEach { waiting.add($0.count("waiting_count"), of: .app($0.row("app_id"))) }
        let open = """
            SELECT app_id, count(*) AS count FROM fan_outs /*+ fan_outs_queue */
            WHERE state IN (1, 2, 3) AND hold_id = 0 GROUP BY app_id
            """
        try prepare(open).forEach { waiting.add($0.count("count"), of: .app($0.row("app_id"))) }
        waiting.add(try total("SELECT count(*) AS count FROM webhook_deliveries"), of: .webhooks)
        return waiting
    }

    /// Settles a batch without a worker: its members are cancelled with their notification, or expired.
    fileprivate func endBatch(_ row: RowID<Batch>) throws -> EndedBatch {
        let found = try prepare(
            """
            SELECT \(Batch.columns), b.app_id, b.platform, b.environment, b.waiting_count
            FROM batches b JOIN notifications n ON n.id = b.notification_id WHERE b.id = ?
            """
        )
        .bind(row)
        .first { columns in
            (
                notification: columns.row("notification_id") as RowID<Notification>, ends: columns.time("expires_at"),
                waiting: columns.count("waiting_count"), queue: try? DeliveryQueue(columns),
                batch: try? Batch(columns, DeliveryQueue(columns))
            )
        }
        try deleteBatch(row)
        try prepare("DELETE FROM quarantine WHERE batch_id = ?").bind(row).run()
        guard let found else { return EndedBatch(queue: nil, state: .expired, deliveries: 0) }
        let ending = BatchEnding(
            found.batch,
            isCancelled: found.ends == .cancelled,
            waiting: found.waiting,
            settled: try found.batch.map { try settled($0.members, of: $0.notification) } ?? []
        )
        var change = CountChange()
        change.add(ending.state, ending.unreadable)
        var ended = ending.unreadable
        if let batch = found.batch { ended += try recordRows(ending.results, of: batch, change: &change) }
        try count(change, of: found.notification)
        if let queue = found.queue { tally(change, in: queue) }
        try finishIfOver(found.notification)
        return EndedBatch(queue: found.queue, state: ending.state, deliveries: ended)
    }

    fileprivate func total(_ sql: String) throws -> Int { try prepare(sql).first { $0.count("count") } ?? 0 }
}
