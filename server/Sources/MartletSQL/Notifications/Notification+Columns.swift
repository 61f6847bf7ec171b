import MartletCore
import MartletWire

extension Notification {
    /// What ``init(_:)`` reads.
    static let columns = """
        n.id, n.public_id, n.app_id, n.state, n.priority, n.send_at, n.expires_at, n.created_at, n.max_attempts,
        n.steady_tries, n.growing_tries, n.minimum_delay, n.maximum_delay, n.rate_limited_delay, n.pending, n.accepted,
        n.rejected, n.suppressed, n.expired, n.cancelled, n.dead, r.dedup_key, r.dedup_cooldown, r.collapse_id,
        r.content, r.audience
        """

    /// Where the columns are.
    static let tables = "notifications n JOIN requests r ON r.notification_id = n.id"

    /// A notification from a row of these columns.
    init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            id: try row.publicID("public_id"),
            app: row.row("app_id"),
            state: try row.code("state"),
            audience: try row.json("audience"),
            content: try row.json("content"),
            priority: try row.code("priority"),
            dedup: Dedup(row),
            collapseID: row.optionalText("collapse_id"),
            sendAt: row.time("send_at"),
            expiresAt: row.time("expires_at"),
            retry: RetryPolicy(row),
            counts: DeliveryCounts(
                pending: row.count("pending"),
                accepted: row.count("accepted"),
                rejected: row.count("rejected"),
                suppressed: row.count("suppressed"),
                expired: row.count("expired"),
                cancelled: row.count("cancelled"),
                dead: row.count("dead")
            ),
            createdAt: row.time("created_at")
        )
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
