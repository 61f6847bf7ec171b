import MartletCore
import MartletWire

extension WebhookQueue {
    /// What ``init(_:)`` reads.
    static let columns = "place, queue, is_silent, turn_at"

    /// A queue from a row of these columns.
    init(_ row: Row) {
        self.init(
            place: row.int("place"),
            name: row.text("queue"),
            isSilent: row.flag("is_silent"),
            turn: row.time("turn_at")
        )
    }
}

extension Transaction {
    /// Queues with something due for which there are permits, those that wait longest first; where there is none, when
    /// there may be.
    func dueQueues(_ permits: Permits<String>) throws -> (queues: [WebhookQueue], next: Timestamp?) {
        var due: [WebhookQueue] = []
        for isSilent in [false, true] {
            // Those that have all they may have are due as well, and read past: with those for which there are permits
            // they are no more than all permits.
            due += try prepare(SQL.dueWebhookQueues).bind(isSilent, now, permits.total)
                .all(WebhookQueue.init)
                .filter { try limit(of: $0, permits) > 0 }
        }
        guard due.isEmpty else { return (due.sorted(), nil) }
        let next = try [false, true].compactMap { isSilent in
            try prepare(SQL.nextWebhookTurn).bind(isSilent, now).first { $0.time("turn_at") }
        }
        return ([], next.min().flatMap { $0 < .never ? $0 : nil })
    }

    /// How many deliveries of a queue may be leased.
    func limit(of queue: WebhookQueue, _ permits: Permits<String>) throws -> Int {
        try queue.limit(permits, isCalled: isCalled(queue.name))
    }

    /// A queue as it is now; `nil` when its turn is over.
    func due(_ queue: WebhookQueue) throws -> WebhookQueue? {
        try prepare("SELECT \(WebhookQueue.columns) FROM webhook_queues WHERE queue = ? AND turn_at <= ?")
            .bind(queue.name, now)
            .first(WebhookQueue.init)
    }

    /// Ends a queue's turn: the next one comes when something is due again, behind those that wait now.
    func endTurn(of queue: String) throws {
        let (turn, idleSince) = WebhookQueue.afterTurn(nextDue: try nextDue(in: queue), now: now)
        try prepare(
            """
            UPDATE webhook_queues SET turn_at = CASE WHEN rest_until > ?1 THEN rest_until ELSE ?1 END,
                idle_since = ?2, place = ?4
            WHERE queue = ?3
            """
        )
        .bind(turn ?? .never, idleSince, queue, keys.nextKey(at: now))
        .run()
    }

    /// Brings a queue's turn forward to a moment, unless it comes sooner.
    func wake(_ queue: String, at moment: Timestamp) throws {
        try prepare(SQL.wakeWebhookQueue).bind(queue, moment, keys.nextKey(at: now)).run()
    }

    /// Takes into account what a call tells of a host.
    func note(_ sign: WebhookHost.Sign, of queue: String) throws {
        guard sign != .none else { return }
        let known = try prepare("SELECT silences, rest_until FROM webhook_queues WHERE queue = ?").bind(queue)
            .first { WebhookHost(silences: $0.count("silences"), restUntil: $0.time("rest_until")) }
        guard let known else { return }
        var host = known
        host.note(sign, at: now)
        guard host != known else { return }
        let next = try nextDue(in: queue).map(host.turn)
        try prepare(
            """
            UPDATE webhook_queues SET silences = CAST(?1 AS bigint),
                is_silent = CASE WHEN CAST(?1 AS bigint) > 0 THEN 1 ELSE 0 END, rest_until = ?2,
                turn_at = coalesce(?3, turn_at)
            WHERE queue = ?4
            """
        )
        .bind(host.silences, host.restUntil, next, queue)
        .run()
    }

    /// Forgets hosts for which nothing has waited for long; says how many.
    func purgeWebhookQueues(before: Timestamp, limit: Int) throws -> Int {
        try prepare(
            """
            DELETE FROM webhook_queues WHERE id IN (
                SELECT q.id FROM webhook_queues q WHERE q.idle_since < ?
                    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.queue = q.queue)
                ORDER BY q.idle_since, q.id LIMIT ?
            )
            """
        )
        .bind(before, limit)
        .changes()
    }

    /// Whether a delivery of a queue is under way.
    private func isCalled(_ queue: String) throws -> Bool {
        try prepare(SQL.calledWebhook).bind(queue, now).exists()
    }

    /// When the first of a queue's deliveries may be taken.
    private func nextDue(in queue: String) throws -> Timestamp? {
        let due = try prepare(SQL.nextWebhookDue).bind(queue, now).first { $0.time("due_at") }
        if let due, due <= now { return due }
        // Nothing that is due is free: what is read here is what is in flight.
        let free = try prepare(SQL.nextWebhookFree).bind(queue, now).first { $0.optionalTime("next_at") } ?? nil
        return [due, free].compactMap(\.self).min()
    }
}
