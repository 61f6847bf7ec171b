import MartletCore

extension SQLiteStore {
    /// Looks through all that waits: a clock is seldom set back.
    public func clockWasSetBack(by duration: Duration) async throws {
        // Of the notifications only those whose audience is being read, which an index has.
        let isRead = "state = 1 AND is_fan_out_open = 1"
        let waits = [
            ("batches", "due_at", "1"), ("batches", "not_before", "1"), ("notifications", "fan_out_until", isRead),
            ("webhook_deliveries", "due_at", "1"), ("webhook_queues", "rest_until", "1"),
            ("webhook_queues", "turn_at", "1"),
        ]
        try await write { transaction in
            for (table, column, condition) in waits {
                try transaction.prepare(
                    """
                    UPDATE \(table) SET \(column) = \(column) - ?1
                    WHERE \(condition) AND \(column) > ?2 AND \(column) < ?3
                    """
                )
                .bind(duration.milliseconds, transaction.now, Timestamp.never)
                .run()
            }
        }
    }
}
