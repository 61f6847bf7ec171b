import MartletCore
import MartletWire

extension Transaction {
    /// Makes a delivery pending again in a batch of its own: its result goes, because it is no longer how the delivery
    /// ended, and its claim is taken again where nobody else took it.
    func revive(_ letter: DeadLetter) throws {
        let delivery = try prepare(
            """
            SELECT app_id, notification_id, endpoint_id, user_id, platform, environment FROM dead_letters WHERE id = ?
            """
        )
        .bind(letter.row)
        .one(DeadDelivery.init)
        guard let notification = try head(of: delivery.notification) else {
            throw Failure(
                .notFound,
                "The notification of this dead letter was deleted.",
                hint: "Send it as a new notification, or keep notifications for longer than dead letters."
            )
        }
        guard !notification.isCancelled else {
            throw Failure(.conflict, "The notification of this dead letter was cancelled.")
        }
        let endpoint = delivery.member.endpoint
        let died = try forgetDeath(of: endpoint, delivery.notification)
        for moment in died { tally(delivery.queue.app, delivery.queue.platform, at: moment) { $0.dead = -1 } }
        let environment =
            try prepare("SELECT environment FROM endpoints WHERE id = ?").bind(endpoint)
            .first { try $0.optionalCode("environment", as: Environment.self) } ?? nil
        var queue = delivery.queue
        queue.environment = environment ?? queue.environment
        let draft = BatchDraft(queue: queue, isEnvironmentKnown: environment != nil, members: [delivery.member])
        // A day, so that an operator's retry is not over before a provider's outage is.
        let expiresAt = max(notification.expiresAt, now + .seconds(86_400))
        var change = CountChange()
        change.dead = -died.count
        // It may stand in a batch still: the answer that ended it came late, when another worker had the batch.
        if try waiting([endpoint], of: delivery.notification).isEmpty {
            try insert(draft, of: notification, expiresAt: expiresAt)
        }
        try count(change, of: delivery.notification)
        if let dedup = notification.dedup {
            _ = try claim([delivery.member.subject.key], dedup: dedup, of: notification)
        }
    }

    /// Forgets the result of a dead delivery; says when it died, where there is one.
    private func forgetDeath(of endpoint: RowID<Endpoint>, _ notification: RowID<Notification>) throws -> [Timestamp] {
        try prepare(
            "DELETE FROM deliveries WHERE notification_id = ? AND endpoint_id = ? AND state = 5 RETURNING settled_at"
        )
        .bind(notification, endpoint)
        .all { $0.time("settled_at") }
    }

    /// Keeps a dead delivery for somebody to look at, in place of what a retry left behind.
    func addDeadLetter(_ result: DeliveryResult, of batch: Batch) throws {
        // A new row and not a changed one: the letter that died last is listed first. Where the endpoint was forgotten,
        // nothing takes the old one's place.
        try prepare(
            """
            DELETE FROM dead_letters
            WHERE notification_id = ? AND endpoint_id = (SELECT id FROM endpoints WHERE id = ?)
            """
        )
        .bind(batch.notification, result.member.endpoint)
        .run()
        try prepare(
            """
            INSERT INTO dead_letters (kind, public_id, app_id, message, recipient, reason, attempts, died_at,
                notification_id, endpoint_id, user_id, external_user_id, platform, environment)
            SELECT 1, ?, ?, ?, e.public_id, ?, ?, ?, ?, e.id, u.id, u.external_id, ?, ?
            FROM endpoints e LEFT JOIN users u ON u.id = ? WHERE e.id = ?
            """
        )
        .bind(
            makeID(),
            batch.queue.app,
            batch.notificationID,
            result.reason,
            result.attempts,
            now,
            batch.notification,
            batch.queue.platform.code,
            batch.queue.environment.code,
            result.member.user,
            result.member.endpoint
        )
        .run()
    }
}

/// What a dead letter says about the delivery that it stands for.
private struct DeadDelivery {
    var notification: RowID<Notification>
    var member: Member
    var queue: DeliveryQueue

    init(_ row: Row) throws {
        notification = row.row("notification_id")
        member = Member(endpoint: row.row("endpoint_id"), user: row.optionalRow("user_id"))
        queue = try DeliveryQueue(row)
    }
}
