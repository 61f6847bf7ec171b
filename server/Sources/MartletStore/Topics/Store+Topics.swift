public import MartletCore
import MartletWire

extension Store {
    /// Makes a topic, or finds the one that has the owner, region and name already and leaves it as it is.
    ///
    /// - Throws: `Failure` as ``TopicDraft/validate()`` does, and ``ErrorCode/notFound`` for an owner that is gone.
    public func createTopic(_ draft: TopicDraft) async throws -> CreatedTopic {
        try draft.validate()
        return try await write { transaction in
            let selector = TopicSelector.name(draft.name, app: draft.app, region: draft.region)
            if let topic = try transaction.topic(selector) { return CreatedTopic(topic: topic, isNew: false) }
            if let app = draft.app, try transaction.app(.row(app)) == nil { throw Failure.notFound("app") }
            let row: RowID<Topic> = try transaction.prepare(
                """
                INSERT INTO topics (public_id, app_id, region, name, is_fifo, attributes, tags, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
                """
            )
            .bind(
                transaction.makeID(),
                draft.app,
                draft.region,
                draft.name,
                draft.isFIFO,
                try encodedJSON(draft.attributes),
                try encodedJSON(draft.tags),
                transaction.now
            )
            .one { $0.row("id") }
            guard let topic = try transaction.topic(.row(row)) else { throw Failure.notFound("topic") }
            return CreatedTopic(topic: topic, isNew: true)
        }
    }

    /// Topics by age; one that was deleted is not found.
    public func topics(_ scope: TopicScope, _ page: PageRequest) async throws -> Page<Topic> {
        try await read { transaction in
            let rows: [Topic]
            let (after, count) = (page.after ?? 0, page.count + 1)
            switch scope {
            case .one(let selector): return Page(one: try transaction.topic(selector))
            case .all: rows = try transaction.topics("").bind(after, count).all(Topic.init)
            case .owned(let app, let region):
                rows = try transaction.topics("AND t.app_id IS NOT DISTINCT FROM ? AND t.region = ?")
                    .bind(after, app, region, count)
                    .all(Topic.init)
            }
            return Page(rows, page) { $0.row.rawValue }
        }
    }

    /// Changes attributes and tags; says what the topic is afterwards.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``; naming `tags` or `attributes` when there would be too many; and with
    ///   ``ErrorCode/conflict`` when an attribute is not what the update expects.
    public func updateTopic(_ topic: RowID<Topic>, _ update: TopicUpdate) async throws -> Topic {
        try await write { transaction in
            guard var changed = try transaction.topic(.row(topic)) else { throw Failure.notFound("topic") }
            guard update.expecting.allSatisfy({ changed.attributes[$0.key] == $0.value }) else {
                throw Failure(.conflict, "The topic was changed meanwhile.", field: "attributes")
            }
            changed.attributes = changed.attributes.updated(by: update.attributes)
            changed.tags = changed.tags.updated(by: update.tags)
            try Topic.validate(attributes: changed.attributes)
            try Topic.validate(tags: changed.tags)
            try transaction.prepare("UPDATE topics SET attributes = ?, tags = ? WHERE id = ?")
                .bind(try encodedJSON(changed.attributes), try encodedJSON(changed.tags), topic)
                .run()
            return changed
        }
    }

    /// Deletes a topic with its subscriptions; says whether there was one. Its name is free at once. What was accepted
    /// for it before still reaches those who were subscribed then.
    public func deleteTopic(_ topic: RowID<Topic>) async throws -> Bool {
        try await write { transaction in
            try transaction.prepare("UPDATE topics SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL")
                .bind(transaction.now, topic)
                .changes() > 0
        }
    }

    /// One topic and what a message to it has to be written for, or `nil`.
    public func recipients(of topic: TopicSelector) async throws -> TopicRecipients? {
        try await read { transaction in
            guard let topic = try transaction.topic(topic) else { return nil }
            // One that is being deleted is gone already, and its subscriptions go after it.
            let isThere = try transaction.prepare("SELECT 1 FROM apps WHERE id = ? AND deleted_at IS NULL")
            let next = try transaction.prepare(SQL.nextSubscribedApp)
            var apps: [RowID<App>] = []
            var last = RowID<App>(0)
            while let app = try next.bind(topic.row, last).first({ $0.row("app_id") as RowID<App> }) {
                last = app
                if try isThere.bind(app).exists() { apps.append(app) }
            }
            let hasWebhooks = try transaction.prepare(SQL.webhookSubscriber).bind(topic.row).exists()
            return TopicRecipients(topic: topic, apps: apps, hasWebhooks: hasWebhooks)
        }
    }
}

extension Transaction {
    /// Topics after a key that meet a condition: the key, what the condition names, how many.
    fileprivate func topics(_ condition: String) throws -> Statement {
        try prepare(
            """
            SELECT \(Topic.columns) FROM topics t WHERE t.id > ? AND t.deleted_at IS NULL \(condition)
            ORDER BY t.id LIMIT ?
            """
        )
    }

    /// One topic, or `nil` where there is none or it was deleted.
    func topic(_ selector: TopicSelector) throws -> Topic? {
        let select = "SELECT \(Topic.columns) FROM topics t WHERE t.deleted_at IS NULL AND "
        switch selector {
        case .row(let row): return try prepare(select + "t.id = ?").bind(row).first(Topic.init)
        case .id(let id): return try prepare(select + "t.public_id = ?").bind(id).first(Topic.init)
        case .name(let name, let app, let region):
            return try prepare(select + "coalesce(t.app_id, 0) = ? AND t.region = ? AND t.name = ?")
                .bind(app ?? RowID(0), region, name)
                .first(Topic.init)
        }
    }
}

extension Store {
    /// One topic, or `nil`.
    public func topic(_ selector: TopicSelector) async throws -> Topic? {
        try await topics(.one(selector), PageRequest(count: 1)).items.first
    }
}

extension Store {
    /// Subscribes somebody.
    public func subscribe(_ draft: SubscriptionDraft) async throws -> Subscribed {
        try await subscribe(.new(draft))
    }

    /// Takes the end of a webhook URL's subscription back.
    ///
    /// - Returns: the subscription; `nil` for a token that is not known or belongs to another region, and where the topic
    ///   is gone.
    public func restore(_ token: SecretHash, region: String) async throws -> Subscription? {
        do {
            return try await subscribe(.again(token, region: region)).subscription
        } catch let failure as Failure where failure.code == .notFound {
            return nil
        }
    }

    /// One subscription, or `nil`.
    public func subscription(_ selector: SubscriptionSelector) async throws -> Subscription? {
        try await subscriptions(.one(selector), PageRequest(count: 1)).items.first
    }

    /// Ends a subscription without a word.
    public func unsubscribe(_ row: RowID<Subscription>) async throws -> Bool {
        try await unsubscribe(row, confirmation: nil)
    }
}
