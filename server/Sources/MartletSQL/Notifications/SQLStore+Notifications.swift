public import MartletCore
public import MartletWire

extension SQLStore {
    /// Looks for the idempotency record, then writes notification, request, messages, record, and the batches of an
    /// audience that is named and short.
    public func submit(
        _ draft: NotificationDraft,
        idempotency: IdempotencyRecord?,
        gate: Gate?,
        reservation: Reservation?
    ) async throws -> Submitted {
        if case .topic = draft.audience {
            return try await submitToTopic(draft, idempotency: idempotency, gate: gate)
        }
        // Before the transaction, so that the writer does not wait for it.
        let encoded = try EncodedDraft(draft)
        // While many writes wait, those of others are not kept waiting for what the fan-out can do later.
        let gate = waitingWrites < Self.busyQueue ? gate : nil
        return try await write { transaction in
            // What the transaction took before it was rolled back and run again.
            reservation?.giveBack()
            if let idempotency, let id = try transaction.submitted(under: idempotency) {
                return Submitted(id: id, isRepeated: true)
            }
            guard try transaction.app(.row(draft.app)) != nil else { throw Failure.notFound("app") }
            if let idempotency { try transaction.record(idempotency, for: draft.id) }
            let page = try gate.flatMap { try transaction.shortAudience(of: draft).map($0.decide) }
            let row = try transaction.insert(encoded, isFanOutOpen: page == nil)
            guard let page else { return Submitted(id: draft.id, isRepeated: false) }
            let head = NotificationHead(row: row, draft: draft, now: transaction.now)
            let begun = try transaction.write(page, of: head, reservation: reservation)
            try transaction.finishIfOver(row)
            let leased = begun.map { Batch($0, of: row, draft) }
            return Submitted(id: draft.id, isRepeated: false, fanOut: page, leased: leased)
        }
    }

    /// How many writes may wait for an audience to be read where it is accepted. Ours: these, of about a millisecond
    /// each, are over long before a lease is.
    static let busyQueue = 256

    /// Looks for the idempotency record.
    public func submitted(under idempotency: IdempotencyRecord) async throws -> PublicID? {
        try await read { try $0.submitted(under: idempotency) }
    }

    /// Finds a notification by its id outside.
    public func notification(_ id: PublicID) async throws -> Notification? {
        try await read { transaction in
            try transaction.prepare("SELECT \(Notification.columns) FROM \(Notification.tables) WHERE n.public_id = ?")
                .bind(id)
                .first(Notification.init)
        }
    }

    /// Lists notifications by their keys, the newest first.
    public func notifications(
        _ app: RowID<App>?,
        state: Notification.State?,
        _ page: PageRequest
    ) async throws -> Page<Notification> {
        try await readLong { transaction in
            let before = page.after ?? .max
            let select = "SELECT \(Notification.columns) FROM \(Notification.tables) WHERE n.id < ?"
            let rest = "ORDER BY n.id DESC LIMIT ?"
            let count = page.count + 1
            let rows =
                switch (app, state) {
                case (let app?, let state?):
                    try transaction.prepare("\(select) AND n.app_id = ? AND n.state = ? \(rest)")
                        .bind(before, app, state.code, count).all(Notification.init)
                case (let app?, nil):
                    try transaction.prepare("\(select) AND n.app_id = ? \(rest)")
                        .bind(before, app, count).all(Notification.init)
                case (nil, let state?):
                    try transaction.prepare("\(select) AND n.state = ? \(rest)")
                        .bind(before, state.code, count).all(Notification.init)
                case (nil, nil):
                    try transaction.prepare("\(select) \(rest)").bind(before, count).all(Notification.init)
                }
            return Page(rows, page) { $0.row.rawValue }
        }
    }

    /// Closes the fan-out and makes what waits due at once, for workers to record.
    public func cancel(_ notification: RowID<Notification>) async throws -> Notification {
        try await write { transaction in
            guard let known = try transaction.notification(notification) else {
                throw Failure.notFound("notification")
            }
            guard known.state == .scheduled || known.state == .sending else { return known }
            try transaction.prepare(
                """
                UPDATE notifications SET state = 3, is_fan_out_open = 0, fan_out_holder = NULL, fan_out_until = 0
                WHERE id = ?
                """
            )
            .bind(notification)
            .run()
            // A batch that a worker holds becomes due when the worker lets go of it; one that is quarantined stays so,
            // under the id that is known, until its end is recorded.
            try transaction.prepare(
                """
                UPDATE batches SET not_before = NULL, ends_at = 0,
                    due_at = CASE WHEN lease_holder IS NULL AND due_at < ? THEN 0 ELSE due_at END
                WHERE notification_id = ?
                """
            )
            .bind(Timestamp.never, notification)
            .run()
            try transaction.finishIfOver(notification)
            guard let cancelled = try transaction.notification(notification) else {
                throw Failure.notFound("notification")
            }
            return cancelled
        }
    }
}

extension Batch {
    /// A batch that was leased as it was written.
    fileprivate init(_ begun: BegunBatch, of notification: RowID<Notification>, _ draft: NotificationDraft) {
        self.init(
            row: begun.row,
            notification: notification,
            notificationID: draft.id,
            queue: begun.draft.queue,
            isEnvironmentKnown: begun.draft.isEnvironmentKnown,
            attempts: begun.draft.attempts,
            expiresAt: draft.expiresAt,
            isCancelled: false,
            retry: draft.retry,
            members: begun.draft.members
        )
    }
}

/// A draft with its texts made.
struct EncodedDraft: Sendable {
    /// The draft.
    var draft: NotificationDraft
    /// The audience as JSON.
    var audience: String
    /// The content as JSON.
    var content: String
    /// The headers of each message as JSON.
    var headers: [String]

    /// A draft's texts.
    init(_ draft: NotificationDraft) throws {
        self.draft = draft
        audience = try storedText(draft.audience)
        content = try storedText(draft.content)
        headers = draft.messages.map { storedText($0.headers) }
    }
}

extension Transaction {
    /// What a platform gets of a notification, or `nil`.
    func message(_ notification: RowID<Notification>, _ platform: Platform) throws -> Message? {
        try prepare("SELECT headers, payload FROM messages WHERE notification_id = ? AND platform = ?")
            .bind(notification, platform.code)
            .first { Message(platform: platform, headers: try $0.json("headers"), payload: $0.bytes("payload")) }
    }

    /// One notification, or `nil`.
    func notification(_ row: RowID<Notification>) throws -> Notification? {
        try prepare("SELECT \(Notification.columns) FROM \(Notification.tables) WHERE n.id = ?").bind(row)
            .first(Notification.init)
    }

    /// What the same request made before, within the record's lifetime.
    func submitted(under record: IdempotencyRecord) throws -> PublicID? {
        let known = try prepare(
            """
            SELECT body_hash, notification FROM idempotency
            WHERE key_id = ? AND route = ? AND value = ? AND created_at > ?
            """
        )
        .bind(record.key, record.route, record.value, now - IdempotencyRecord.lifetime)
        .first { (hash: $0.hash("body_hash"), id: try $0.publicID("notification")) }
        guard let known else { return nil }
        guard known.hash == record.bodyHash else {
            throw Failure(
                .idempotencyMismatch,
                "This Idempotency-Key was used with another request body.",
                hint: "Use a new key for a new request.",
                field: "Idempotency-Key"
            )
        }
        return known.id
    }

    /// Remembers what a request made.
    func record(_ record: IdempotencyRecord, for id: PublicID) throws {
        try prepare(
            """
            INSERT INTO idempotency (key_id, route, value, body_hash, notification, created_at)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (key_id, route, value) DO UPDATE SET body_hash = excluded.body_hash,
                notification = excluded.notification, created_at = excluded.created_at
            """
        )
        .bind(record.key, record.route, record.value, record.bodyHash, id, now)
        .run()
    }

    /// Writes a notification with its request and messages.
    func insert(_ encoded: EncodedDraft, isFanOutOpen: Bool) throws -> RowID<Notification> {
        let draft = encoded.draft
        let sendAt = draft.sendAt ?? now
        let state: Notification.State = sendAt > now ? .scheduled : .sending
        let retry = draft.retry
        let row: RowID<Notification> = try prepare(
            """
            INSERT INTO notifications (public_id, app_id, state, priority, send_at, expires_at, created_at,
                max_attempts, steady_tries, growing_tries, minimum_delay, maximum_delay, rate_limited_delay,
                is_fan_out_open)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """
        )
        .bind(
            draft.id,
            draft.app,
            state.code,
            draft.priority.code,
            sendAt,
            draft.expiresAt,
            now,
            retry.maxAttempts,
            retry.steadyTries,
            retry.growingTries,
            retry.minimumDelay,
            retry.maximumDelay,
            retry.rateLimitedDelay,
            isFanOutOpen
        )
        .one { $0.row("id") }
        try prepare(
            """
            INSERT INTO requests (notification_id, dedup_key, dedup_cooldown, collapse_id, content, audience)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        )
        .bind(
            row,
            draft.dedup?.key,
            draft.dedup.flatMap(\.cooldown),
            draft.collapseID,
            encoded.content,
            encoded.audience
        )
        .run()
        for (message, headers) in zip(draft.messages, encoded.headers) {
            try prepare("INSERT INTO messages (notification_id, platform, headers, payload) VALUES (?, ?, ?, ?)")
                .bind(row, message.platform.code, headers, message.payload)
                .run()
        }
        return row
    }

    /// Ends a notification when its audience is read and nothing of it waits any more; gives back the claims of those
    /// that it did not reach.
    func finishIfOver(_ notification: RowID<Notification>) throws {
        let ended = try prepare(
            """
            SELECT n.state, n.planned > n.accepted AS is_giving_back, n.app_id, r.dedup_key
            FROM \(Notification.tables)
            WHERE n.id = ? AND n.is_fan_out_open = 0 AND n.pending = 0 AND n.state <> 2
            """
        )
        .bind(notification)
        .first { row in
            (
                state: row.int("state"), isGivingBack: row.flag("is_giving_back"), app: row.row("app_id") as RowID<App>,
                key: row.optionalText("dedup_key")
            )
        }
        guard let ended else { return }
        if ended.state == Notification.State.sending.code {
            try prepare("UPDATE notifications SET state = 2 WHERE id = ?").bind(notification).run()
        }
        guard ended.isGivingBack, let key = ended.key, let row = try dedupKey(key, of: ended.app) else { return }
        try giveBackClaims(of: notification, key: row)
    }
}
