import MartletCore
import MartletWire

extension Transaction {
    /// Takes a queue's due deliveries; drops those of subscriptions that ended, and gives up those that are too old.
    ///
    /// - Parameter looks: how many deliveries may be looked at, less those that were.
    func lease(
        _ queue: WebhookQueue,
        limit: Int,
        looks: inout Int,
        _ lease: Lease
    ) throws -> LeasedWebhooks {
        var leased = LeasedWebhooks()
        while leased.deliveries.count < limit, looks > 0 {
            let due = try prepare(SQL.dueWebhooks).bind(queue.name, now, min(limit - leased.deliveries.count, looks))
                .all(DueWebhook.init)
            guard !due.isEmpty else { break }
            looks -= due.count
            for one in due {
                if one.process == lease.process {
                    // Whoever is at it ends with its answer; where nobody is, it is leased when this has passed.
                    try prepare("UPDATE webhook_deliveries SET lease_process = NULL, due_at = ? WHERE id = ?")
                        .bind(now + WebhookDelivery.lease, one.row)
                        .run()
                } else if now >= one.acceptedAt + WebhookDelivery.longestLife {
                    leased.expired += try bury(one.row, attempts: 0, reason: Self.expired)
                    try endDelivery(one.row, of: one.message, subscription: one.subscription, group: one.group)
                } else if let delivery = try take(one, in: queue, lease) {
                    leased.deliveries.append(delivery)
                }
            }
        }
        try endTurn(of: queue.name)
        return leased
    }

    /// Why a delivery is given up that is too old.
    private static let expired = "not delivered within \(WebhookDelivery.longestLife.components.seconds / 3_600) hours"

    private func take(_ one: DueWebhook, in queue: WebhookQueue, _ lease: Lease) throws -> WebhookDelivery? {
        do {
            guard let delivery = try read(one, in: queue) else {
                try endDelivery(one.row, of: one.message, subscription: one.subscription, group: one.group)
                return nil
            }
            try prepare("UPDATE webhook_deliveries SET lease_process = ?, lease_holder = ?, due_at = ? WHERE id = ?")
                .bind(lease.process, lease.holder, now + WebhookDelivery.lease, one.row)
                .run()
            return delivery
        } catch is Failure {
            // What cannot be read keeps nobody else waiting, and is not lost either.
            try prepare("UPDATE webhook_deliveries SET due_at = ? WHERE id = ?")
                .bind(now + .seconds(3_600), one.row)
                .run()
            return nil
        }
    }

    /// A delivery with its message and its subscription; `nil` where one of them is gone.
    private func read(_ due: DueWebhook, in queue: WebhookQueue) throws -> WebhookDelivery? {
        let subscription =
            due.isUnsubscribeConfirmation
            ? try endedSubscription(due.subscription) : try webhookSubscription(due.subscription)
        guard let subscription else { return nil }
        return try prepare("SELECT public_id, topic, document, sequence FROM webhook_messages WHERE id = ?")
            .bind(due.message)
            .first { row in
                WebhookDelivery(
                    row: RowID(due.row),
                    messageRow: RowID(due.message),
                    message: try row.publicID(0),
                    topicName: row.text(1),
                    document: row.text(2),
                    sequenceNumber: row.optionalInt(3),
                    subscription: subscription,
                    queue: queue.name,
                    standing: queue.standing,
                    attempts: due.attempts,
                    acceptedAt: due.acceptedAt
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
            UPDATE webhook_deliveries SET lease_process = NULL, lease_holder = NULL, due_at = ?, attempts = attempts + ?,
                last_reason = coalesce(?, last_reason)
            WHERE id = ?
            """
        )
        .bind(time, attempts, reason, delivery.row)
        .run()
        try wake(delivery.queue, at: time)
    }

    /// Keeps a delivery that is given up; says how many that were.
    @discardableResult
    func bury(_ delivery: Int64, attempts: Int, reason: String) throws -> Int {
        try prepare(SQL.buryWebhook).bind(makeID(), attempts, reason, now, delivery).run()
    }
}

/// A row that is due.
private struct DueWebhook {
    let row: Int64
    let message: Int64
    let subscription: Int64
    let group: String?
    let isUnsubscribeConfirmation: Bool
    let attempts: Int
    let acceptedAt: Timestamp
    /// The process whose lease ended.
    let process: Int64?

    init(_ row: Columns) {
        self.row = row.int(0)
        message = row.int(1)
        subscription = row.int(2)
        group = row.optionalText(3)
        isUnsubscribeConfirmation = row.flag(4)
        attempts = row.count(5)
        acceptedAt = row.time(6)
        process = row.optionalInt(7)
    }
}
