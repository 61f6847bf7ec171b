public import MartletCore
import MartletWire

extension Store {
    /// Subscribes, or finds the subscription that the subject has to the topic already and leaves it as it is.
    ///
    /// - Throws: `Failure` as ``SubscriptionDraft/validate()`` does; with ``ErrorCode/notFound`` when topic, app or
    ///   endpoint are gone, the topic belongs to another app, or no end has the token; and with ``ErrorCode/conflict`` at
    ///   `filter_policy` when the topic has as many different filter policies as it may.
    public func subscribe(_ request: SubscribeRequest) async throws -> Subscribed {
        let limit = policiesPerTopic
        switch request {
        case .new(let draft):
            try draft.validate()
            return try await write { try $0.subscribe(draft, policyLimit: limit) }
        case .again(let token, let region):
            return try await write { try $0.restoreEnded(token, region: region, policyLimit: limit) }
        }
    }

    /// Subscriptions by age; those of a deleted topic are not found.
    public func subscriptions(
        _ scope: SubscriptionScope,
        _ page: PageRequest
    ) async throws -> Page<Subscription> {
        switch scope {
        case .one(let selector): Page(one: try await read { try $0.subscription(selector) })
        case .topic(let topic): try await list("s.topic_id = ?", page) { $0.bind($1, topic, $2) }
        case .webhooks(let topic):
            try await list("s.topic_id = ? AND s.kind = 3 AND s.is_confirmed = 1", page) { $0.bind($1, topic, $2) }
        case .user(let id, let app, let topic):
            try await list(
                "s.kind = 2 AND s.subject_id = (SELECT id FROM users WHERE app_id = ? AND external_id = ?)"
                    + " AND s.topic_id = coalesce(?, s.topic_id)",
                page
            ) { $0.bind($1, app, id, topic, $2) }
        case .owned(let app, let region):
            try await list("t.app_id IS NOT DISTINCT FROM ? AND t.region = ?", page) { $0.bind($1, app, region, $2) }
        }
    }

    private func list(
        _ condition: String,
        _ page: PageRequest,
        bind: @escaping @Sendable (Statement, _ after: Int64, _ count: Int) -> Statement
    ) async throws -> Page<Subscription> {
        try await readLong { transaction in
            let statement = try transaction.prepare(
                """
                SELECT \(Subscription.columns) FROM \(Subscription.tables) WHERE s.id > ? AND \(condition) \
                ORDER BY s.id LIMIT ?
                """
            )
            let rows = try bind(statement, page.after ?? 0, page.count + 1).all(Subscription.init)
            return Page(rows, page) { $0.row.rawValue }
        }
    }

    /// Changes a subscription; says what it is afterwards.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``; naming `attributes`; and as ``subscribe(_:)`` for a policy.
    public func updateSubscription(
        _ row: RowID<Subscription>,
        _ update: SubscriptionUpdate
    ) async throws -> Subscription {
        let limit = policiesPerTopic
        return try await write { transaction in
            guard let known = try transaction.subscription(.row(row)) else { throw Failure.notFound("subscription") }
            let attributes = known.attributes.updated(by: update.attributes)
            try Topic.validate(attributes: attributes)
            if update.filter != .unset {
                try transaction.setFilter(update.filter.value, of: known, limit: limit)
                try transaction.noteChange(of: known)
            }
            if update.isConfirming { try transaction.confirm(known) }
            // A pending one that is asked again begins anew.
            let askedAt = update.isAskedAgain && !known.isConfirmed ? transaction.now : known.createdAt
            try transaction.prepare("UPDATE subscriptions SET attributes = ?, created_at = ? WHERE id = ?")
                .bind(try encodedJSON(attributes), askedAt, row)
                .run()
            guard let changed = try transaction.subscription(.row(row)) else { throw Failure.notFound("subscription") }
            return changed
        }
    }

    /// Ends a subscription; says whether there was one.
    ///
    /// - Parameter confirmation: where given, the subscription has to be of a webhook URL, which is told so and can take the
    ///   end back for a while.
    public func unsubscribe(_ row: RowID<Subscription>, confirmation: UnsubscribeConfirmation?) async throws -> Bool {
        try await write { transaction in
            guard let known = try transaction.subscription(.row(row)) else { return false }
            if let confirmation {
                guard case .webhook = known.subject else { return false }
                try transaction.keepEnded(known, token: confirmation.token)
            }
            try transaction.endSubscription(known)
            if let confirmation { try transaction.enqueueWebhooks(confirmation.message) }
            return true
        }
    }
}

extension Transaction {
    /// One subscription, or `nil` where there is none or its topic was deleted.
    func subscription(_ selector: SubscriptionSelector) throws -> Subscription? {
        let select = "SELECT \(Subscription.columns) FROM \(Subscription.tables) WHERE "
        switch selector {
        case .row(let row): return try prepare(select + "s.id = ?").bind(row).first(Subscription.init)
        case .id(let id): return try prepare(select + "s.public_id = ?").bind(id).first(Subscription.init)
        }
    }

    /// Deletes a subscription, with its policy when nobody else has it.
    func endSubscription(_ known: Subscription) throws {
        try noteChange(of: known)
        try setFilter(nil, of: known, limit: .max)
        try prepare("DELETE FROM subscriptions WHERE id = ?").bind(known.row).run()
        let (confirmed, pending) = known.isConfirmed ? (-1, 0) : (0, -1)
        try count(confirmed: confirmed, pending: pending, ended: 1, of: known.topic)
    }

    /// Confirms a subscription that is not confirmed yet.
    func confirm(_ known: Subscription) throws {
        guard !known.isConfirmed else { return }
        try prepare("UPDATE subscriptions SET is_confirmed = 1 WHERE id = ?").bind(known.row).run()
        try count(confirmed: 1, pending: -1, of: known.topic)
    }

    /// Subscribes, or finds the subscription that the subject has.
    func subscribe(_ draft: SubscriptionDraft, policyLimit: Int) throws -> Subscribed {
        guard let topic = try topic(.row(draft.topic)) else { throw Failure.notFound("topic") }
        let subject = try StoredSubject(draft, in: self)
        if let app = subject.app, let owner = topic.app, app != owner { throw Failure.notFound("topic") }
        if let known = try subject.subscription(to: draft.topic, in: self) {
            return Subscribed(subscription: known, isNew: false)
        }
        let policy = try draft.filter.map { try intern($0, of: draft.topic, limit: policyLimit) }
        let row: RowID<Subscription> = try prepare(
            """
            INSERT INTO subscriptions (public_id, topic_id, kind, app_id, subject_id, endpoint, address, policy_id,
                is_confirmed, attributes, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """
        )
        .bind(
            makeID(),
            draft.topic,
            subject.kind.code,
            subject.app,
            subject.row,
            subject.endpoint,
            subject.address,
            policy,
            subject.kind != .webhook || !draft.isPending,
            try encodedJSON(draft.attributes),
            now
        )
        .one { $0.row("id") }
        guard let made = try subscription(.row(row)) else { throw Failure.notFound("subscription") }
        let (confirmed, pending) = made.isConfirmed ? (1, 0) : (0, 1)
        try count(confirmed: confirmed, pending: pending, of: draft.topic)
        return Subscribed(subscription: made, isNew: true)
    }

    /// Moves a topic's counters.
    func count(confirmed: Int, pending: Int, ended: Int = 0, of topic: RowID<Topic>) throws {
        try prepare(
            "UPDATE topics SET confirmed = confirmed + ?, pending = pending + ?, ended = ended + ? WHERE id = ?"
        )
        .bind(confirmed, pending, ended, topic)
        .run()
    }

    /// Has the audiences that are being read from a topic look once more at an endpoint whose own subscription changes:
    /// whether it is met by itself or among its user's devices depends on that.
    fileprivate func noteChange(of known: Subscription) throws {
        guard case .endpoint(let endpoint, _, _) = known.subject else { return }
        try prepare(SQL.noteSubscriptionChange).bind(known.topic, endpoint).run()
    }
}

/// A subject as its row holds it.
private struct StoredSubject {
    let kind: SubjectKind
    let app: RowID<App>?
    let row: Int64?
    let endpoint: PublicID?
    let address: String

    /// Looks up an endpoint; makes a user where there is none.
    init(_ draft: SubscriptionDraft, in transaction: Transaction) throws {
        switch draft.subject {
        case .endpoint(let endpoint):
            guard let known = try transaction.endpoint(endpoint) else { throw Failure.notFound("endpoint") }
            if case .removed = known.status { throw Failure.notFound("endpoint") }
            (kind, app, row, self.endpoint) = (.endpoint, known.app, endpoint.rawValue, known.id)
            address = draft.address
        case .user(let id, let app):
            guard try transaction.app(.row(app)) != nil else { throw Failure.notFound("app") }
            let user = try transaction.makeUser(id, of: app)
            (kind, self.app, row, endpoint) = (.user, app, user.rawValue, nil)
            address = draft.address
        case .webhook(let url):
            (kind, app, row, endpoint) = (.webhook, nil, nil, nil)
            address = url
        }
    }

    /// The subscription that the subject has to a topic.
    func subscription(to topic: RowID<Topic>, in transaction: Transaction) throws -> Subscription? {
        let known: RowID<Subscription>?
        if kind == .webhook {
            known = try transaction.prepare(
                "SELECT id FROM subscriptions WHERE topic_id = ? AND address = ? AND kind = 3"
            )
            .bind(topic, address)
            .first { $0.row("id") }
        } else {
            known = try transaction.prepare(SQL.subjectSubscription).bind(topic, app, kind.code, row)
                .first { $0.row("id") }
        }
        return try known.flatMap { try transaction.subscription(.row($0)) }
    }
}
