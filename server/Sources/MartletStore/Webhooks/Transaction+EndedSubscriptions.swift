import MartletCore
import MartletWire

extension Transaction {
    /// A subscription that ended and whose end can be taken back.
    func endedSubscription(_ row: Int64) throws -> Subscription? {
        try prepare("SELECT \(Subscription.endedColumns) FROM ended_subscriptions WHERE id = ?").bind(row)
            .first(Subscription.init)
    }

    /// The same by its id outside.
    func endedSubscription(_ id: PublicID) throws -> Subscription? {
        try prepare("SELECT \(Subscription.endedColumns) FROM ended_subscriptions WHERE public_id = ?").bind(id)
            .first(Subscription.init)
    }

    /// Forgets pending webhook URLs that were asked before a moment, and ends that nobody took back; says how many.
    func purgePendingSubscriptions(before: Timestamp, limit: Int) throws -> Int {
        let pending = try prepare(SQL.pendingWebhooks).bind(before, limit).all { $0.row("id") as RowID<Subscription> }
        for row in pending {
            if let known = try subscription(.row(row)) {
                try endSubscription(known)
            } else {
                // Its topic was deleted: nobody counts it any more.
                try prepare("DELETE FROM subscriptions WHERE id = ?").bind(row).run()
            }
        }
        return try pending.count
            + prepare(
                """
                DELETE FROM ended_subscriptions WHERE id IN (
                    SELECT id FROM ended_subscriptions WHERE ended_at < ? ORDER BY ended_at, id LIMIT ?
                )
                """
            )
            .bind(before, limit)
            .changes()
    }

    /// Keeps a subscription aside that ends.
    func keepEnded(_ known: Subscription, token: SecretHash) throws {
        // What has one of its keys gives way.
        try prepare("DELETE FROM ended_subscriptions WHERE id = ? OR public_id = ? OR token = ?")
            .bind(known.row, known.id, token)
            .run()
        try prepare(
            """
            INSERT INTO ended_subscriptions (id, public_id, token, topic_id, created_at, ended_at, address,
                attributes, filter_scope, filter)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        .bind(
            known.row,
            known.id,
            token,
            known.topic,
            known.createdAt,
            now,
            known.address,
            try encodedJSON(known.attributes),
            known.filter?.scope.code,
            known.filter?.text
        )
        .run()
    }

    /// Subscribes again what ended and has that token.
    func restoreEnded(_ token: SecretHash, region: String, policyLimit: Int) throws -> Subscribed {
        let ended = try prepare("SELECT \(Subscription.endedColumns) FROM ended_subscriptions WHERE token = ?")
            .bind(token)
            .first(Subscription.init)
        guard let ended, let topic = try topic(.row(ended.topic)), topic.region == region else {
            throw Failure.notFound("subscription")
        }
        var draft = SubscriptionDraft(
            topic: ended.topic,
            subject: .webhook(ended.address),
            address: ended.address,
            filter: ended.filter
        )
        draft.attributes = ended.attributes
        var subscribed = try subscribe(draft, policyLimit: policyLimit)
        try prepare("DELETE FROM ended_subscriptions WHERE token = ?").bind(token).run()
        try confirm(subscribed.subscription)
        if subscribed.isNew {
            try count(confirmed: 0, pending: 0, ended: -1, of: ended.topic)
            try prepare("UPDATE subscriptions SET public_id = ?, created_at = ? WHERE id = ?")
                .bind(ended.id, ended.createdAt, subscribed.subscription.row)
                .run()
        }
        guard let restored = try subscription(.row(subscribed.subscription.row)) else {
            throw Failure.notFound("subscription")
        }
        subscribed.subscription = restored
        return subscribed
    }
}

extension Subscription {
    /// What ``init(_:)`` reads, of one that ended.
    fileprivate static let endedColumns = """
        id, public_id, topic_id, 3 AS kind, NULL AS app_id, NULL AS subject_id, NULL AS endpoint, address,
        1 AS is_confirmed, attributes, created_at, filter AS text, filter_scope AS scope, NULL AS external_id
        """
}
