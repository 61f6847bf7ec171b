import MartletCore

extension Store {
    /// Brings leases and waits for a further attempt forward by the time that the clock was set back by, so that they
    /// last no longer than they were meant to. What is scheduled for a moment stays there. A store that takes the time
    /// from its database's own machine does nothing.
    public func clockWasSetBack(by duration: Duration) async throws {
        // Several processes would see one and the same clock move.
        guard !database.hasOwnClock else { return }
        let waits = [
            ("batches", "lease_until"), ("batches", "wait_until"), ("fan_outs", "lease_until"),
            ("webhook_deliveries", "due_at"), ("webhook_deliveries", "lease_until"), ("webhook_queues", "rest_until"),
            ("webhook_queues", "turn_at"),
        ]
        try await write { transaction in
            for (table, column) in waits {
                try transaction.prepare(
                    """
                    UPDATE \(table) SET \(column) = \(column) - ?1
                    WHERE \(column) > ?2 AND \(column) < ?3
                    """
                )
                .bind(duration.milliseconds, transaction.now, Timestamp.never)
                .run()
            }
        }
    }
}
