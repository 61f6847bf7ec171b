import MartletCore

extension Transaction {
    /// Records a checkpoint.
    func settle(_ settlement: Settlement) throws {
        let batch = settlement.batch
        // With the notification's app deleted there is nothing left to record.
        guard let head = try head(of: batch.notification) else { return }
        let held = try prepare("SELECT leased_at, expires_at FROM batches WHERE id = ? AND lease_holder = ?")
            .bind(batch.row, settlement.lease.holder)
            .first { (leasedAt: $0.time("leased_at"), expiresAt: $0.time("expires_at")) }
        if let topic = settlement.topic { try note(topic) }
        var change = CountChange()
        try record(settlement.results, of: batch, change: &change)
        guard let held else {
            change.suppressed -= try outweigh(settlement.results, of: batch.notification)
            return try count(change, of: batch.notification)
        }
        // An answer that came late outweighs what was found meanwhile.
        let suppressions = try settlement.suppressions.filter { try !hasResult($0.endpoint, of: batch.notification) }
        change.suppressed += try suppress(suppressions, of: batch.notification)
        for draft in settlement.retries {
            change.pending += try insert(draft, of: head, expiresAt: held.expiresAt, leasedAt: held.leasedAt)
        }
        change.pending += try keep(settlement.remaining, in: batch.row)
        try count(change, of: batch.notification)
        for item in settlement.changes { try apply(item, pushedAt: held.leasedAt) }
        if let pause = settlement.pause { try self.pause(pause, pushedAt: held.leasedAt) }
        if settlement.isLeaseReleased {
            try prepare(
                """
                UPDATE batches SET lease_process = NULL, lease_holder = NULL, due_at = coalesce(not_before, 0)
                WHERE id = ?
                """
            )
            .bind(batch.row)
            .run()
        }
        try finishIfOver(batch.notification)
    }

    /// Writes results, in key order; one that exists stays as it is. Says how many were written and counts them.
    @discardableResult
    func record(_ results: [DeliveryResult], of batch: Batch, change: inout CountChange) throws -> Int {
        let ordered = results.sorted { $0.member.endpoint < $1.member.endpoint }
        var recorded = 0
        var done = 0
        if ordered.count >= SQL.run {
            var run = ResultRun(statement: try prepare(SQL.resultRun).bind(batch.notification, now))
            while ordered.count - done >= SQL.run {
                let part = ordered[done..<done + SQL.run]
                // Where there is one of them already, which one has to be known.
                if try hasResults(in: part, of: batch.notification) {
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
            guard try statement.run() > 0 else { continue }
            recorded += 1
            try count(result, of: batch, change: &change)
        }
        return recorded
    }

    /// Counts a result that was written, and keeps what a dead delivery needs to be sent again.
    private func count(_ result: DeliveryResult, of batch: Batch, change: inout CountChange) throws {
        change.add(result.state)
        if result.state == .dead { try bury(result, of: batch) }
    }

    /// Whether there are results between the first and the last of some that stand in key order, or one of them twice.
    private func hasResults(in results: ArraySlice<DeliveryResult>, of notification: RowID<Notification>) throws -> Bool
    {
        guard let first = results.first, let last = results.last else { return false }
        let isEachOnce = zip(results, results.dropFirst()).allSatisfy { $0.member.endpoint < $1.member.endpoint }
        guard isEachOnce else { return true }
        return try prepare(SQL.hasResults).bind(notification, first.member.endpoint, last.member.endpoint).exists()
    }

    /// Takes back the suppressions of deliveries that have a result: an answer that came late outweighs what another
    /// worker found meanwhile. Says how many there were.
    private func outweigh(_ results: [DeliveryResult], of notification: RowID<Notification>) throws -> Int {
        let statement = try prepare("DELETE FROM suppressions WHERE notification_id = ? AND key = ?")
        return try results.reduce(0) { try $0 + statement.bind(notification, $1.member.endpoint).run() }
    }

    private func hasResult(_ endpoint: RowID<Endpoint>?, of notification: RowID<Notification>) throws -> Bool {
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
