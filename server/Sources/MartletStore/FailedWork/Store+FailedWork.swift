public import MartletCore
public import MartletWire

extension Store {
    /// Failed work of a kind, newest first.
    public func failedWork(
        _ kind: FailedWork.Kind,
        _ selection: FailedWorkSelection,
        _ page: PageRequest
    ) async throws -> Page<FailedWork> {
        switch selection {
        case .one(let id): Page(one: try await read { try $0.failedWork(kind, id) })
        case .open(let app): try await list(kind, of: app, page)
        }
    }

    private func list(
        _ kind: FailedWork.Kind,
        of app: RowID<App>?,
        _ page: PageRequest
    ) async throws -> Page<FailedWork> {
        try await readLong { transaction in
            let rows = try transaction.all(
                "\(kind.select) AND \(kind.isOpen) AND w.id < ?",
                of: app,
                "w.app_id",
                "ORDER BY w.id DESC LIMIT ?",
                from: page.after ?? .max,
                page
            ) { (row: $0.int("id"), work: try FailedWork($0, kind)) }
            return Page(rows, page, key: \.row).compactMap(\.work)
        }
    }

    /// Has failed work tried again, with all its attempts before it. A delivery comes into a new batch, with an expiry that
    /// is at least a day away; a message to a webhook URL goes to the subscription as it is now, and has lost its place in
    /// the order of its group. A second retry of a dead letter changes nothing and says so; quarantined work is found once.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is none of that id, or what it belongs to is gone; with
    ///   ``ErrorCode/conflict`` when the notification was cancelled, or a letter tells of an end that was taken back.
    public func retry(_ kind: FailedWork.Kind, _ id: PublicID) async throws -> Retried<FailedWork> {
        try await write { transaction in
            guard let work = try transaction.failedWork(kind, id) else { throw Failure.notFound(kind.noun) }
            switch work {
            case .delivery(let letter):
                guard try transaction.beginRetry(of: letter.row) else { return Retried(work, isRepeated: true) }
                try transaction.revive(letter)
            case .webhook(let letter):
                guard try transaction.beginRetry(of: letter.row) else { return Retried(work, isRepeated: true) }
                try transaction.enqueue(letter)
            case .quarantined(let work): try transaction.release(work)
            }
            return Retried(work)
        }
    }
}

extension Transaction {
    fileprivate func failedWork(_ kind: FailedWork.Kind, _ id: PublicID) throws -> FailedWork? {
        try prepare("\(kind.select) AND w.public_id = ?").bind(id).first { try FailedWork($0, kind) }
    }

    /// Notes that a dead letter is retried; says whether it was not before.
    fileprivate func beginRetry(of letter: Int64) throws -> Bool {
        try prepare("UPDATE dead_letters SET retried_at = ? WHERE id = ? AND retried_at IS NULL").bind(now, letter)
            .changes() > 0
    }
}

extension FailedWork.Kind {
    /// Its rows. What webhook URLs did not take is found by its having no app.
    fileprivate var select: String {
        let letters = """
            SELECT w.id, w.public_id, w.app_id, w.message, w.recipient, w.reason, w.attempts, w.died_at,
                w.external_user_id, w.topic, w.address, w.document
            FROM dead_letters w
            """
        return switch self {
        case .delivery: "\(letters) WHERE w.kind = 1"
        case .webhook: "\(letters) WHERE w.kind = 2 AND w.app_id IS NULL"
        case .quarantined:
            """
            SELECT w.id, w.public_id, w.app_id, n.public_id AS message, b.platform, b.environment,
                coalesce(b.waiting_count, 0) AS deliveries, w.reason, w.tries, w.quarantined_at
            FROM \(QuarantinedWork.tables) WHERE \(QuarantinedWork.isCurrent)
            """
        }
    }

    /// What was not retried; of what is quarantined no more is left.
    fileprivate var isOpen: String { self == .quarantined ? "1 = 1" : "w.retried_at IS NULL" }
}

extension FailedWork {
    fileprivate init(_ row: Row, _ kind: Kind) throws {
        self =
            switch kind {
            case .delivery: .delivery(try DeadLetter(row))
            case .webhook: .webhook(try WebhookDeadLetter(row))
            case .quarantined: .quarantined(try QuarantinedWork(row))
            }
    }
}

extension DeadLetter {
    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.int("id"),
            id: try row.publicID("public_id"),
            app: row.row("app_id"),
            notification: try row.publicID("message"),
            endpoint: try row.publicID("recipient"),
            user: row.optionalText("external_user_id"),
            reason: row.optionalText("reason"),
            attempts: row.count("attempts"),
            diedAt: row.time("died_at")
        )
    }
}

extension WebhookDeadLetter {
    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.int("id"),
            id: try row.publicID("public_id"),
            message: try row.publicID("message"),
            topicName: row.text("topic"),
            subscription: try row.publicID("recipient"),
            address: row.text("address"),
            document: row.text("document"),
            attempts: row.count("attempts"),
            reason: row.text("reason"),
            diedAt: row.time("died_at")
        )
    }
}

extension QuarantinedWork {
    /// Where the columns are.
    static let tables = """
        quarantine w JOIN notifications n ON n.id = w.notification_id LEFT JOIN batches b ON b.id = w.batch_id
        """

    /// A fan-out that was cancelled is over.
    static let isCurrent = """
        (w.batch_id IS NOT NULL
            OR EXISTS (
                SELECT 1 FROM fan_outs f
                WHERE f.notification_id = w.notification_id AND f.hold_id = w.hold_id AND f.state = 3
            ))
        """

    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.int("id"),
            id: try row.publicID("public_id"),
            app: row.row("app_id"),
            notification: try row.publicID("message"),
            // A batch is of the same app; a fan-out has no queue.
            queue: row.isNull("platform") ? nil : try DeliveryQueue(row),
            deliveries: row.count("deliveries"),
            reason: try row.code("reason"),
            tries: row.count("tries"),
            since: row.time("quarantined_at")
        )
    }
}

extension Store {
    /// One piece of failed work of a type.
    public func failedWork<Item: FailedWorkItem>(_: Item.Type, _ id: PublicID) async throws -> Item? {
        try await failedWork(Item.kind, .one(id), PageRequest(count: 1)).items.first?.item()
    }

    /// Failed work of a type.
    public func failedWork<Item: FailedWorkItem>(
        _: Item.Type,
        of app: RowID<App>? = nil,
        _ page: PageRequest = PageRequest()
    ) async throws -> Page<Item> {
        try await failedWork(Item.kind, .open(of: app), page).compactMap { $0.item() }
    }

    /// Has failed work of a type tried again.
    public func retry<Item: FailedWorkItem>(_: Item.Type, _ id: PublicID) async throws -> Retried<Item> {
        let retried = try await retry(Item.kind, id)
        guard let item: Item = retried.work.item() else {
            preconditionFailure("The store retried work of another kind.")
        }
        return Retried(item, isRepeated: retried.isRepeated)
    }
}
