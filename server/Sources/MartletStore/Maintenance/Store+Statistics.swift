public import MartletCore
import MartletWire

extension Store {
    /// How much there is, as far as it is asked for.
    public func statistics(_ part: StatisticsPart) async throws -> StoreStatistics {
        let isShared = database.isShared
        return try await read { transaction in
            switch part {
            case .operation: return try transaction.operation(countsEndpoints: true)
            case .problems: return try transaction.operation(countsEndpoints: false)
            case .waiting: return StoreStatistics(waiting: try transaction.waitingDeliveries())
            case .settings:
                var statistics = StoreStatistics()
                // SQLite's is this program's own.
                if isShared { statistics.findings = try transaction.durability() }
                return statistics
            }
        }
    }
}

extension Transaction {
    /// What the database is told not to wait for.
    fileprivate func durability() throws -> [Finding] {
        let loss = "loses sends that were accepted"
        let settings = [("fsync", loss), ("synchronous_commit", loss), ("full_page_writes", "may damage the database")]
        return try settings.filter { name, _ in
            try prepare("SELECT current_setting(?) AS value").bind(name).one { $0.text("value") } == "off"
        }
        .map { name, loss in
            Finding(
                .problem,
                "database",
                "PostgreSQL runs with \(name)=off: a loss of power \(loss).",
                advice: "Set \(name) = on, for the server, the database and the role."
            )
        }
    }

    /// Counts what waits; reads every waiting batch's row, an index of the deliveries to webhook URLs, and one of the endpoints
    /// where they are counted.
    fileprivate func operation(countsEndpoints: Bool) throws -> StoreStatistics {
        var apps: [RowID<App>: StoreStatistics.AppNumbers] = [:]
        let fanOuts = try openFanOuts()
        for fanOut in fanOuts {
            apps[fanOut.app, default: .init()].openFanOuts = fanOut.count
            apps[fanOut.app, default: .init()].oldestFanOut = fanOut.oldest
        }
        var webhooks = try webhookBacklog()
        try prepare(SQL.deadLetters).forEach { row in
            let count = row.count("count")
            if let app = row.optionalRow("app_id") as RowID<App>? {
                apps[app, default: .init()].deadLetters = count
            } else {
                webhooks.deadLetters = count
            }
        }
        let quarantined = """
            SELECT w.app_id, count(*) AS count FROM \(QuarantinedWork.tables)
            WHERE \(QuarantinedWork.isCurrent) GROUP BY w.app_id
            """
        for (app, count) in try counts(quarantined) { apps[app, default: .init()].quarantined = count }
        if countsEndpoints {
            // The second condition names the partial index, in whose order the groups are.
            let enabled =
                "SELECT app_id, count(*) AS count FROM endpoints WHERE status = 0 AND status <> 2 GROUP BY app_id"
            for (app, count) in try counts(enabled) { apps[app, default: .init()].enabledEndpoints = count }
        }
        let queues = try prepare("SELECT DISTINCT app_id, platform, environment FROM credentials")
            .all { try DeliveryQueue($0) }
        return StoreStatistics(
            backlogs: try backlogs(),
            apps: apps,
            queues: Set(queues),
            webhooks: webhooks
        )
    }

    /// Notifications whose time has come and whose audience is not read to its end, by app, without the quarantined.
    fileprivate func openFanOuts() throws -> [(app: RowID<App>, count: Int, oldest: Timestamp)] {
        try prepare(
            """
            SELECT f.app_id, count(*) AS count, min(coalesce(f.wait_until, n.send_at)) AS oldest
            FROM fan_outs f /*+ fan_outs_queue */ JOIN notifications n ON n.id = f.notification_id
            WHERE f.state IN (1, 2) GROUP BY f.app_id
            """
        )
        .all { (app: $0.row("app_id"), count: $0.count("count"), oldest: $0.time("oldest")) }
    }

    /// What waits in each queue. A batch that somebody works on counts as due, whenever its lease ends.
    fileprivate func backlogs() throws -> [StoreStatistics.QueueBacklog] {
        try prepare(
            """
            SELECT b.app_id, b.platform, b.environment, CAST(sum(b.waiting_count) AS bigint) AS delivery_count,
                CAST(sum(
                    CASE WHEN b.state = 0 AND b.wait_until > ?1 THEN b.waiting_count ELSE 0 END
                ) AS bigint) AS deferred_count,
                min(
                    CASE WHEN b.state IN (1, 2) OR b.state = 0 AND b.wait_until <= ?1 THEN n.send_at ELSE NULL END
                ) AS oldest,
                min(CASE WHEN b.state = 0 AND b.wait_until > ?1 THEN n.send_at ELSE NULL END) AS oldest_deferred
            FROM batches b JOIN notifications n ON n.id = b.notification_id
            GROUP BY b.app_id, b.platform, b.environment
            """
        )
        .bind(now)
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

    /// What waits for webhook URLs, without the dead letters.
    fileprivate func webhookBacklog() throws -> WebhookBacklog {
        func number(_ sql: String) throws -> Int { try prepare(sql).one { $0.count("count") } }
        return WebhookBacklog(
            deliveries: try number("SELECT count(*) AS count FROM webhook_deliveries"),
            messages: try number(SQL.webhookFanOuts),
            oldest: try prepare("SELECT accepted_at FROM webhook_messages ORDER BY id LIMIT 1")
                .first { $0.time("accepted_at") },
            silentHosts: try number(SQL.silentWebhookHosts)
        )
    }

    /// Numbers by app.
    fileprivate func counts(_ sql: String) throws -> [(RowID<App>, Int)] {
        try prepare(sql).all { ($0.row("app_id"), $0.count("count")) }
    }
}
