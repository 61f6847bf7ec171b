import MartletCore
import MartletWire

/// A host with its port: what waits for it comes in one queue, and has its turns.
struct WebhookQueue {
    /// The key, which says for how long it has waited.
    let row: Int64
    /// Host and port.
    let name: String
    /// Whether it answers.
    let standing: WebhookHost.Standing
    /// When its turn came.
    let turn: Timestamp
}

extension WebhookHost.Standing: DatabaseEnum {}

extension Transaction {
    /// Queues with something due for which there is capacity, those that wait longest first; where there is none, when there
    /// may be.
    func dueQueues(_ capacity: WebhookCapacity) throws -> (queues: [WebhookQueue], next: Timestamp?) {
        guard capacity.total > 0 else { return ([], nil) }
        var due: [WebhookQueue] = []
        let statement = try prepare(SQL.dueWebhookQueues)
        for standing in WebhookHost.Standing.allCases where capacity.free(standing) > 0 {
            // Those that have all they may have are due as well, and read past: they are no more than calls under way.
            let full = capacity.taken.keys.count { capacity.free(in: $0, standing) == 0 }
            due += try statement.bind(standing.code, now, capacity.free(standing) + full)
                .all { WebhookQueue(row: $0.int(0), name: $0.text(1), standing: standing, turn: $0.time(2)) }
                .filter { capacity.free(in: $0.name, standing) > 0 }
        }
        guard due.isEmpty else { return (due.sorted { ($0.turn, $0.row) < ($1.turn, $1.row) }, nil) }
        let next = try WebhookHost.Standing.allCases.compactMap { standing in
            try prepare(SQL.nextWebhookTurn).bind(standing.code, now).first { $0.time(0) }
        }
        return ([], next.min().flatMap { $0 < .never ? $0 : nil })
    }

    /// A queue as it is now; `nil` when its turn is over.
    func due(_ queue: WebhookQueue) throws -> WebhookQueue? {
        try prepare("SELECT id, standing, turn_at FROM webhook_queues WHERE queue = ? AND turn_at <= ?")
            .bind(queue.name, now)
            .first { WebhookQueue(row: $0.int(0), name: queue.name, standing: try $0.code(1), turn: $0.time(2)) }
    }

    /// Ends a queue's turn: the next one comes when something is due again, behind those that wait now.
    func endTurn(of queue: String) throws {
        let next = try nextDue(in: queue)
        try prepare(
            """
            UPDATE webhook_queues SET id = (SELECT max(id) + 1 FROM webhook_queues), turn_at = max(rest_until, ?),
                idle_since = ?
            WHERE queue = ?
            """
        )
        .bind(next.map { max($0, now) } ?? .never, next == nil ? now : nil, queue)
        .run()
    }

    /// Brings a queue's turn forward to a moment, unless it comes sooner.
    func wake(_ queue: String, at moment: Timestamp) throws {
        try prepare(SQL.wakeWebhookQueue).bind(queue, moment).run()
    }

    /// Takes into account what a call tells of a host.
    func note(_ sign: WebhookHost.Sign, of queue: String) throws {
        guard sign != .none else { return }
        let known = try prepare("SELECT standing, silences, rest_until FROM webhook_queues WHERE queue = ?").bind(queue)
            .first { WebhookHost(standing: try $0.code(0), silences: $0.count(1), restUntil: $0.time(2)) }
        guard let known else { return }
        var host = known
        host.note(sign, at: now)
        guard host != known else { return }
        let next = try nextDue(in: queue).map { max($0, host.restUntil) }
        try prepare(
            """
            UPDATE webhook_queues SET standing = ?, silences = ?, rest_until = ?, turn_at = coalesce(?, turn_at)
            WHERE queue = ?
            """
        )
        .bind(host.standing.code, host.silences, host.restUntil, next, queue)
        .run()
    }

    /// Forgets hosts for which nothing has waited for long; says how many.
    func purgeWebhookQueues(before: Timestamp, limit: Int) throws -> Int {
        try prepare(
            """
            DELETE FROM webhook_queues WHERE id IN (
                SELECT q.id FROM webhook_queues q WHERE q.idle_since < ?
                    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.queue = q.queue)
                ORDER BY q.idle_since LIMIT ?
            )
            """
        )
        .bind(before, limit)
        .run()
    }

    private func nextDue(in queue: String) throws -> Timestamp? {
        try prepare(SQL.nextWebhookDue).bind(queue).first { $0.time(0) }
    }
}
