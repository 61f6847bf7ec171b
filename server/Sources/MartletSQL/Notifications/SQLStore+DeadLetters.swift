public import MartletCore
public import MartletWire

extension SQLStore {
    /// Finds a dead letter by its id outside.
    public func deadLetter(_ id: PublicID) async throws -> DeadLetter? {
        try await read { transaction in
            try transaction.prepare("SELECT \(DeadLetter.columns) FROM dead_letters WHERE public_id = ?")
                .bind(id)
                .first(DeadLetter.init)
        }
    }

    /// Lists dead letters by their rows, the newest first.
    public func deadLetters(_ app: RowID<App>?, _ page: PageRequest) async throws -> Page<DeadLetter> {
        try await readLong { transaction in
            let rows = try transaction.all(
                "SELECT \(DeadLetter.columns) FROM dead_letters WHERE id < ? AND retried_at IS NULL",
                of: app,
                "app_id",
                "ORDER BY id DESC LIMIT ?",
                from: page.after ?? .max,
                page,
                DeadLetter.init
            )
            return Page(rows, page) { $0.row }
        }
    }

    /// Takes the delivery's result back and makes a batch of its own for it.
    public func retryDeadLetter(_ id: PublicID) async throws -> DeadLetterRetry<DeadLetter> {
        try await write { transaction in
            let known = try transaction.prepare("SELECT \(DeadLetter.columns) FROM dead_letters WHERE public_id = ?")
                .bind(id)
                .first { row in
                    (
                        letter: try DeadLetter(row), delivery: try DeadDelivery(row),
                        retriedAt: row.optionalTime("retried_at")
                    )
                }
            guard let known else { throw Failure.notFound("dead letter") }
            guard known.retriedAt == nil else { return DeadLetterRetry(letter: known.letter, isRepeated: true) }
            guard let notification = try transaction.head(of: known.delivery.notification) else {
                throw Failure(
                    .notFound,
                    "The notification of this dead letter was deleted.",
                    hint: "Send it as a new notification, or keep notifications for longer than dead letters."
                )
            }
            guard notification.state != .cancelled else {
                throw Failure(.conflict, "The notification of this dead letter was cancelled.")
            }
            try transaction.revive(known.delivery, of: notification)
            try transaction.prepare("UPDATE dead_letters SET retried_at = ? WHERE id = ?")
                .bind(transaction.now, known.letter.row)
                .run()
            return DeadLetterRetry(letter: known.letter, isRepeated: false)
        }
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

extension Transaction {
    /// Makes a delivery pending again: its result goes, because it is no longer how the delivery ended, and its claim
    /// is taken again where nobody else took it.
    fileprivate func revive(_ delivery: DeadDelivery, of notification: NotificationHead) throws {
        let deleted = try prepare(
            "DELETE FROM deliveries WHERE notification_id = ? AND endpoint_id = ? AND state = 5"
        )
        .bind(delivery.notification, delivery.member.endpoint)
        .run()
        try prepare(
            "UPDATE notifications SET state = 1 WHERE id = ? AND state = 2"
        )
        .bind(delivery.notification)
        .run()
        let environment =
            try prepare("SELECT environment FROM endpoints WHERE id = ?").bind(delivery.member.endpoint)
            .first { try $0.optionalCode("environment", as: Environment.self) } ?? nil
        var queue = delivery.queue
        queue.environment = environment ?? queue.environment
        let draft = BatchDraft(queue: queue, isEnvironmentKnown: environment != nil, members: [delivery.member])
        // A day, so that an operator's retry is not over before a provider's outage is.
        let expiresAt = max(notification.expiresAt, now + .seconds(86_400))
        var change = CountChange()
        change.dead = -deleted
        // It may stand in a batch still: the answer that ended it came late, when another worker had the batch.
        let isWaiting = try !waiting([delivery.member.endpoint], of: delivery.notification).isEmpty
        change.pending = isWaiting ? 0 : try insert(draft, of: notification, expiresAt: expiresAt)
        try count(change, of: delivery.notification)
        if let dedup = notification.dedup {
            _ = try claim([delivery.member.subject.key], dedup: dedup, of: notification)
        }
    }

    /// Keeps a dead delivery for somebody to look at, in place of what a retry left behind.
    func bury(_ result: DeliveryResult, of batch: Batch) throws {
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
            INSERT INTO dead_letters (public_id, app_id, notification_id, notification, endpoint_id, endpoint, user_id,
                external_user_id, platform, environment, reason, attempts, died_at)
            SELECT ?, ?, ?, ?, e.id, e.public_id, u.id, u.external_id, ?, ?, ?, ?, ?
            FROM endpoints e LEFT JOIN users u ON u.id = ? WHERE e.id = ?
            """
        )
        .bind(
            makeID(),
            batch.queue.app,
            batch.notification,
            batch.notificationID,
            batch.queue.platform.code,
            batch.queue.environment.code,
            result.reason,
            result.attempts,
            now,
            result.member.user,
            result.member.endpoint
        )
        .run()
    }
}

extension DeadLetter {
    fileprivate static let columns = """
        id, public_id, app_id, notification, endpoint, external_user_id, reason, attempts, died_at, notification_id,
        endpoint_id, user_id, platform, environment, retried_at
        """

    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.int("id"),
            id: try row.publicID("public_id"),
            app: row.row("app_id"),
            notification: try row.publicID("notification"),
            endpoint: try row.publicID("endpoint"),
            user: row.optionalText("external_user_id"),
            reason: row.optionalText("reason"),
            attempts: row.count("attempts"),
            diedAt: row.time("died_at")
        )
    }
}
