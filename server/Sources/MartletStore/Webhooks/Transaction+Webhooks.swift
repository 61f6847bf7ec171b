import MartletCore
import MartletWire

extension Transaction {
    /// Writes a message for webhook URLs; says whether there is anybody to get it. Where there is nobody, nothing is
    /// written.
    @discardableResult
    func enqueueWebhooks(_ message: WebhookMessage) throws -> Bool {
        switch message.recipients {
        case .subscribers(let filtered):
            guard try prepare(SQL.webhookSubscriber).bind(message.topic).exists() else { return false }
            let isBehind =
                try message.group.map {
                    try prepare(SQL.webhookGroupFanOut).bind(message.topic, $0).exists()
                } ?? false
            try insert(message, fanOut: isBehind ? 2 : 1, filtered: try encodedJSON(filtered))
        case .subscription(let row):
            let address = try prepare("SELECT address FROM subscriptions WHERE id = ? AND kind = 3").bind(row)
                .first { $0.text("address") }
            guard let address else { return false }
            let written = try insert(message, fanOut: 0, filtered: nil)
            try insertDelivery(of: written, to: row.rawValue, address: address, group: message.group)
        case .ended(let row):
            let address = try prepare("SELECT address FROM ended_subscriptions WHERE id = ?").bind(row)
                .first { $0.text("address") }
            guard let address else { return false }
            let written = try insert(message, fanOut: 0, filtered: nil)
            try insertDelivery(
                of: written,
                to: row.rawValue,
                address: address,
                group: nil,
                isUnsubscribeConfirmation: true
            )
        }
        return true
    }

    /// Writes a delivery; one behind another of its group waits for that.
    func insertDelivery(
        of message: Int64,
        to subscription: Int64,
        address: String,
        group: String?,
        isUnsubscribeConfirmation: Bool = false
    ) throws {
        let isBehind =
            try group.map { try prepare(SQL.webhookGroupDelivery).bind(subscription, $0).exists() } ?? false
        let queue = WebhookDelivery.queue(of: address)
        try prepare(
            """
            INSERT INTO webhook_deliveries (message_id, subscription_id, queue, message_group,
                is_unsubscribe_confirmation, due_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        )
        .bind(message, subscription, queue, group, isUnsubscribeConfirmation, isBehind ? .never : now)
        .run()
        if !isBehind { try wake(queue, at: now) }
    }

    /// Takes a delivery out, and its message when that was the last one; lets the next of its group go.
    func endDelivery(_ row: Int64, of message: Int64, subscription: Int64, group: String?) throws {
        guard try prepare("DELETE FROM webhook_deliveries WHERE id = ?").bind(row).changes() > 0 else { return }
        try prepare(SQL.forgetWebhookMessage).bind(message).run()
        guard let group,
            let next = try prepare(SQL.webhookGroupDelivery).bind(subscription, group).first({ $0.int("id") })
        else { return }
        let queue = try prepare("UPDATE webhook_deliveries SET due_at = ? WHERE id = ? AND due_at = ? RETURNING queue")
            .bind(now, next, Timestamp.never)
            .all { $0.text("queue") }
        for queue in queue { try wake(queue, at: now) }
    }

    /// Ends the reading of a message's recipients; lets the next message of its group go.
    func endWebhookFanOut(_ message: Int64, topic: RowID<Topic>, group: String?) throws {
        try prepare("UPDATE webhook_messages SET fan_out = 0 WHERE id = ?").bind(message).run()
        try prepare(SQL.forgetWebhookMessage).bind(message).run()
        guard let group, let next = try prepare(SQL.webhookGroupFanOut).bind(topic, group).first({ $0.int("id") })
        else { return }
        try prepare("UPDATE webhook_messages SET fan_out = 1 WHERE id = ?").bind(next).run()
    }

    /// One subscription of any topic, a deleted one too: what was accepted for it is still delivered.
    func webhookSubscription(_ row: Int64) throws -> Subscription? {
        try prepare(
            """
            SELECT \(Subscription.columns) FROM subscriptions s
                LEFT JOIN filter_policies p ON p.id = s.policy_id
                LEFT JOIN users u ON s.kind = 2 AND u.id = s.subject_id
            WHERE s.id = ?
            """
        )
        .bind(row)
        .first(Subscription.init)
    }

    /// Has the queues whose deliveries a server that is gone held look at them again, now; of one process, or of all.
    func wakeLeasedQueues(of process: Int64? = nil) throws {
        try prepare(
            """
            UPDATE webhook_queues SET turn_at = CASE WHEN rest_until > ?1 THEN rest_until ELSE ?1 END
            WHERE turn_at > rest_until AND turn_at > ?1 AND queue IN (
                SELECT queue FROM webhook_deliveries
                WHERE lease_holder IS NOT NULL AND (CAST(?2 AS bigint) IS NULL OR lease_process = ?2)
            )
            """
        )
        .bind(now, process)
        .run()
    }

    @discardableResult
    private func insert(_ message: WebhookMessage, fanOut: Int, filtered: String?) throws -> Int64 {
        try prepare(
            """
            INSERT INTO webhook_messages (public_id, topic_id, topic, document, filtered, message_group, fan_out,
                cursor, last_subscription, accepted_at, sequence)
            VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?) RETURNING id
            """
        )
        .bind(
            message.id,
            message.topic,
            message.topicName,
            message.document,
            filtered,
            message.group,
            fanOut,
            lastSubscription(),
            now,
            message.sequenceNumber
        )
        .one { $0.int("id") }
    }
}
