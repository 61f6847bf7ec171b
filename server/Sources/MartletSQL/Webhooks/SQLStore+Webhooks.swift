public import MartletCore
import MartletWire

extension SQLStore {
    /// Writes one message.
    public func enqueue(_ message: WebhookMessage) async throws -> Bool {
        try await write { try $0.enqueueWebhooks(message) }
    }

    /// Finds the recipients before the writer is taken; of two who do that at a time, one writes.
    public func fanOutWebhooks(
        after row: RowID<WebhookMessage>?,
        limit: Int
    ) async throws -> RowID<WebhookMessage>? {
        let after = row?.rawValue ?? 0
        let next = try await read { try $0.prepare(SQL.nextWebhookFanOut).bind(after).first(WebhookPart.init) }
        guard let next else { return nil }
        let policies = policies
        do {
            let part = try await readWithPolicies { transaction in
                var part = next
                try transaction.readRecipients(of: &part, limit: limit, policies)
                return part
            }
            try await write { try $0.writeRecipients(of: part) }
        } catch {
            throw WebhookFanOutFailure(row: RowID(next.row), cause: error)
        }
        return RowID(next.row)
    }

    /// Looks for queues with something due before the writer is taken.
    public func leaseWebhooks(_ permits: Permits<String>, lease: Lease) async throws -> LeasedWebhooks {
        guard permits.left > 0 else { return LeasedWebhooks() }
        let (queues, next) = try await read { try $0.dueQueues(permits) }
        guard !queues.isEmpty else { return LeasedWebhooks(next: next) }
        return try await write { transaction in
            var (permits, leased, looks) = (permits, LeasedWebhooks(), Self.looksPerLease)
            for queue in queues where permits.left > 0 && looks > 0 {
                guard let queue = try transaction.due(queue) else { continue }
                let limit = try transaction.limit(of: queue, permits)
                guard limit > 0 else { continue }
                let before = leased.deliveries.count
                try transaction.lease(queue, limit: limit, looks: &looks, lease, into: &leased)
                permits.acquire(leased.deliveries.count - before, in: queue.permitHolder)
            }
            // There was something due, and somebody else has it, or it was dropped: there may be more behind it.
            if leased.deliveries.isEmpty { leased.next = transaction.now }
            return leased
        }
    }

    /// How many deliveries one transaction looks at, most of which can be such as are dropped. Ours: some milliseconds,
    /// for which other writers wait.
    private static let looksPerLease = 1_000

    /// Writes in one transaction.
    public func settle(
        _ delivery: WebhookDelivery,
        _ outcome: WebhookOutcome,
        _ sign: WebhookHost.Sign,
        lease: Lease
    ) async throws {
        try await write { transaction in
            try transaction.settle(delivery, outcome, lease)
            try transaction.note(sign, of: delivery.queue)
        }
    }
}

extension Transaction {
    fileprivate func settle(_ delivery: WebhookDelivery, _ outcome: WebhookOutcome, _ lease: Lease) throws {
        let known = try prepare("SELECT lease_holder, message_group FROM webhook_deliveries WHERE id = ?")
            .bind(delivery.row)
            .first { (holder: $0.optionalInt("lease_holder"), group: $0.optionalText("message_group")) }
        guard let known, outcome.isRecorded(isHeld: known.holder == lease.holder) else { return }
        switch outcome {
        case .delivered: try end(delivery, group: known.group)
        case .retry(let time, let reason): try postpone(delivery, until: time, attempts: 1, reason: reason)
        case .deferred(let time): try postpone(delivery, until: time, attempts: 0, reason: nil)
        case .dead(let reason):
            try bury(delivery.row.rawValue, attempts: 1, reason: reason)
            try end(delivery, group: known.group)
        }
    }

    fileprivate func readRecipients(of part: inout WebhookPart, limit: Int, _ policies: PolicyIndexCache) throws {
        let matched = try part.filtered.map { try matching($0, of: part.topic, policies) } ?? []
        let looked = try prepare(SQL.webhookSubscribers)
            .bind(part.topic, part.cursor, part.last, limit)
            .all { (row: $0.int("id"), address: $0.text("address"), policy: $0.optionalInt("policy_id")) }
        part.recipients = looked.filter { $0.policy.map(matched.contains) ?? true }.map { ($0.row, $0.address) }
        part.next = looked.count < limit ? nil : looked.last?.row
    }

    fileprivate func writeRecipients(of part: WebhookPart) throws {
        let isMine = try prepare("UPDATE webhook_messages SET cursor = ? WHERE id = ? AND cursor = ? AND fan_out = 1")
            .bind(part.next ?? part.cursor, part.row, part.cursor)
            .run()
        guard isMine > 0 else { return }
        for (subscription, address) in part.recipients {
            try insertDelivery(of: part.row, to: subscription, address: address, group: part.group)
        }
        if part.next == nil { try endWebhookFanOut(part.row, topic: part.topic, group: part.group) }
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

    init(_ row: Row) throws {
        self.row = row.int("id")
        topic = row.row("topic_id")
        cursor = row.int("cursor")
        last = row.int("last_subscription")
        // One that cannot be read is not kept from those who take all, and keeps no message behind it waiting.
        filtered = try? row.json("filtered", as: TopicMessage.self)
        group = row.optionalText("message_group")
    }
}
