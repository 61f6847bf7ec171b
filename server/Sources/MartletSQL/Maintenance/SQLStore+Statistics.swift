public import MartletCore

extension SQLStore {
    /// Counts what waits; reads every waiting batch's row, and an index of the endpoints.
    public func statistics() async throws -> StoreStatistics {
        try await read { transaction in
            var apps: [RowID<App>: StoreStatistics.AppNumbers] = [:]
            let fanOuts = try transaction.openFanOuts()
            for fanOut in fanOuts {
                apps[fanOut.app, default: .init()].openFanOuts = fanOut.count
                apps[fanOut.app, default: .init()].oldestFanOut = fanOut.oldest
            }
            let deadLetters =
                "SELECT app_id, count(*) AS count FROM dead_letters WHERE retried_at IS NULL GROUP BY app_id"
            for (app, count) in try transaction.counts(deadLetters) { apps[app, default: .init()].deadLetters = count }
            let quarantined = """
                SELECT s.app_id, count(*) AS count FROM \(QuarantinedWork.tables)
                WHERE \(QuarantinedWork.isCurrent) GROUP BY s.app_id
                """
            for (app, count) in try transaction.counts(quarantined) { apps[app, default: .init()].quarantined = count }
            // The second condition names the partial index, in whose order the groups are.
            let enabled =
                "SELECT app_id, count(*) AS count FROM endpoints WHERE status = 0 AND status <> 2 GROUP BY app_id"
            for (app, count) in try transaction.counts(enabled) { apps[app, default: .init()].enabledEndpoints = count }
            let queues = try transaction.prepare("SELECT DISTINCT app_id, platform, environment FROM credentials")
                .all { try DeliveryQueue($0) }
            return StoreStatistics(backlogs: try transaction.backlogs(), apps: apps, queues: Set(queues))
        }
    }
}

extension Transaction {
    /// Notifications whose audience is not read to its end, by app; what is quarantined comes due at no time.
    fileprivate func openFanOuts() throws -> [(app: RowID<App>, count: Int, oldest: Timestamp)] {
        try prepare(
            """
            SELECT app_id, count(*) AS count, min(send_at) AS oldest
            FROM notifications /*+ notifications_fan_out */
            WHERE state = 1 AND is_fan_out_open = 1 AND fan_out_until < ? GROUP BY app_id
            """
        )
        .bind(Timestamp.never)
        .all { (app: $0.row("app_id"), count: $0.count("count"), oldest: $0.time("oldest")) }
    }

    /// What waits in each queue. A batch that somebody works on counts as due, whenever its lease ends.
    fileprivate func backlogs() throws -> [StoreStatistics.QueueBacklog] {
        try prepare(
            """
            SELECT b.app_id, b.platform, b.environment, CAST(sum(b.member_count) AS bigint) AS delivery_count,
                CAST(sum(
                    CASE WHEN b.lease_holder IS NULL AND b.due_at > ?1 AND b.due_at < ?2 THEN b.member_count ELSE 0 END
                ) AS bigint) AS deferred_count,
                min(
                    CASE WHEN b.lease_holder IS NOT NULL OR b.due_at <= ?1 THEN n.send_at ELSE NULL END
                ) AS oldest,
                min(
                    CASE WHEN b.lease_holder IS NULL AND b.due_at > ?1 AND b.due_at < ?2 THEN n.send_at ELSE NULL END
                ) AS oldest_deferred
            FROM batches b JOIN notifications n ON n.id = b.notification_id
            GROUP BY b.app_id, b.platform, b.environment
            """
        )
        .bind(now, Timestamp.never)
        .all { row in
            StoreStatistics.QueueBacklog(
                queue: try DeliveryQueue(row),
                deliveries: row.count("delivery_count"),
                deferred: row.count("deferred_count"),
                oldest: row.optionalTime("oldest"),
                oldestDeferred: row.optionalTime("oldest_deferred")
            )
        }
    }

    /// Numbers by app.
    fileprivate func counts(_ sql: String) throws -> [(RowID<App>, Int)] {
        try prepare(sql).all { ($0.row("app_id"), $0.count("count")) }
    }
}
