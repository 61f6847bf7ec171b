import MartletCore
import MartletWire

extension Transaction {
    /// Queues with something due, in a round from the one after `room.after`; where there is none, when there will be.
    func dueQueues(_ room: WebhookRoom) throws -> (queues: [String], next: Timestamp?) {
        guard room.total > 0, let first = try prepare(SQL.nextWebhookDue).first({ $0.optionalTime(0) }) ?? nil else {
            return ([], nil)
        }
        guard first <= now else { return ([], first < .never ? first : nil) }
        let statement = try prepare(SQL.nextWebhookQueue)
        var (queues, last, isSecondRound): ([String], String, Bool) = ([], room.after, false)
        while queues.count < room.total {
            let found = try statement.bind(last).first { (queue: $0.text(0), dueAt: $0.time(1)) }
            guard let found, !isSecondRound || found.queue <= room.after else {
                guard !isSecondRound, !room.after.isEmpty else { break }
                (last, isSecondRound) = ("", true)
                continue
            }
            last = found.queue
            if found.dueAt <= now, room.free(in: found.queue) > 0 { queues.append(found.queue) }
        }
        return (queues, nil)
    }

    /// Takes a queue's due deliveries; drops those of subscriptions that ended.
    func lease(_ queue: String, limit: Int, _ lease: Lease) throws -> [WebhookDelivery] {
        let due = try prepare(SQL.dueWebhooks).bind(queue, now, limit).all(DueWebhook.init)
        var leased: [WebhookDelivery] = []
        for one in due {
            do {
                guard let delivery = try read(one, in: queue) else {
                    try endDelivery(one.row, of: one.message, subscription: one.subscription, group: one.group)
                    continue
                }
                try prepare("UPDATE webhook_deliveries SET lease_holder = ?, due_at = ? WHERE id = ?")
                    .bind(lease.holder, now + WebhookDelivery.lease, one.row)
                    .run()
                leased.append(delivery)
            } catch is Failure {
                // What cannot be read keeps nobody else waiting, and is not lost either.
                try prepare("UPDATE webhook_deliveries SET due_at = ? WHERE id = ?")
                    .bind(now + .seconds(3_600), one.row)
                    .run()
            }
        }
        return leased
    }

    /// A delivery with its message and its subscription; `nil` where one of them is gone.
    private func read(_ due: DueWebhook, in queue: String) throws -> WebhookDelivery? {
        guard let subscription = try webhookSubscription(due.subscription) else { return nil }
        return try prepare("SELECT public_id, topic, document, accepted_at FROM webhook_messages WHERE id = ?")
            .bind(due.message)
            .first { row in
                WebhookDelivery(
                    row: RowID(due.row),
                    messageRow: RowID(due.message),
                    message: try row.publicID(0),
                    topicName: row.text(1),
                    document: row.text(2),
                    subscription: subscription,
                    queue: queue,
                    attempts: due.attempts,
                    acceptedAt: row.time(3)
                )
            }
    }

    /// Takes a delivery out that is over.
    func end(_ delivery: WebhookDelivery, group: String?) throws {
        try endDelivery(
            delivery.row.rawValue,
            of: delivery.messageRow.rawValue,
            subscription: delivery.subscription.row.rawValue,
            group: group
        )
    }

    /// Lets go of a delivery that is due at another time.
    func postpone(_ delivery: WebhookDelivery, until time: Timestamp, attempts: Int, reason: String?) throws {
        try prepare(
            """
            UPDATE webhook_deliveries SET lease_holder = NULL, due_at = ?, attempts = attempts + ?,
                last_reason = coalesce(?, last_reason)
            WHERE id = ?
            """
        )
        .bind(time, attempts, reason, delivery.row)
        .run()
    }

    /// Keeps a delivery that was given up.
    func bury(_ delivery: WebhookDelivery, reason: String) throws {
        try prepare(
            """
            INSERT INTO webhook_dead_letters (public_id, message, topic, subscription, address, document, attempts,
                reason, died_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        .bind(
            makeID(),
            delivery.message,
            delivery.topicName,
            delivery.subscription.id,
            delivery.subscription.address,
            delivery.document,
            delivery.attempts + 1,
            reason,
            now
        )
        .run()
    }
}

/// A row that is due.
private struct DueWebhook {
    let row: Int64
    let message: Int64
    let subscription: Int64
    let group: String?
    let attempts: Int

    init(_ row: Columns) {
        self.row = row.int(0)
        message = row.int(1)
        subscription = row.int(2)
        group = row.optionalText(3)
        attempts = row.count(4)
    }
}
