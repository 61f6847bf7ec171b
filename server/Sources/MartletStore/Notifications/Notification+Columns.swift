import MartletCore
import MartletWire

extension Notification {
    /// What ``init(_:)`` reads, with a row for each of a notification's rows of progress: group by n.id.
    static let select = """
        SELECT n.id, n.public_id, n.app_id, n.class, n.priority, n.send_at, n.expires_at, n.created_at, n.recalled_at,
            n.max_attempts,
            n.steady_tries, n.growing_tries, n.minimum_delay, n.maximum_delay, n.rate_limited_delay, n.dedup_key,
            n.dedup_cooldown, n.collapse_id, n.category_id, n.inbox, n.content, n.audience,
            CAST(sum(p.planned) AS bigint) AS planned, CAST(sum(p.withheld) AS bigint) AS withheld,
            CAST(sum(p.accepted) AS bigint) AS accepted, CAST(sum(p.rejected) AS bigint) AS rejected,
            CAST(sum(p.suppressed) AS bigint) AS suppressed, CAST(sum(p.expired) AS bigint) AS expired,
            CAST(sum(p.cancelled) AS bigint) AS cancelled, CAST(sum(p.dead) AS bigint) AS dead,
            CASE
                WHEN EXISTS (SELECT 1 FROM cancellations c WHERE c.notification_id = n.id) THEN 3
                WHEN EXISTS (SELECT 1 FROM fan_outs f WHERE f.notification_id = n.id AND f.hold_id = 0 AND f.state = 0) THEN 0
                WHEN EXISTS (SELECT 1 FROM fan_outs f WHERE f.notification_id = n.id) THEN 1
                WHEN EXISTS (SELECT 1 FROM batches b WHERE b.notification_id = n.id) THEN 1
                ELSE 2
            END AS state
        FROM notifications n LEFT JOIN progress p ON p.notification_id = n.id
        """

    /// Notifications in a state, by the same rules. Those of a state that few are in are found among these few: the rows of
    /// cancellations and of open work.
    static func condition(_ state: NotificationStatus) -> String {
        let isNotCancelled = "NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.notification_id = n.id)"
        let isWaiting = "n.id IN (SELECT notification_id FROM fan_outs WHERE hold_id = 0 AND state = 0)"
        let isNotWaiting =
            "NOT EXISTS (SELECT 1 FROM fan_outs f WHERE f.notification_id = n.id AND f.hold_id = 0 AND f.state = 0)"
        let isOpen = "n.id IN (SELECT notification_id FROM fan_outs UNION SELECT notification_id FROM batches)"
        return switch state {
        case .cancelled: "n.id IN (SELECT notification_id FROM cancellations)"
        case .done: "\(isNotCancelled) AND NOT \(isOpen)"
        case .scheduled: "\(isNotCancelled) AND \(isWaiting)"
        case .sending: "\(isNotCancelled) AND \(isOpen) AND \(isNotWaiting)"
        }
    }

    /// A notification from a row of these columns, without its category.
    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            id: try row.publicID("public_id"),
            app: row.row("app_id"),
            state: try row.code("state"),
            audience: try row.json("audience"),
            content: try row.json("content"),
            inbox: row.isNull("inbox") ? nil : try row.json("inbox"),
            class: try row.code("class"),
            priority: try row.code("priority"),
            dedup: Dedup(row),
            collapseID: row.optionalText("collapse_id"),
            sendAt: row.time("send_at"),
            expiresAt: row.time("expires_at"),
            retry: RetryPolicy(row),
            counts: DeliveryCounts(
                pending: row.count("planned") - row.count("withheld") - row.count("accepted") - row.count("rejected")
                    - row.count("expired") - row.count("cancelled") - row.count("dead"),
                accepted: row.count("accepted"),
                rejected: row.count("rejected"),
                suppressed: row.count("suppressed"),
                expired: row.count("expired"),
                cancelled: row.count("cancelled"),
                dead: row.count("dead")
            ),
            createdAt: row.time("created_at"),
            recalledAt: row.optionalTime("recalled_at")
        )
    }
}

/// A notification as its row has it, with the key of its category.
struct Categorized {
    var notification: Notification
    var category: RowID<MartletCore.Category>?

    init(_ row: Row) throws {
        notification = try Notification(row)
        category = row.optionalRow("category_id")
    }
}

extension Transaction {
    /// A notification with its category.
    func notification(_ found: Categorized) throws -> Notification {
        var notification = found.notification
        notification.category = try found.category.flatMap(category)
        return notification
    }

    /// Notifications with their categories, each of which is read once.
    func notifications(_ found: [Categorized]) throws -> [Notification] {
        var categories: [RowID<MartletCore.Category>: MartletCore.Category] = [:]
        for row in Set(found.compactMap(\.category)) { categories[row] = try category(row) }
        return found.map { one in
            var notification = one.notification
            notification.category = one.category.flatMap { categories[$0] }
            return notification
        }
    }
}

extension Dedup {
    /// What keeps a subject from getting a notification twice, from its two columns; `nil` where nothing does.
    init?(_ row: Row) {
        guard let key = row.optionalText("dedup_key") else { return nil }
        self.init(key: key, cooldown: row.optionalInt("dedup_cooldown").map(Duration.milliseconds))
    }
}

extension RetryPolicy {
    /// A policy from its six columns.
    init(_ row: Row) {
        self.init(
            maxAttempts: row.count("max_attempts"),
            steadyTries: row.count("steady_tries"),
            growingTries: row.count("growing_tries"),
            minimumDelay: .milliseconds(row.int("minimum_delay")),
            maximumDelay: .milliseconds(row.int("maximum_delay")),
            rateLimitedDelay: .milliseconds(row.int("rate_limited_delay"))
        )
    }
}
