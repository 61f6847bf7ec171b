import MartletCore

extension Transaction {
    /// Records a checkpoint.
    func settle(_ settlement: Settlement) throws {
        let batch = settlement.batch
        // With the notification's app deleted there is nothing left to record.
        guard let head = try head(of: batch.notification) else { return }
        let held = try prepare("SELECT leased_at, expires_at FROM batches WHERE id = ? AND lease_holder = ?")
            .bind(batch.row, settlement.lease.holder)
            .first { (leasedAt: $0.time(0), expiresAt: $0.time(1)) }
        if let topic = settlement.topic { try note(topic) }
        var change = CountChange()
        let recorded = try record(settlement.facts, of: batch, change: &change)
        if held == nil || head.hasLateFacts {
            change.suppressed -= try outweigh(settlement.facts, of: batch.notification)
        }
        guard let held else {
            try count(change, of: batch.notification)
            guard recorded > 0 else { return }
            try prepare("UPDATE notifications SET has_late_facts = 1 WHERE id = ?").bind(batch.notification).run()
            return
        }
        let suppressions =
            try head.hasLateFacts
            ? settlement.suppressions.filter { try !hasFact($0.endpoint, of: batch.notification) }
            : settlement.suppressions
        change.suppressed += try suppress(suppressions, of: batch.notification)
        for draft in settlement.retries {
            change.pending += try insert(draft, of: head, expiresAt: held.expiresAt)
        }
        change.pending += try keep(settlement.remaining, in: batch.row)
        try count(change, of: batch.notification)
        for item in settlement.changes { try apply(item, pushedAt: held.leasedAt) }
        if let pause = settlement.pause { try self.pause(pause, pushedAt: held.leasedAt) }
        if settlement.isLeaseReleased {
            try prepare("UPDATE batches SET lease_holder = NULL, due_at = coalesce(not_before, 0) WHERE id = ?")
                .bind(batch.row)
                .run()
        }
        try finishIfOver(batch.notification)
    }

    /// Writes facts, in key order; one that exists stays as it is. Says how many were written and counts them.
    func record(_ facts: [Fact], of batch: Batch, change: inout CountChange) throws -> Int {
        let ordered = facts.sorted { $0.member.endpoint < $1.member.endpoint }
        var recorded = 0
        var done = 0
        if ordered.count >= SQL.run {
            var run = FactRun(statement: try prepare(SQL.factRun).bind(batch.notification, now))
            while ordered.count - done >= SQL.run {
                let part = ordered[done..<done + SQL.run]
                // Where there is one of them already, which one has to be known.
                if try hasFacts(in: part, of: batch.notification) {
                    recorded += try recordSingly(part, of: batch, change: &change)
                } else {
                    try run.write(part)
                    recorded += part.count
                    for fact in part { try count(fact, of: batch, change: &change) }
                }
                done += SQL.run
            }
        }
        return recorded + (try recordSingly(ordered[done...], of: batch, change: &change))
    }

    private func recordSingly(_ facts: ArraySlice<Fact>, of batch: Batch, change: inout CountChange) throws -> Int {
        guard !facts.isEmpty else { return 0 }
        let statement = try prepare(SQL.fact).bind(batch.notification, now)
        var recorded = 0
        for fact in facts {
            statement.set(fact, from: 3)
            fact.reason.bind(to: statement.handle, at: 7)
            guard try statement.run() > 0 else { continue }
            recorded += 1
            try count(fact, of: batch, change: &change)
        }
        return recorded
    }

    /// Counts a fact that was written, and keeps what a dead delivery needs to be sent again.
    private func count(_ fact: Fact, of batch: Batch, change: inout CountChange) throws {
        change.add(fact.state)
        if fact.state == .dead { try bury(fact, of: batch) }
    }

    /// Whether there are facts between the first and the last of some that stand in key order, or one of them twice.
    private func hasFacts(in facts: ArraySlice<Fact>, of notification: RowID<Notification>) throws -> Bool {
        guard let first = facts.first, let last = facts.last else { return false }
        let isEachOnce = zip(facts, facts.dropFirst()).allSatisfy { $0.member.endpoint < $1.member.endpoint }
        guard isEachOnce else { return true }
        return try prepare(SQL.hasFacts).bind(notification, first.member.endpoint, last.member.endpoint).exists()
    }

    /// Takes back the suppressions of deliveries that have a fact: an answer that came late outweighs what another worker
    /// found meanwhile. Says how many there were.
    private func outweigh(_ facts: [Fact], of notification: RowID<Notification>) throws -> Int {
        let statement = try prepare("DELETE FROM suppressions WHERE notification_id = ? AND key = ?")
        return try facts.reduce(0) { try $0 + statement.bind(notification, $1.member.endpoint).run() }
    }

    private func hasFact(_ endpoint: RowID<Endpoint>?, of notification: RowID<Notification>) throws -> Bool {
        guard let endpoint else { return false }
        return try prepare("SELECT 1 FROM deliveries WHERE notification_id = ? AND endpoint_id = ?")
            .bind(notification, endpoint)
            .exists()
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
                "UPDATE endpoints SET environment = ?1 WHERE id = ?2 AND registered_at <= ?3 AND environment IS NOT ?1"
            )
            .bind(environment.code, change.endpoint, pushedAt)
            .run()
        }
    }

    /// Disables an endpoint of which a provider says that its token is gone since a moment. What it says of a push that was
    /// made before the token was registered is about the token before.
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

/// Writes facts, as many at once as the statement holds.
private struct FactRun {
    let statement: Prepared
    /// The reason that is bound for all rows: what is bound stays bound, and as a rule all facts have the same one.
    private var reason: String??

    init(statement: Prepared) { self.statement = statement }

    mutating func write(_ facts: ArraySlice<Fact>) throws {
        let first = facts.first?.reason
        let isBound = reason == .some(first) && facts.allSatisfy { $0.reason == first }
        var position: Int32 = 3
        for fact in facts {
            statement.set(fact, from: position)
            if !isBound { fact.reason.bind(to: statement.handle, at: position + 4) }
            position += 5
        }
        if !isBound { reason = facts.allSatisfy { $0.reason == first } ? .some(first) : nil }
        try statement.run()
    }
}

extension Prepared {
    /// Binds a fact's own numbers from a position on.
    fileprivate func set(_ fact: Fact, from position: Int32) {
        set(position, fact.member.endpoint.rawValue)
        set(position + 1, fact.member.user?.rawValue)
        set(position + 2, fact.state.code)
        set(position + 3, Int64(fact.attempts))
    }
}
