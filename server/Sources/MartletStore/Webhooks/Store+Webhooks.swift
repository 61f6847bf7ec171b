public import MartletCore
import MartletWire

extension Store {
    /// Accepts a message by itself; says whether there is anybody to get it.
    public func enqueue(_ message: WebhookMessage) async throws -> Bool {
        try await write { try $0.enqueueWebhooks(message) }
    }

    /// Reads a part of the recipients of one message into deliveries: the first message after `row` whose recipients
    /// are not read to their end, so that messages to many take turns with the others.
    ///
    /// - Parameter limit: how many subscriptions to look at.
    /// - Returns: that message's row; `nil` when there is none after `row`.
    /// - Throws: ``WebhookFanOutFailure`` when it is that message that makes trouble: those after it may be read.
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

    /// Takes due deliveries, queue by queue in turn, as ``LeaseAdmission`` says and for which there are permits; hosts that
    /// rest are left alone, and those that do not answer get one call at a time. What nobody is subscribed for any more is
    /// dropped on the way; what is older than ``WebhookDelivery/longestLife``, or would be quarantined, becomes a dead letter.
    ///
    /// - Parameter permits: by ``WebhookDelivery/permitHolder``.
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

    /// Records the result of an attempt, and what it tells of the host. Of a delivery that somebody else has by now
    /// only that it was delivered.
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
            try addDeadLetter(delivery.row.rawValue, attempts: 1, reason: reason)
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
            .changes()
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

extension Store {
    /// Records the result of an attempt that tells nothing of the host.
    public func settle(_ delivery: WebhookDelivery, _ outcome: WebhookOutcome, lease: Lease) async throws {
        try await settle(delivery, outcome, .none, lease: lease)
    }
}
