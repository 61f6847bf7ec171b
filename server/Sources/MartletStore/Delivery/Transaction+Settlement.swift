import MartletCore
import MartletWire

extension Transaction {
    /// Records a checkpoint.
    func settle(_ settlement: Settlement) throws {
        if settlement.isWhole, try settleWhole(settlement) { return }
        let batch = settlement.batch
        // With the notification's app deleted there is nothing left to record.
        guard var head = try head(of: batch.notification) else { return }
        if let topic = settlement.topic { try note(topic) }
        let held = try hold(of: settlement)
        let settled =
            try held.map { try known(settlement, heldAs: $0) }
            ?? settled(settlement.results.map(\.member), of: batch.notification)
        let plan = SettlementPlan(settlement, isHeld: held != nil, settled: settled)
        var change = CountChange()
        let attempts = settlement.results.first { $0.state == .accepted }?.attempts ?? 0
        var rows = plan.results
        if try accept(plan.accepted, of: batch, attempts: attempts) {
            change.accepted += plan.accepted.count
        } else {
            // Another list begins with the same endpoint: what is in none becomes rows, as of an answer that comes late.
            let known = try self.settled(plan.accepted, of: batch.notification)
            rows += plan.accepted.filter { !known.contains($0.endpoint) }
                .map { DeliveryResult(member: $0, state: .accepted, attempts: attempts) }
        }
        try recordRows(rows, of: batch, change: &change)
        tally(change, in: batch.queue)
        guard let held else {
            // Whoever holds them now decides by what is recorded here: one of the two is to run again.
            try touchBatches(of: batch.notification, holding: settlement.results.map(\.member.endpoint))
            change.withheld -= try takeBackSuppressions(settlement.results, of: batch)
            change.suppressed += change.withheld
            return try count(change, of: batch.notification)
        }
        head.mark = held.mark
        change.withheld = try suppress(plan.suppressions, of: batch)
        change.suppressed = change.withheld
        for draft in try newRetries(of: settlement, held) {
            try insert(draft, of: head, expiresAt: held.expiresAt, leasedAt: held.leasedAt)
        }
        try write(plan.row, of: settlement, held)
        try count(change, of: batch.notification)
        for item in settlement.changes { try apply(item, pushedAt: held.leasedAt) }
        if let pause = settlement.pause { try self.pause(pause, pushedAt: held.leasedAt) }
        if plan.row == .delete { try finishIfOver(batch.notification) }
    }

    /// Records that all of a batch was accepted which nobody else has had; says whether it is still held so. With one
    /// statement that finds it and deletes it there is nothing to compare with.
    private func settleWhole(_ settlement: Settlement) throws -> Bool {
        let batch = settlement.batch
        var leasedAt = Timestamp(milliseconds: 0)
        if settlement.changes.isEmpty {
            guard try prepare(SQL.endWhole).bind(batch.row, settlement.lease.holder).writeOne() else { return false }
        } else {
            let found = try prepare(SQL.endFirstLease).bind(batch.row, settlement.lease.holder)
                .first { $0.time("leased_at") }
            guard let found else { return false }
            leasedAt = found
        }
        let members = settlement.results.map(\.member)
        // Where it is recorded already, the rest finds that out.
        guard try accept(members, of: batch, attempts: settlement.results[0].attempts) else { return false }
        var change = CountChange()
        change.accepted = members.count
        tally(change, in: batch.queue)
        try count(change, of: batch.notification)
        for item in settlement.changes { try apply(item, pushedAt: leasedAt) }
        return true
    }

    /// Changes nothing in the batches that may hold some endpoints but who wrote them last.
    private func touchBatches(of notification: RowID<Notification>, holding endpoints: [RowID<Endpoint>]) throws {
        guard let first = endpoints.min(), let last = endpoints.max() else { return }
        try prepare(SQL.touchBatches).bind(notification, last, first).run()
    }

    /// What a batch's row says while the settlement's lease is held; `nil` when it is lost.
    private func hold(of settlement: Settlement) throws -> HeldBatch? {
        try prepare(
            """
            SELECT leased_at, expires_at, state, lease_count, mark FROM batches WHERE id = ? AND lease_holder = ?
            """
        )
        .bind(settlement.batch.row, settlement.lease.holder)
        .first(HeldBatch.init)
    }

    /// Of which of the settlement's endpoints there are results, where its batch is held: rows, because an answer came late,
    /// and what was accepted at a checkpoint before. What was there when it was leased is none of its members any more.
    private func known(_ settlement: Settlement, heldAs held: HeldBatch) throws -> Set<RowID<Endpoint>> {
        let batch = settlement.batch
        let asked = EndpointKeys(
            settlement.results.map(\.member.endpoint) + settlement.suppressions.compactMap(\.endpoint)
        )
        guard let first = asked.first, let last = asked.last else { return [] }
        var known: Set<RowID<Endpoint>> = []
        // A row beside a row is not written; a list and a suppression know nothing of rows.
        let isListed = !settlement.suppressions.isEmpty || settlement.results.contains { $0.state == .accepted }
        if isListed { known.formUnion(try asked.common(with: results(of: batch.notification, from: first, to: last))) }
        // One whose commit had no answer may come a second time. Its list begins among the members that were leased: a
        // checkpoint with retries moves the row's own first endpoint.
        if held.leaseCount == 0, let first = batch.members.first, let last = batch.members.last {
            try prepare(SQL.acceptedOfBatch).bind(batch.notification, first.endpoint, last.endpoint, batch.row).forEach
            {
                row in
                known.formUnion(asked.common(with: try row.members("members").map(\.endpoint)))
            }
        }
        return known
    }

    /// The retry batches of a checkpoint. One whose commit had no answer may come a second time: whoever left the batch then
    /// stands in another one.
    private func newRetries(of settlement: Settlement, _ held: HeldBatch) throws -> [BatchDraft] {
        guard held.leaseCount == 0, !settlement.retries.isEmpty else { return settlement.retries }
        let members =
            try prepare("SELECT members FROM batches WHERE id = ?").bind(settlement.batch.row)
            .first { try $0.members("members") } ?? []
        let waiting = Set(members.map(\.endpoint))
        return settlement.retries.map { draft in
            var draft = draft
            draft.members.removeAll { !waiting.contains($0.endpoint) }
            return draft
        }
    }

    /// The endpoints of a range that have a row, in their order.
    private func results(
        of notification: RowID<Notification>,
        from first: RowID<Endpoint>,
        to last: RowID<Endpoint>
    ) throws -> [RowID<Endpoint>] {
        try prepare(SQL.results).bind(notification, first, last).all { $0.row("endpoint_id") }
    }

    /// Leaves in a batch what has no answer yet. That somebody came so far clears it of the leases before.
    private func write(_ row: SettlementPlan.Row, of settlement: Settlement, _ held: HeldBatch) throws {
        let batch = settlement.batch.row
        let waiting: Int
        switch row {
        case .untouched: return
        case .delete: return try deleteBatch(batch)
        case .keep(let count): waiting = count
        case .rewrite(let members):
            try rewrite(members, in: batch)
            waiting = members.count
        }
        if held.state == .isolated { try setState(.ready, of: batch) }
        try prepare("UPDATE batches SET waiting_count = ?, lease_count = 0 WHERE id = ?").bind(waiting, batch).run()
        guard settlement.isLeaseReleased else { return }
        try prepare("UPDATE batches SET lease_process = NULL, lease_holder = NULL, lease_until = 0 WHERE id = ?")
            .bind(batch)
            .run()
    }

    /// Writes results as rows, in key order; one that exists stays as it is. Says how many were written and counts them.
    @discardableResult
    func recordRows(_ results: [DeliveryResult], of batch: Batch, change: inout CountChange) throws -> Int {
        let ordered = results.sorted { $0.member.endpoint < $1.member.endpoint }
        var recorded = 0
        var done = 0
        if ordered.count >= SQL.run {
            var run = ResultRun(statement: try prepare(SQL.resultRun).bind(batch.notification, now))
            while ordered.count - done >= SQL.run {
                let part = ordered[done..<done + SQL.run]
                // Where there is one of them already, which one has to be known.
                if try hasResult(of: part, batch.notification) {
                    recorded += try recordSingly(part, of: batch, change: &change)
                } else {
                    try run.write(part)
                    recorded += part.count
                    for result in part { try count(result, of: batch, change: &change) }
                }
                done += SQL.run
            }
        }
        return recorded + (try recordSingly(ordered[done...], of: batch, change: &change))
    }

    private func recordSingly(_ results: ArraySlice<DeliveryResult>, of batch: Batch, change: inout CountChange) throws
        -> Int
    {
        guard !results.isEmpty else { return 0 }
        let statement = try prepare(SQL.result).bind(batch.notification, now)
        var recorded = 0
        for result in results {
            statement.set(result, from: 3)
            statement.set(7, result.reason)
            guard try statement.changes() > 0 else { continue }
            recorded += 1
            try count(result, of: batch, change: &change)
        }
        return recorded
    }

    /// Counts a result that was written, and keeps what a dead delivery needs to be sent again.
    private func count(_ result: DeliveryResult, of batch: Batch, change: inout CountChange) throws {
        change.add(result.state)
        if result.state == .dead { try addDeadLetter(result, of: batch) }
    }

    /// Whether there is a row of one of some results that stand in key order, or one of them is there twice.
    private func hasResult(of results: ArraySlice<DeliveryResult>, _ notification: RowID<Notification>) throws -> Bool {
        let asked = EndpointKeys(results.map(\.member.endpoint))
        guard let first = asked.first, let last = asked.last else { return false }
        guard asked.isEachOnce else { return true }
        return !asked.common(with: try self.results(of: notification, from: first, to: last)).isEmpty
    }

    /// Takes back the suppressions of deliveries that have a result: an answer that came late takes precedence over what another
    /// worker found meanwhile. Says how many there were, and counts them out of their minutes.
    private func takeBackSuppressions(_ results: [DeliveryResult], of batch: Batch) throws -> Int {
        let statement = try prepare(
            "DELETE FROM suppressions WHERE notification_id = ? AND key = ? RETURNING created_at"
        )
        let moments = try results.flatMap { result in
            try statement.bind(batch.notification, result.member.endpoint).all { $0.time("created_at") }
        }
        for moment in moments { tally(batch.queue.app, batch.queue.platform, at: moment) { $0.suppressed = -1 } }
        return moments.count
    }

    /// Writes what an answer says about an endpoint, unless the endpoint was registered after the push was made: then
    /// the answer may be about another token.
    private func apply(_ change: EndpointChange, pushedAt: Timestamp) throws {
        switch change.kind {
        case .disable(let reason): try disable(change.endpoint, reason, pushedAt: pushedAt)
        case .disableUnlessRegistered(let since, let reason):
            try disable(change.endpoint, reason, pushedAt: pushedAt, since: since)
        case .remove(let reason):
            let isCurrent = try prepare("SELECT 1 FROM endpoints WHERE id = ? AND registered_at <= ?")
                .bind(change.endpoint, pushedAt).exists()
            if isCurrent { try removeEndpoint(change.endpoint, reason: reason) }
        case .learn(let environment):
            try prepare(
                """
                UPDATE endpoints SET environment = ?1
                WHERE id = ?2 AND registered_at <= ?3 AND environment IS DISTINCT FROM ?1
                """
            )
            .bind(environment.code, change.endpoint, pushedAt)
            .run()
        }
    }

    /// Disables an endpoint of which a provider says that its token is gone since a moment. What it says of a push that
    /// was made before the token was registered is about the token before.
    private func disable(
        _ endpoint: RowID<Endpoint>,
        _ reason: DisableReason,
        pushedAt: Timestamp,
        since: Timestamp? = nil
    ) throws {
        try prepare(
            """
            UPDATE endpoints SET status = 1, status_reason = ?, status_at = ? WHERE id = ? AND status = 0
            AND registered_at <= ? AND (is_registered = 0 OR registered_at < ?)
            """
        )
        .bind(reason.rawValue, now, endpoint, pushedAt, since ?? pushedAt + .milliseconds(1))
        .run()
    }
}

/// Keys in their order, which are compared with others in their order one by one: a set of them costs twenty times as much.
private struct EndpointKeys {
    private let keys: [RowID<Endpoint>]

    init(_ keys: [RowID<Endpoint>]) { self.keys = keys.sorted() }

    var first: RowID<Endpoint>? { keys.first }
    var last: RowID<Endpoint>? { keys.last }
    var isEachOnce: Bool { zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } }

    /// Those that are among others, which stand in their order.
    func common(with others: [RowID<Endpoint>]) -> [RowID<Endpoint>] {
        var (common, index): ([RowID<Endpoint>], Int) = ([], 0)
        for other in others {
            while index < keys.count, keys[index] < other { index += 1 }
            if index == keys.count { break }
            if keys[index] == other { common.append(other) }
        }
        return common
    }
}

/// What settling a batch needs to know of its row.
private struct HeldBatch {
    var leasedAt: Timestamp
    var expiresAt: Timestamp
    var state: WorkState
    /// 0 after the first checkpoint of the lease.
    var leaseCount: Int
    var mark: Int64

    init(_ row: Row) throws {
        leasedAt = row.time("leased_at")
        expiresAt = row.time("expires_at")
        state = try row.code("state")
        leaseCount = row.count("lease_count")
        mark = row.int("mark")
    }
}

/// Writes results, as many at once as the statement holds.
private struct ResultRun {
    let statement: Statement
    /// The reason that is bound for all rows: what is bound stays bound, and as a rule all results have the same one.
    private var reason: String??

    init(statement: Statement) { self.statement = statement }

    mutating func write(_ results: ArraySlice<DeliveryResult>) throws {
        let first = results.first?.reason
        let isBound = reason == .some(first) && results.allSatisfy { $0.reason == first }
        var position: Int32 = 3
        for result in results {
            statement.set(result, from: position)
            if !isBound { statement.set(position + 4, result.reason) }
            position += 5
        }
        if !isBound { reason = results.allSatisfy { $0.reason == first } ? .some(first) : nil }
        try statement.run()
    }
}

extension Statement {
    /// Binds a result's own numbers from a position on.
    fileprivate func set(_ result: DeliveryResult, from position: Int32) {
        set(position, result.member.endpoint.rawValue)
        set(position + 1, result.member.user?.rawValue)
        set(position + 2, result.state.code)
        set(position + 3, Int64(result.attempts))
    }
}
