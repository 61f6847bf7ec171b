public import MartletCore
import MartletWire

extension Store {
    /// Which queues have batches that may be leased now, and when the next one comes due otherwise. Paused queues are
    /// left out.
    public func dueWork() async throws -> DueWork {
        try await read { transaction in
            var due: [DeliveryQueue] = []
            var urgent: Set<DeliveryQueue> = []
            var next = try transaction.nextFanOut()
            var last: (queue: DeliveryQueue?, state: Int64) = (nil, .max)
            let statement = try transaction.prepare(SQL.nextQueue)
            while let found = try statement.bind(
                last.queue?.app.rawValue ?? 0,
                last.queue?.platform.code ?? 0,
                last.queue?.environment.code ?? 0,
                last.state
            ).first({ (queue: try DeliveryQueue($0), state: $0.int("state")) }) {
                last = (found.queue, found.state)
                let state = WorkState(code: found.state) ?? .quarantined
                guard try !transaction.isPaused(found.queue) else { continue }
                if state == .ready, try transaction.isUrgent(found.queue) { urgent.insert(found.queue) }
                guard due.last != found.queue, let moment = try transaction.nextDue(found.queue, state) else {
                    continue
                }
                if moment <= transaction.now { due.append(found.queue) } else { next = min(next ?? moment, moment) }
            }
            return DueWork(queues: due, urgent: urgent, next: due.isEmpty ? next : nil)
        }
    }

    /// Takes a queue's batches, most urgent and oldest first; those of expired leases too, as ``LeaseAdmission`` says, and
    /// those of a cancelled notification. Where the lease that ended is of the caller's own process, it is made longer
    /// once; unless it is renewed until then, nobody works on the batch any more.
    ///
    /// Members who have read the notification meanwhile, or who changed a preference since the batch was gated and want no
    /// push now, are taken out.
    public func leaseBatches(
        _ queue: DeliveryQueue,
        capacity: BatchCapacity,
        lease: Lease
    ) async throws -> LeasedBatches {
        try await writeSnapshot { transaction, isolation in
            var leased = LeasedBatches()
            guard try !transaction.isPaused(queue) else { return leased }
            var capacity = capacity
            // What is passed over on the way takes no capacity: behind it is read on.
            while capacity.isFree {
                let (found, next) = try transaction.lease(queue, capacity: capacity, lease: lease, isolation)
                for batch in next.batches { capacity.take(batch.members.count) }
                leased.batches += next.batches
                leased.suppressions += next.suppressions
                if next.batches.count == found { break }
            }
            return leased
        }
    }

    /// Holds leases for another ``Lease/duration``; returns the batches that are still held.
    public func renew(_ batches: [RowID<Batch>], lease: Lease) async throws -> Set<RowID<Batch>> {
        try await write(isolation: .snapshot) { transaction in
            let statement = try transaction.prepare(
                "UPDATE batches SET lease_until = ?, lease_process = ? WHERE id = ? AND lease_holder = ?"
            )
            let until = transaction.now + Lease.duration
            return Set(try batches.filter { try statement.bind(until, lease.process, $0, lease.holder).changes() > 0 })
        }
    }

    /// Ends the lease of a batch or fan-out that is not settled. Without the lease nothing changes.
    public func endLease(_ end: LeaseEnd) async throws {
        try await write { transaction in
            switch end {
            case .releaseFanOut(let fanOut): try transaction.release(fanOut)
            case .nackFanOut(let fanOut): try transaction.nack(fanOut)
            case .nackBatch(let batch, let lease): try transaction.nack(batch, lease)
            }
        }
    }

    /// What attempts at batches need, as it is now; in their order.
    public func contexts(of batches: [Batch]) async throws -> [AttemptContext] {
        var known: [RowID<App>: AttemptContext] = [:]
        for row in Set(batches.map(\.queue.app)) {
            let app = try await app(.row(row))
            let credentials = try await credentials(row)
            known[row] = AttemptContext(app: app, message: nil, credentials: credentials, targets: [])
        }
        return try await read { [known] transaction in
            if transaction.connection.isOptimistic { try transaction.ask(forAttemptsAt: batches) }
            return try batches.map { batch in
                guard var context = known[batch.queue.app], context.app != nil else { return AttemptContext() }
                context.credentials.removeAll { $0.platform != batch.queue.platform }
                context.message = try transaction.message(batch.notification, batch.queue.platform)
                let isAsked = transaction.connection.isOptimistic && batch.members.count <= Reservation.limit
                context.targets = try transaction.targets(of: batch.members, isAsked: isAsked)
                if context.message?.payload.has(.badge) ?? false { context.badges = try transaction.badges(of: batch) }
                return context
            }
        }
    }

    /// Records a checkpoint: results, counters, endpoint changes, retry batches, dead letters, the batch's remaining
    /// members, what is news of the topic, the notification's end with the claims that it gives back. Results that exist
    /// already stay as they are.
    public func settle(_ settlement: Settlement) async throws {
        guard !settlement.isOfCredential else { return try await writeConfiguration { try $0.settle(settlement) } }
        try await write(isolation: settlement.isolation) { try $0.settle(settlement) }
    }

    /// The same with the commit of others: it returns at once. `recorded` is called on the writer's thread: return soon.
    public func settleSoon(
        _ settlement: Settlement,
        recorded: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        guard !settlement.isOfCredential else {
            return writeConfigurationSoon({ try $0.settle(settlement) }, answer: recorded)
        }
        database.writeSoon(isolation: settlement.isolation, { try $0.settle(settlement) }, answer: recorded)
    }
}

extension Settlement {
    /// Whether it says something of a credential: what is known of its topic, once for each, or that it was refused. Then
    /// all processes read their credentials again: one may have another by now.
    fileprivate var isOfCredential: Bool { topic != nil || pause != nil }

    /// Which of two batches ends its notification, and gives back its claims, each says by the other; a device that goes
    /// takes along what somebody may just be writing of it.
    fileprivate var isolation: Isolation {
        let removes = changes.contains { if case .remove = $0.kind { true } else { false } }
        return batch.hasClaims || removes ? .serial : .snapshot
    }
}

extension Transaction {
    /// Without a holder a batch is not under way; the count of its leases stays.
    fileprivate func nack(_ batch: RowID<Batch>, _ lease: Lease) throws {
        try prepare("UPDATE batches SET lease_process = NULL, lease_holder = NULL WHERE id = ? AND lease_holder = ?")
            .bind(batch, lease.holder)
            .run()
    }

    /// Asks what attempts at batches read, of short ones of which there may be many.
    fileprivate func ask(forAttemptsAt batches: [Batch]) throws {
        for batch in batches {
            try prepare(SQL.message).bind(batch.notification, batch.queue.platform.code).ask()
            guard batch.members.count <= Reservation.limit else { continue }
            for member in batch.members { try prepare(SQL.target).bind(member.endpoint).ask() }
        }
        _ = try connection.answerAsked()
    }

    /// The endpoints of members, which stand in key order; `nil` for one that is gone.
    ///
    /// - Parameter isAsked: whether each has been asked for.
    func targets(of members: [Member], isAsked: Bool = false) throws -> [TargetState?] {
        var targets = [TargetState?](repeating: nil, count: members.count)
        let single = try prepare(SQL.target)
        let range = try prepare(SQL.targets)
        var start = 0
        while start < members.count {
            var end = start + 1
            while !isAsked, end < members.count, members[end].isClose(to: members[end - 1]) { end += 1 }
            if end - start == 1 {
                single.set(1, members[start].endpoint.rawValue)
                targets[start] = try single.first(TargetState.init)
            } else {
                // One walk along the table costs less than a search for each.
                var next = start
                try range.bind(members[start].endpoint, members[end - 1].endpoint).forEach { row in
                    let endpoint = row.int("id")
                    while next < end, members[next].endpoint.rawValue < endpoint { next += 1 }
                    guard next < end, members[next].endpoint.rawValue == endpoint else { return }
                    targets[next] = try TargetState(row)
                }
            }
            start = end
        }
        return targets
    }

    /// When the first of a queue's batches in a state may be leased; `nil` where none will.
    fileprivate func nextDue(_ queue: DeliveryQueue, _ state: WorkState) throws -> Timestamp? {
        let (app, platform, environment) = (queue.app, queue.platform.code, queue.environment.code)
        switch state {
        case .quarantined: return nil
        case .waiting:
            return try prepare(SQL.nextWaiting).bind(app, platform, environment).first { $0.time("wait_until") }
        case .ready, .isolated:
            let other = state == .isolated ? try isolated(in: queue) : nil
            if try prepare(SQL.isFree).bind(app, platform, environment, state.code, now).exists() {
                return other ?? now
            }
            let next =
                try prepare(SQL.nextFree).bind(app, platform, environment, state.code, now)
                .first { $0.optionalTime("next_at") } ?? nil
            return next.map { max($0, other ?? $0) }
        }
    }

    /// Whether one of a queue's batches that may be leased now is `transactional`.
    fileprivate func isUrgent(_ queue: DeliveryQueue) throws -> Bool {
        let urgent = NotificationClass.transactional.code
        return try prepare(SQL.isUrgent).bind(queue.app, queue.platform.code, queue.environment.code, urgent, now)
            .exists()
    }

    /// When the lease ends of the queue's batch that may be poison; `nil` where none is leased.
    private func isolated(in queue: DeliveryQueue) throws -> Timestamp? {
        try prepare(SQL.isolated)
            .bind(queue.app, queue.platform.code, queue.environment.code, LeaseAdmission.isolatedFrom, now)
            .first { $0.time("lease_until") }
    }

    /// Leases what there is capacity for of the batches that are due; says how many it looked at.
    fileprivate func lease(
        _ queue: DeliveryQueue,
        capacity: BatchCapacity,
        lease: Lease,
        _ isolation: Isolation
    ) throws -> (found: Int, leased: LeasedBatches) {
        try prepare(SQL.beginWaiting)
            .bind(queue.app, queue.platform.code, queue.environment.code, now, Self.beginLimit)
            .run()
        var isOtherIsolated = try isolated(in: queue) != nil
        // Read to the end before anything is written into the index that is read.
        let isolated = isOtherIsolated ? [] : try due(queue, .isolated, limit: 1, capacity)
        let ready = try due(queue, .ready, limit: capacity.batches, capacity)
        var left = capacity
        let found = (isolated + ready).sorted { $0.order < $1.order }.prefix { due in
            defer { left.take(due.batch?.members.count ?? 0) }
            return left.isFree
        }
        var suppressions: [Suppression] = []
        var isOneMoreFree = false
        let batches: [Batch] = try found.compactMap { due in
            guard let batch = try admit(due, isOtherIsolated: isOtherIsolated, to: lease) else { return nil }
            // Whoever had it before may have recorded answers after its lease was lost.
            let waiting = batch.wasLeased ? try notSettled(batch) : batch.members
            let taken = try suppressed(waiting, of: batch, due)
            suppressions += taken
            let members = try takeOut(taken, from: waiting, of: batch)
            guard !members.isEmpty else {
                // Which of two ends the notification, each says by the other.
                guard isolation == .serial || !batch.hasClaims else { throw NeedsSerial() }
                try finishIfOver(batch.notification)
                return nil
            }
            // An answer that came late is a settlement.
            let failures = waiting.count < due.waiting ? 0 : due.failures
            guard try take(due, failures: failures, members: members.count, to: lease) else { return nil }
            if failures >= LeaseAdmission.isolatedFrom { isOtherIsolated = true }
            // What was taken for poison is none: the next that may be has its turn.
            if due.state == .isolated, failures < LeaseAdmission.isolatedFrom { isOneMoreFree = true }
            let state: WorkState = failures + 1 >= LeaseAdmission.isolatedFrom ? .isolated : .ready
            if state != due.state { try setState(state, of: batch.row) }
            var current = batch
            current.members = members
            return current
        }
        let read = found.count + (isOneMoreFree ? 1 : 0)
        return (read, LeasedBatches(batches: batches, suppressions: suppressions))
    }

    /// Leases a batch, if it is as it was seen: no one else has leased it since.
    private func take(_ due: DueBatch, failures: Int, members: Int, to lease: Lease) throws -> Bool {
        try prepare(
            """
            UPDATE batches SET lease_process = ?, lease_holder = ?, leased_at = ?, lease_until = ?,
                lease_count = ?, waiting_count = ?
            WHERE id = ? AND lease_until <= ? AND lease_count = ?
            """
        )
        .bind(
            lease.process,
            lease.holder,
            now,
            now + Lease.duration,
            failures + 1,
            members,
            due.row,
            now,
            due.failures
        )
        .writeOne()
    }

    /// How many batches begin at once at most. Ours: as many as are written in some milliseconds.
    private static let beginLimit = 1_000

    /// A queue's batches in a state that nobody holds, as many as there is capacity for.
    private func due(
        _ queue: DeliveryQueue,
        _ state: WorkState,
        limit: Int,
        _ capacity: BatchCapacity
    ) throws -> [DueBatch] {
        var capacity = capacity
        var found: [DueBatch] = []
        let classes = capacity.only.map { ($0.code, $0.code) } ?? (0, Int64.max)
        try prepare(SQL.dueBatches)
            .bind(
                queue.app,
                queue.platform.code,
                queue.environment.code,
                state.code,
                classes.0,
                classes.1,
                now,
                limit
            )
            .forEach { row in
                guard capacity.isFree else { return }
                let due = try DueBatch(row, queue)
                capacity.take(due.batch?.members.count ?? 0)
                found.append(due)
            }
        return found
    }

    /// When the next notification comes due; those that are due already do not count.
    fileprivate func nextFanOut() throws -> Timestamp? {
        let times = try [SQL.nextScheduled, SQL.nextFanOut].map {
            try prepare($0).bind(now).first { $0.optionalTime("next_at") } ?? nil
        }
        return times.compactMap(\.self).min()
    }

    /// The members of a batch that have no result yet; when none is left, the batch is gone.
    fileprivate func notSettled(_ batch: Batch) throws -> [Member] {
        let settled = try settled(batch.members, of: batch.notification)
        guard !settled.isEmpty else { return batch.members }
        let rest = batch.members.filter { !settled.contains($0.endpoint) }
        guard rest.isEmpty else { return rest }
        try deleteBatch(batch.row)
        return []
    }
}

/// A batch that is due, whether it can be read or not.
struct DueBatch {
    var row: RowID<Batch>
    var batch: Batch?
    var state: WorkState
    /// What decides which goes first.
    var order: (class: Int64, acceptedAt: Int64, row: Int64)
    /// Whether its notification was withdrawn from anybody.
    var hasWithdrawals: Bool
    /// The last preference change that its members were gated with.
    var mark: Int64
    /// Its notification's category.
    var category: RowID<MartletCore.Category>?
    /// How many of its members have no result, as far as its workers said.
    var waiting: Int
    /// The process whose lease ended.
    var process: Int64?
    /// Leases that ended without a settlement.
    var failures: Int

    init(_ columns: Row, _ queue: DeliveryQueue) throws {
        row = columns.row("id")
        // The only reason is that the bytes are not what was written: the batch is quarantined.
        batch = try? Batch(columns, queue)
        state = try columns.code("state")
        order = (columns.int("class"), columns.int("accepted_at"), row.rawValue)
        hasWithdrawals = columns.flag("has_withdrawals")
        mark = columns.int("mark")
        category = columns.optionalRow("category_id")
        waiting = columns.count("waiting_count")
        process = columns.optionalInt("lease_process")
        failures = columns.count("lease_count")
    }
}

extension Transaction {
    /// The batch, if it is to be leased.
    fileprivate func admit(_ due: DueBatch, isOtherIsolated: Bool, to lease: Lease) throws -> Batch? {
        let isOwn = due.process == lease.process
        switch (LeaseAdmission(failures: due.failures, isOtherIsolated: isOtherIsolated, isOwn: isOwn), due.batch) {
        case (.extend, _): try extendLease(of: due.row)
        case (_, nil): try quarantine(due.row, .unreadable, tries: due.failures)
        case (.lease, let batch?): return batch
        case (.wait, _): break
        case (.quarantine, _): try quarantine(due.row, .crashed, tries: due.failures)
        }
        return nil
    }

    /// Makes an ended lease of the process itself longer, once: a worker that is alive renews it until then.
    func extendLease(of batch: RowID<Batch>) throws {
        try prepare("UPDATE batches SET lease_process = NULL, lease_until = ? WHERE id = ?")
            .bind(now + Lease.duration, batch)
            .run()
    }

    /// Moves a batch on its way to a worker.
    func setState(_ state: WorkState, of batch: RowID<Batch>) throws {
        try prepare("UPDATE batches SET state = ? WHERE id = ?").bind(state.code, batch).run()
    }
}

extension Batch {
    /// What ``init(_:_:)`` reads, of batches b and notifications n.
    static let columns = """
        b.id, b.notification_id, n.public_id AS notification_public_id, b.is_environment_known, b.class, b.attempts,
        b.expires_at, n.max_attempts, n.steady_tries, n.growing_tries, n.minimum_delay, n.maximum_delay,
        n.rate_limited_delay, n.origin, b.members, b.wait_until IS NOT NULL AS has_waited,
        b.leased_at IS NOT NULL AS was_leased, n.dedup_key IS NOT NULL AS has_claims
        """

    /// A batch of a queue from a row of these columns.
    init(_ row: Row, _ queue: DeliveryQueue) throws {
        self.init(
            row: row.row("id"),
            notification: row.row("notification_id"),
            notificationID: try row.publicID("notification_public_id"),
            queue: queue,
            isEnvironmentKnown: row.flag("is_environment_known"),
            class: try row.code("class"),
            attempts: row.count("attempts"),
            expiresAt: row.time("expires_at"),
            isCancelled: row.time("expires_at") == .cancelled,
            retry: RetryPolicy(row),
            members: try row.members("members"),
            hasWaited: row.flag("has_waited"),
            origin: try row.code("origin"),
            wasLeased: row.flag("was_leased"),
            hasClaims: row.flag("has_claims")
        )
    }
}

extension TargetState {
    /// What ``init(_:)`` reads.
    static let columns = "user_id, status, environment, has_push, \(ownColumns)"

    /// Those of them that a candidate has not.
    static let ownColumns = "token, subscription, subscription_keys, vapid_key_id"

    init(_ row: Row) throws {
        self.init(
            token: row.text("token"),
            user: row.optionalRow("user_id"),
            status: try row.code("status"),
            environment: try row.optionalCode("environment"),
            hasPush: row.flag("has_push"),
            subscription: StoredSubscription(row)
        )
    }
}

extension StoredSubscription {
    fileprivate init?(_ row: Row) {
        if !row.isNull("subscription") {
            self = .sealed(row.bytes("subscription"))
        } else if !row.isNull("subscription_keys"),
            let plain = PushSubscription(bytes: row.bytes("subscription_keys"), vapidKeyID: row.text("vapid_key_id"))
        {
            self = .plain(plain)
        } else {
            return nil
        }
    }
}

extension Member {
    /// Whether so few endpoints may lie between that passing them by costs less than a search. Ours: a search goes down
    /// three or four levels of the tree.
    fileprivate func isClose(to before: Member) -> Bool {
        (1...4).contains(endpoint.rawValue - before.endpoint.rawValue)
    }
}
