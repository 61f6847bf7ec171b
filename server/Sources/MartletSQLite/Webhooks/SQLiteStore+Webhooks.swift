public import MartletCore
import MartletWire

extension SQLiteStore {
    /// Writes one message.
    public func enqueue(_ message: WebhookMessage) async throws -> Bool {
        try await write { try $0.enqueueWebhooks(message) }
    }

    /// Finds the recipients before the writer is taken; of two who do that at a time, one writes.
    public func fanOutWebhooks(
        after row: RowID<WebhookMessage>?,
        limit: Int
    ) async throws -> RowID<WebhookMessage>? {
        let policies = policies
        let part = try await read { transaction -> WebhookPart? in
            let statement = try transaction.prepare(SQL.nextWebhookFanOut)
            guard var part = try statement.bind(row?.rawValue ?? 0).first(WebhookPart.init) else { return nil }
            let matched = try part.filtered.map { try transaction.matching($0, of: part.topic, policies) } ?? []
            let looked = try transaction.prepare(SQL.webhookSubscribers)
                .bind(part.topic, part.cursor, part.last, limit)
                .all { (row: $0.int(0), address: $0.text(1), policy: $0.optionalInt(2)) }
            part.recipients = looked.filter { $0.policy.map(matched.contains) ?? true }.map { ($0.row, $0.address) }
            part.next = looked.count < limit ? nil : looked.last?.row
            return part
        }
        guard let part else { return nil }
        try await write { transaction in
            let isMine = try transaction.prepare(
                "UPDATE webhook_messages SET cursor = ? WHERE id = ? AND cursor = ? AND fan_out = 1"
            )
            .bind(part.next ?? part.cursor, part.row, part.cursor)
            .run()
            guard isMine > 0 else { return }
            for (subscription, address) in part.recipients {
                try transaction.insertDelivery(of: part.row, to: subscription, address: address, group: part.group)
            }
            if part.next == nil {
                try transaction.endWebhookFanOut(part.row, topic: part.topic, group: part.group)
            }
        }
        return RowID(part.row)
    }

    /// Looks for queues with something due before the writer is taken.
    public func leaseWebhooks(_ room: WebhookRoom, lease: Lease) async throws -> LeasedWebhooks {
        let (queues, next) = try await read { try $0.dueQueues(room) }
        guard !queues.isEmpty else { return LeasedWebhooks(next: next) }
        return try await write { transaction in
            var (room, leased) = (room, LeasedWebhooks())
            for queue in queues where room.total > 0 {
                let found = try transaction.lease(queue, limit: room.free(in: queue), lease)
                room.total -= found.count
                leased.deliveries += found
            }
            return leased
        }
    }

    /// Writes in one transaction.
    public func settle(_ delivery: WebhookDelivery, _ outcome: WebhookOutcome, lease: Lease) async throws {
        try await write { transaction in
            let known = try transaction.prepare(
                "SELECT lease_holder, message_group FROM webhook_deliveries WHERE id = ?"
            )
            .bind(delivery.row)
            .first { (holder: $0.optionalInt(0), group: $0.optionalText(1)) }
            guard let known, known.holder == lease.holder || outcome == .delivered else { return }
            switch outcome {
            case .delivered: try transaction.end(delivery, group: known.group)
            case .retry(let time, let reason):
                try transaction.postpone(delivery, until: time, attempts: 1, reason: reason)
            case .deferred(let time): try transaction.postpone(delivery, until: time, attempts: 0, reason: nil)
            case .dead(let reason):
                try transaction.bury(delivery, reason: reason)
                try transaction.end(delivery, group: known.group)
            }
        }
    }

    /// Reads an index of what waits.
    public func webhookBacklog() async throws -> WebhookBacklog {
        try await read { transaction in
            func number(_ sql: String) throws -> Int { try transaction.prepare(sql).first { $0.count(0) } ?? 0 }
            return WebhookBacklog(
                deliveries: try number("SELECT count(*) FROM webhook_deliveries"),
                messages: try number("SELECT count(*) FROM webhook_messages WHERE fan_out <> 0"),
                oldest: try transaction.prepare("SELECT accepted_at FROM webhook_messages ORDER BY id LIMIT 1")
                    .first { $0.time(0) },
                deadLetters: try number("SELECT count(*) FROM webhook_dead_letters")
            )
        }
    }

    /// Lists dead letters by their keys, the newest first.
    public func webhookDeadLetters(_ page: PageRequest) async throws -> Page<WebhookDeadLetter> {
        try await read { transaction in
            let rows = try transaction.prepare(
                """
                SELECT id, public_id, message, topic, subscription, address, document, attempts, reason, died_at
                FROM webhook_dead_letters WHERE id < ? ORDER BY id DESC LIMIT ?
                """
            )
            .bind(page.after ?? .max, page.count + 1)
            .all(WebhookDeadLetter.init)
            return Page(rows, page) { $0.row }
        }
    }
}

/// A part of a message's recipients.
private struct WebhookPart: Sendable {
    let row: Int64
    let topic: RowID<Topic>
    let cursor: Int64
    let last: Int64
    let filtered: TopicMessage?
    let group: String?
    var recipients: [(subscription: Int64, address: String)] = []
    /// Where to go on; `nil` at the end.
    var next: Int64?

    init(_ row: Columns) throws {
        self.row = row.int(0)
        topic = row.row(1)
        cursor = row.int(2)
        last = row.int(3)
        // One that cannot be read is not kept from those who take all, and keeps no message behind it waiting.
        filtered = try? row.json(4, as: TopicMessage.self)
        group = row.optionalText(5)
    }
}

extension WebhookDeadLetter {
    fileprivate init(_ row: Columns) throws {
        self.init(
            row: row.int(0),
            id: try row.publicID(1),
            message: try row.publicID(2),
            topicName: row.text(3),
            subscription: try row.publicID(4),
            address: row.text(5),
            document: row.text(6),
            attempts: row.count(7),
            reason: row.text(8),
            diedAt: row.time(9)
        )
    }
}
