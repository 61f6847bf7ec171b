import MartletCore

extension SQLStore {
    /// Looks through all that waits: a clock is seldom set back.
    public func clockWasSetBack(by duration: Duration) async throws {
        // Of the notifications only those whose audience is being read, which an index has.
        let isRead = "state = 1 AND is_fan_out_open = 1"
        let all = "1 = 1"
        let waits = [
            ("batches", "due_at", all), ("batches", "not_before", all), ("notifications", "fan_out_until", isRead),
            ("webhook_deliveries", "due_at", all), ("webhook_queues", "rest_until", all),
            ("webhook_queues", "turn_at", all),
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
