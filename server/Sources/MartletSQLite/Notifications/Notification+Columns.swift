import MartletCore
import MartletWire

extension Notification {
    /// What ``init(_:)`` reads, in its order.
    static let columns = """
        n.id, n.public_id, n.app_id, n.state, n.priority, n.send_at, n.expires_at, n.created_at, n.max_attempts,
        n.steady_tries, n.growing_tries, n.minimum_delay, n.maximum_delay, n.rate_limited_delay, n.pending, n.accepted,
        n.rejected, n.suppressed, n.expired, n.cancelled, n.dead, r.dedup_key, r.dedup_cooldown, r.collapse_id,
        r.content, r.audience
        """

    /// Where the columns are.
    static let tables = "notifications n JOIN requests r ON r.notification_id = n.id"

    /// A notification from a row of these columns.
    init(_ row: Columns) throws {
        self.init(
            row: row.row(0),
            id: try row.publicID(1),
            app: row.row(2),
            state: try row.code(3),
            audience: try row.json(25),
            content: try row.json(24),
            priority: try row.code(4),
            dedup: row.optionalText(21).map {
                Dedup(key: $0, cooldown: row.optionalInt(22).map(Duration.milliseconds))
            },
            collapseID: row.optionalText(23),
            sendAt: row.time(5),
            expiresAt: row.time(6),
            retry: RetryPolicy(row, from: 8),
            counts: DeliveryCounts(
                pending: row.count(14),
                accepted: row.count(15),
                rejected: row.count(16),
                suppressed: row.count(17),
                expired: row.count(18),
                cancelled: row.count(19),
                dead: row.count(20)
            ),
            createdAt: row.time(7)
        )
    }
}

extension RetryPolicy {
    /// A policy from six columns.
    init(_ row: Columns, from column: Int32) {
        self.init(
            maxAttempts: row.count(column),
            steadyTries: row.count(column + 1),
            growingTries: row.count(column + 2),
            minimumDelay: .milliseconds(row.int(column + 3)),
            maximumDelay: .milliseconds(row.int(column + 4)),
            rateLimitedDelay: .milliseconds(row.int(column + 5))
        )
    }
}
