import MartletCore
import MartletWire

extension Transaction {
    /// Takes a queue's due deliveries; drops those of subscriptions that ended, and gives up those that are too old or
    /// crashed the server too often.
    ///
    /// - Parameter looks: how many deliveries may be looked at, less those that were.
    func lease(
        _ queue: WebhookQueue,
        limit: Int,
        looks: inout Int,
        _ lease: Lease,
        into leased: inout LeasedWebhooks
    ) throws {
        var isOtherIsolated = try isIsolatedLeased(queue.name)
        var free = limit
        while free > 0, looks > 0 {
            let due = try prepare(SQL.dueWebhooks).bind(queue.name, now, min(free, looks)).all(DueWebhook.init)
            guard !due.isEmpty else { break }
            looks -= due.count
            for one in due {
                switch one.admission(isOtherIsolated: isOtherIsolated, to: lease, now: now) {
                case .extend(let time):
                    try prepare("UPDATE webhook_deliveries SET lease_process = NULL, lease_until = ? WHERE id = ?")
                        .bind(time, one.row)
                        .run()
                case .expire(let reason): leased.expired += try giveUp(one, attempts: 0, reason: reason)
                case .crash(let attempts, let reason):
                    leased.crashed += try giveUp(one, attempts: attempts, reason: reason)
                case .wait(let time): try postpone(one, until: time)
                case .lease:
                    guard let delivery = try take(one, in: queue, lease) else { continue }
                    leased.deliveries.append(delivery)
                    free -= 1
                    if one.failures >= LeaseAdmission.isolatedFrom { isOtherIsolated = true }
                }
            }
        }
        try endTurn(of: queue.name)
    }

    /// Whether a delivery of a queue is under way that may be poison.
    private func isIsolatedLeased(_ queue: String) throws -> Bool {
        try prepare(SQL.isolatedWebhook).bind(queue, now, LeaseAdmission.isolatedFrom).exists()
    }

    /// Leaves a delivery alone until a moment; the count of its leases stays.
    private func postpone(_ one: DueWebhook, until time: Timestamp) throws {
        try prepare(
            "UPDATE webhook_deliveries SET lease_process = NULL, lease_holder = NULL, due_at = ? WHERE id = ?"
        )
        .bind(time, one.row)
        .run()
    }

    private func giveUp(_ one: DueWebhook, attempts: Int, reason: String) throws -> Int {
        let added = try addDeadLetter(one.row, attempts: attempts, reason: reason)
        try endDelivery(one.row, of: one.message, subscription: one.subscription, group: one.group)
        return added
    }

    private func take(_ one: DueWebhook, in queue: WebhookQueue, _ lease: Lease) throws -> WebhookDelivery? {
        do {
            guard let delivery = try read(one, in: queue) else {
                try endDelivery(one.row, of: one.message, subscription: one.subscription, group: one.group)
                return nil
            }
            // As it was seen: no one else has leased it since.
            let isMine = try prepare(
                """
                UPDATE webhook_deliveries SET lease_process = ?, lease_holder = ?, lease_until = ?,
                    lease_count = lease_count + 1
                WHERE id = ? AND lease_until <= ? AND lease_count = ?
                """
            )
            .bind(lease.process, lease.holder, now + WebhookDelivery.lease, one.row, now, one.failures)
            .changes()
            guard isMine > 0 else { return nil }
            if one.failures + 1 >= LeaseAdmission.isolatedFrom, one.state != .isolated {
                try setState(.isolated, ofWebhook: one.row)
            }
            return delivery
        } catch is Failure {
            // What cannot be read keeps nobody else waiting, and is not lost either.
            try postpone(one, until: now + .seconds(3_600))
            return nil
        }
    }

    private func setState(_ state: WorkState, ofWebhook row: Int64) throws {
        try prepare("UPDATE webhook_deliveries SET state = ? WHERE id = ?").bind(state.code, row).run()
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
                    message: try row.publicID("public_id"),
                    topicName: row.text("topic"),
                    document: row.text("document"),
                    sequenceNumber: row.optionalInt("sequence"),
                    subscription: subscription,
                    queue: queue.name,
                    isSilent: queue.isSilent,
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
            UPDATE webhook_deliveries SET state = 1, lease_process = NULL, lease_holder = NULL, lease_until = 0,
                lease_count = 0, due_at = ?, attempts = attempts + ?, last_reason = coalesce(?, last_reason)
            WHERE id = ?
            """
        )
        .bind(time, attempts, reason, delivery.row)
        .run()
        try wake(delivery.queue, at: time)
    }

    /// Keeps a delivery that is given up; says how many that were.
    @discardableResult
    func addDeadLetter(_ delivery: Int64, attempts: Int, reason: String) throws -> Int {
        try prepare(SQL.addWebhookDeadLetter).bind(makeID(), attempts, reason, now, delivery).changes()
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
    let state: WorkState
    /// The process whose lease ended.
    let process: Int64?
    /// Leases in a row that ended without a settlement.
    let failures: Int

    init(_ row: Row) throws {
        self.row = row.int("id")
        message = row.int("message_id")
        subscription = row.int("subscription_id")
        group = row.optionalText("message_group")
        isUnsubscribeConfirmation = row.flag("is_unsubscribe_confirmation")
        attempts = row.count("attempts")
        acceptedAt = row.time("accepted_at")
        state = try row.code("state")
        process = row.optionalInt("lease_process")
        failures = row.count("lease_count")
    }

    func admission(isOtherIsolated: Bool, to lease: Lease, now: Timestamp) -> WebhookAdmission {
        WebhookAdmission(
            failures: failures,
            isOtherIsolated: isOtherIsolated,
            isOwn: process == lease.process,
            acceptedAt: acceptedAt,
            now: now
        )
    }
}
