import MartletCore

extension Transaction {
    /// Takes a duty that nobody has, for a time; says whether it is the caller's now. A process whose clock was ahead
    /// cannot keep it for longer.
    package func takeDuty(_ name: String, holder: Int64, for duration: Duration) throws -> Bool {
        try prepare(
            """
            INSERT INTO duties (name, holder, term, until) VALUES (?1, ?2, 1, ?3)
            ON CONFLICT (name) DO UPDATE
            SET holder = excluded.holder, term = duties.term + 1, until = excluded.until
            WHERE duties.until <= ?4 OR duties.until > ?3
            RETURNING term
            """
        )
        .bind(name, holder, now + duration, now)
        .exists()
    }

    /// Leaves a duty to whoever takes it next, unless another process has it by now.
    package func giveBackDuty(_ name: String, holder: Int64) throws {
        try prepare("UPDATE duties SET until = ? WHERE name = ? AND holder = ?").bind(now, name, holder).run()
    }
}
