public import MartletCore
import MartletWire

extension Store {
    /// Whether other processes may work on the same database.
    public var isShared: Bool { database.isShared }

    /// Says to the other processes on the store that this one is alive and which breakers it has open; ends the leases of
    /// those that have not said so for ``Presence/timeout``. Where nobody has said so for that long, it was the store that
    /// was away: then no lease ends for ``Presence/guardTime``, in which its holders record their answers and renew it.
    ///
    /// - Returns: the breakers that others have open. A store that has one process alone does nothing.
    public func poll(process: Int64, breakers: [SharedBreaker]) async throws -> [SharedBreaker] {
        guard database.isShared else { return [] }
        // Each writes rows of its own; where two end the leases of a third one, one of them runs again.
        return try await write(isolation: .snapshot) { [clock] transaction in
            try transaction.notePresence(of: process, clock)
            try transaction.write(breakers, of: process)
            return try transaction.breakers(exceptOf: process)
        }
    }
}

extension Transaction {
    fileprivate func notePresence(of process: Int64, _ clock: any WallClock) throws {
        let last = try prepare("SELECT max(seen_at) AS last FROM processes").one { $0.optionalTime("last") }
        // Not the transaction's moment: the first answer of a database that was silent may come long after it, and what
        // is said of that moment would hide from the others that nobody could say anything.
        let now = clock.now()
        if let last, last < now - Presence.timeout { try guardLeases(at: now) }
        try prepare(
            """
            INSERT INTO processes (id, seen_at) VALUES (?, ?)
            ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
            """
        )
        .bind(process, now)
        .run()
        let gone = try prepare("SELECT id FROM processes WHERE seen_at < ?").bind(now - Presence.timeout)
            .all { $0.int("id") }
        for other in gone { try endLeases(of: other, at: now) }
    }

    /// Has no lease end for a while, as nobody was heard of: whoever holds one may live and know answers.
    private func guardLeases(at now: Timestamp) throws {
        let end = now + Presence.guardTime
        for table in Self.leasedTables {
            try prepare("UPDATE \(table) SET lease_until = ? WHERE lease_holder IS NOT NULL AND lease_until < ?")
                .bind(end, end)
                .run()
        }
        try prepare("UPDATE processes SET seen_at = ?").bind(end - Presence.timeout).run()
    }

    /// Ends the leases of a process that is gone; reads all that waits, which is seldom needed.
    private func endLeases(of process: Int64, at now: Timestamp) throws {
        for table in Self.leasedTables {
            try prepare("UPDATE \(table) SET lease_until = ? WHERE lease_process = ? AND lease_until > ?")
                .bind(now, process, now)
                .run()
        }
        try wakeLeasedQueues(of: process)
        for table in ["breakers", "processes"] {
            let column = table == "breakers" ? "process" : "id"
            try prepare("DELETE FROM \(table) WHERE \(column) = ?").bind(process).run()
        }
    }

    fileprivate func write(_ breakers: [SharedBreaker], of process: Int64) throws {
        try prepare("DELETE FROM breakers WHERE process = ?").bind(process).run()
        for breaker in breakers {
            let queue = breaker.queue
            try prepare(
                """
                INSERT INTO breakers (process, app_id, platform, environment, until, openings, reason)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
            )
            .bind(
                process,
                queue.app,
                queue.platform.code,
                queue.environment.code,
                breaker.until,
                breaker.openings,
                breaker.reason
            )
            .run()
        }
    }

    fileprivate func breakers(exceptOf process: Int64) throws -> [SharedBreaker] {
        try prepare(
            """
            SELECT app_id, platform, environment, until, openings, reason FROM breakers
            WHERE process <> ? ORDER BY app_id, platform, environment, until
            """
        )
        .bind(process)
        .all { row in
            SharedBreaker(
                queue: try DeliveryQueue(row),
                until: row.time("until"),
                openings: row.count("openings"),
                reason: row.optionalText("reason")
            )
        }
    }
}
