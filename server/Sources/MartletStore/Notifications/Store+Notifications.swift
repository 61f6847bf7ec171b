public import MartletCore
public import MartletWire

extension Store {
    /// Writes notifications with their messages and idempotency records in one transaction; says what became of each, by
    /// position. One that is refused, or whose id is taken, writes nothing and stops no other. Of several under one
    /// idempotency key the first counts, and the others repeat it.
    ///
    /// Concurrent submissions share a commit.
    ///
    /// - Throws: `Failure` with ``ErrorCode/overloaded`` when more writes wait than the store's bound; nothing is written
    ///   then.
    public func submit(_ requests: [SubmitRequest]) async throws -> [SubmitOutcome] {
        let drafts = try await prepare(requests.map(\.draft))
        // While many writes wait, those of others are not kept waiting for what the fan-out can do later.
        let readsAudiences = waitingWrites < Self.busyQueue
        // Many together are no login code.
        let isUrgent = requests.count == 1 && requests[0].draft.class == .transactional
        let questions: CommitQueue.Questions = { transaction, turn in
            guard readsAudiences else { return }
            for request in requests { try transaction.ask(for: request, turn: turn) }
        }
        let body = { @Sendable (transaction: Transaction, isolation: Isolation) in
            var apps: Set<RowID<App>> = []
            return try zip(requests, drafts).map { request, draft -> SubmitOutcome in
                do {
                    let submitted = try transaction.submit(request, draft, readsAudiences, known: &apps)
                    if isolation == .snapshot, submitted.isLeftOpen { throw NeedsSerial() }
                    return .submitted(submitted)
                } catch is NotificationIDTaken {
                    return .idTaken
                } catch let failure as Failure where failure.code == .notFound || failure.code == .idempotencyMismatch {
                    // Both are found out before anything of it is written.
                    return .refused(failure)
                }
            }
        }
        guard readsAudiences, requests.allSatisfy(\.isOfItsOwn) else {
            return try await write(isUrgent: isUrgent, questions: questions) { try body($0, .serial) }
        }
        return try await writeSnapshot(isUrgent: isUrgent, questions: questions, body)
    }

    /// How many writes may wait for an audience to be read where it is accepted. Ours: twice as many as the small batches
    /// that a queue has under way, of which each may wait to be recorded while a slow disk writes. On SQLite they take a tenth
    /// of a second, and a fan-out of its own costs each audience two commits.
    static let busyQueue = 2_048

    /// Notifications, newest first.
    ///
    /// - Throws: `Failure` with ``ErrorCode/idempotencyMismatch`` when the key of a selected record was used with another
    ///   request.
    public func notifications(
        _ selection: NotificationSelection,
        _ page: PageRequest
    ) async throws -> Page<Notification> {
        switch selection {
        case .one(let id): Page(one: try await read { try $0.notification(id) })
        case .submitted(let record):
            Page(one: try await read { try $0.submitted(under: record).flatMap($0.notification) })
        case .equal(let record, let moment):
            Page(one: try await read { try $0.submitted(like: record, since: moment).flatMap($0.notification) })
        case .all(let app, let state): try await list(NotificationFilter(app: app, state: state), page)
        case .matching(let filter): try await list(filter, page)
        }
    }

    /// Cancels what has not been sent; says what the notification is afterwards. One that is over stays as it is.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    public func cancel(_ notification: RowID<Notification>) async throws -> Notification {
        try await write { transaction in
            guard let known = try transaction.notification(notification) else {
                throw Failure.notFound("notification")
            }
            guard known.isOpen else { return known }
            try transaction.cancel(notification)
            guard let cancelled = try transaction.notification(notification) else {
                throw Failure.notFound("notification")
            }
            return cancelled
        }
    }
}

extension SubmitRequest {
    /// Whether nobody else's submission decides by what it writes: a few that are named, without claims or an item in their
    /// inboxes.
    fileprivate var isOfItsOwn: Bool {
        guard draft.sendAt == nil, draft.dedup == nil, draft.inbox == nil, draft.audit == nil else { return false }
        return switch draft.audience {
        case .users, .endpoints: (draft.audience.count ?? .max) <= Acceptance.shortAudience.names
        case .all, .topic, .tokens: false
        }
    }
}

extension Submitted {
    /// Whether somebody of its audience is still to be read: endpoints that move meanwhile are noted for it.
    fileprivate var isLeftOpen: Bool { !isRepeated && fanOut?.holds.isEmpty != true }
}

extension MartletCore.Notification {
    /// Whether something of it waits or is under way.
    fileprivate var isOpen: Bool { state == .scheduled || state == .sending }
}

extension Batch {
    /// A batch that was leased as it was written.
    init(_ leased: LeasedBatch, of notification: RowID<Notification>, _ draft: NotificationDraft) {
        self.init(
            row: leased.row,
            notification: notification,
            notificationID: draft.id,
            queue: leased.draft.queue,
            isEnvironmentKnown: leased.draft.isEnvironmentKnown,
            class: draft.class,
            attempts: leased.draft.attempts,
            expiresAt: draft.expiresAt,
            isCancelled: false,
            retry: draft.retry,
            members: leased.draft.members,
            origin: draft.origin,
            wasLeased: false,
            hasClaims: draft.dedup != nil
        )
    }
}

/// A draft with its texts made.
struct EncodedDraft: Sendable {
    var draft: NotificationDraft
    /// The audience as JSON.
    var audience: String
    /// The content as JSON.
    var content: String
    /// The inbox item that it leaves, as JSON; `nil` where it leaves none.
    var inbox: String?
    /// The headers of each message as JSON.
    var headers: [String]
    /// The holes of each message as JSON; `nil` where it has none.
    var holes: [String?]
    /// The badges by users' keys as JSON; `nil` where there are none.
    var badges: String?

    /// A draft's texts.
    init(_ draft: NotificationDraft) throws {
        self.draft = draft
        audience = try storedText(draft.audience)
        content = try storedText(draft.content)
        inbox = try draft.inbox.map { try storedText($0) }
        headers = draft.messages.map { storedText($0.headers) }
        holes = try draft.messages.map { $0.payload.holes.isEmpty ? nil : try encodedJSON($0.payload.holes) }
    }
}

extension Transaction {
    /// Answers a request that was made before, or accepts it and remembers it.
    ///
    /// - Parameter known: the apps that this transaction has found.
    fileprivate func submit(
        _ request: SubmitRequest,
        _ draft: PreparedDraft,
        _ readsAudience: Bool,
        known: inout Set<RowID<App>>
    ) throws -> Submitted {
        // Where it is found out as the record is written, this is run again.
        if !connection.isOptimistic, let record = request.idempotency, let id = try submitted(under: record) {
            return Submitted(id: id, isRepeated: true)
        }
        if !known.contains(request.draft.app) {
            try requireApp(request.draft.app)
            known.insert(request.draft.app)
        }
        let submitted = try accept(draft, gate: readsAudience ? request.gate : nil, request.reservation)
        // Last, so that a refusal leaves no record.
        if let record = request.idempotency { try self.record(record, for: submitted.id) }
        return submitted
    }

    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is no such app.
    func requireApp(_ app: RowID<App>) throws {
        guard try prepare(SQL.hasApp).bind(app).exists() else { throw Failure.notFound("app") }
    }

    /// What a platform gets of a notification, or `nil`.
    func message(_ notification: RowID<Notification>, _ platform: Platform) throws -> Message? {
        try prepare(SQL.message)
            .bind(notification, platform.code)
            .first { row in
                let holes: [Payload.Hole] = row.isNull("holes") ? [] : try row.json("holes")
                let payload = Payload(row.bytes("payload"), holes: holes)
                return Message(
                    platform: platform,
                    headers: try row.json("headers"),
                    payload: payload,
                    isAlert: row.flag("is_alert")
                )
            }
    }

    /// The platforms whose messages a person sees.
    func alerts(of notification: RowID<Notification>) throws -> Set<Platform> {
        Set(
            try prepare("SELECT platform FROM messages WHERE notification_id = ? AND is_alert = 1").bind(notification)
                .all { try $0.code("platform") }
        )
    }

    /// One notification, or `nil`.
    func notification(_ row: RowID<Notification>) throws -> Notification? {
        try prepare("\(Notification.select) WHERE n.id = ? GROUP BY n.id").bind(row)
            .first { try Categorized($0) }
            .map { try notification($0) }
    }

    /// One notification by its id outside, which begins with its key.
    fileprivate func notification(_ id: PublicID) throws -> Notification? {
        try notification(RowID(id.key)).flatMap { $0.id == id ? $0 : nil }
    }

    /// Cancels what of a notification has not been sent, where it is not over.
    func cancelIfOpen(_ notification: RowID<Notification>) throws {
        guard try self.notification(notification)?.isOpen ?? false else { return }
        try cancel(notification)
    }

    /// Ends the fan-out and the batches of a notification.
    fileprivate func cancel(_ notification: RowID<Notification>) throws {
        try prepare(
            """
            INSERT INTO cancellations (notification_id, cancelled_at) VALUES (?, ?)
            ON CONFLICT (notification_id) DO NOTHING
            """
        )
        .bind(notification, now)
        .run()
        // A batch that a worker holds ends when the worker lets go of it; one that is quarantined stays so, under the id
        // that is known, until its end is recorded.
        try prepare(
            """
            UPDATE batches SET expires_at = ?, wait_until = NULL, state = CASE WHEN state = 0 THEN 1 ELSE state END,
                lease_until = CASE WHEN lease_holder IS NULL THEN 0 ELSE lease_until END
            WHERE notification_id = ?
            """
        )
        .bind(Timestamp.cancelled, notification)
        .run()
        try cancelHolds(of: notification)
        try closeFanOut(FanOutKey(notification))
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
        return try known.map { try record.answer($0.id, madeBy: $0.hash) }
    }

    /// What an equal request made by another form of the same operator: goes through theirs of a day at most.
    fileprivate func submitted(like record: IdempotencyRecord, since moment: Timestamp) throws -> PublicID? {
        try prepare(SQL.submittedLike)
            .bind(record.key, record.route, record.owner + " ", record.owner + "!", record.bodyHash, moment)
            .first { try $0.publicID("notification") }
    }

    /// Remembers what a request made.
    func record(_ record: IdempotencyRecord, for id: PublicID) throws {
        let isNew = try prepare(
            """
            INSERT INTO idempotency (key_id, route, value, body_hash, notification, created_at)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (key_id, route, value) DO UPDATE SET body_hash = excluded.body_hash,
                notification = excluded.notification, created_at = excluded.created_at
            WHERE idempotency.created_at <= excluded.created_at - \(IdempotencyRecord.lifetime.milliseconds)
            """
        )
        .bind(record.key, record.route, record.value, record.bodyHash, id, now)
        .writeOne()
        guard isNew else { throw Row.damage("an idempotency record that was not there and is") }
    }

    /// Writes a notification with its messages, and its fan-out where that is left for later.
    ///
    /// - Throws: ``NotificationIDTaken``.
    func insert(_ encoded: EncodedDraft, _ acceptance: Acceptance) throws -> RowID<Notification> {
        let draft = encoded.draft
        let row = RowID<Notification>(draft.id.key)
        let retry = draft.retry
        let written = try prepare(SQL.insertNotification)
            .bind(
                row,
                draft.id,
                draft.app,
                draft.class.code,
                draft.priority.code,
                draft.origin.code,
                acceptance.sendAt,
                draft.expiresAt,
                now,
                retry.maxAttempts,
                retry.steadyTries,
                retry.growingTries,
                retry.minimumDelay,
                retry.maximumDelay,
                retry.rateLimitedDelay,
                draft.dedup?.key,
                draft.dedup.flatMap(\.cooldown),
                draft.collapseID,
                draft.category?.row,
                encoded.inbox,
                encoded.content,
                encoded.audience
            )
            .writeOne()
        guard written else { throw NotificationIDTaken() }
        if let audit = draft.audit { try record(audit) }
        for (index, message) in draft.messages.enumerated() {
            let badges = message.payload.has(.badge) ? encoded.badges : nil
            let inboxBadge = message.payload.has(.badge) ? draft.inboxBadge?.code : nil
            try prepare(
                """
                INSERT INTO messages (notification_id, platform, is_alert, headers, payload, holes, badges, inbox_badge)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
            )
            .bind(
                row,
                message.platform.code,
                message.isAlert,
                encoded.headers[index],
                message.payload.bytes,
                encoded.holes[index],
                badges,
                inboxBadge
            )
            .run()
        }
        let state: WorkState
        switch acceptance.fanOut {
        case .scheduled: state = .waiting
        case .open: state = .ready
        case .complete: return row
        }
        try prepare(
            "INSERT INTO fan_outs (notification_id, app_id, state, class, wait_until) VALUES (?, ?, ?, ?, ?)"
        )
        .bind(row, draft.app, state.code, draft.class.code, acceptance.sendAt)
        .run()
        return row
    }

    /// Ends a notification when its audience is read and nothing of it waits any more: gives back the claims of those
    /// that it did not reach.
    func finishIfOver(_ notification: RowID<Notification>) throws {
        for table in ["batches", "fan_outs"] {
            let isOpen = try prepare("SELECT 1 FROM \(table) WHERE notification_id = ? LIMIT 1").bind(notification)
                .exists()
            guard !isOpen else { return }
        }
        let claimed = try prepare("SELECT app_id, dedup_key FROM notifications WHERE id = ? AND dedup_key IS NOT NULL")
            .bind(notification)
            .first { (app: $0.row("app_id") as RowID<App>, key: $0.text("dedup_key")) }
        guard let claimed, let key = try dedupKey(claimed.key, of: claimed.app) else { return }
        try giveBackClaims(of: notification, key: key)
    }
}

extension Store {
    /// One notification, or `nil`.
    public func notification(_ id: PublicID) async throws -> Notification? {
        try await notifications(.one(id), PageRequest(count: 1)).items.first
    }

    /// An app's notifications, or everybody's; of one state, or all.
    public func notifications(
        _ app: RowID<App>?,
        state: NotificationStatus?,
        _ page: PageRequest
    ) async throws -> Page<Notification> {
        try await notifications(.all(of: app, state: state), page)
    }

    /// The notification that the same request made before, if it did.
    public func submitted(under idempotency: IdempotencyRecord) async throws -> PublicID? {
        try await notifications(.submitted(under: idempotency), PageRequest(count: 1)).items.first?.id
    }

    /// What the same operator made by an equal request since a moment, or `nil`.
    package func submitted(like record: IdempotencyRecord, since moment: Timestamp) async throws -> Notification? {
        try await notifications(.equal(to: record, since: moment), PageRequest(count: 1)).items.first
    }

    /// The result of each delivery. `after` is an endpoint's row.
    public func deliveries(
        _ notification: RowID<Notification>,
        _ page: PageRequest
    ) async throws -> Page<DeliveryReport> {
        try await reports(.deliveries, of: notification, page)
    }

    /// Deliveries that were not made. `after` is the key of the last one.
    public func suppressions(
        _ notification: RowID<Notification>,
        _ page: PageRequest
    ) async throws -> Page<DeliveryReport> {
        try await reports(.suppressions, of: notification, page)
    }

    /// Those who did not get it; for one reason, or all; those who have it on another device, who have it on none, or all.
    /// `after` is the key of the last one.
    public func missed(
        _ notification: RowID<Notification>,
        reason: String? = nil,
        reachedOtherwise: Bool? = nil,
        _ page: PageRequest
    ) async throws -> Page<DeliveryReport> {
        try await reports(.missed(reason: reason, reachedOtherwise: reachedOtherwise), of: notification, page)
    }

    /// Writes one notification.
    ///
    /// - Throws: ``NotificationIDTaken``; `Failure` with ``ErrorCode/idempotencyMismatch`` when the key was used with
    ///   another request, and as ``submit(_:)`` does.
    public func submit(
        _ draft: NotificationDraft,
        idempotency: IdempotencyRecord?,
        gate: Gate? = nil,
        reservation: Reservation? = nil
    ) async throws -> Submitted {
        let request = SubmitRequest(draft, idempotency: idempotency, gate: gate, reservation: reservation)
        return try await submit([request])[0].submitted()
    }
}
