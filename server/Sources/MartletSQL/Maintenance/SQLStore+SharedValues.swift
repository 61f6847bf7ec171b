public import MartletCore

extension SQLStore {
    /// Finds a value by its name; writes where there is none, or it is the one that was seen.
    public func sharedValue(_ name: String, proposing proposal: SharedValue.Proposal?) async throws -> SharedValue? {
        guard let proposal else { return try await read { try $0.sharedValue(name) } }
        let value = proposal.value
        return try await write { transaction in
            let written = try transaction.prepare(
                """
                INSERT INTO shared_values (name, made_at, sealed) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET made_at = excluded.made_at, sealed = excluded.sealed
                WHERE shared_values.made_at = ?
                """
            )
            .bind(name, value.madeAt, value.sealed, proposal.seen)
            .run()
            return written > 0 ? value : try transaction.sharedValue(name)
        }
    }
}

extension Transaction {
    fileprivate func sharedValue(_ name: String) throws -> SharedValue? {
        try prepare("SELECT sealed, made_at FROM shared_values WHERE name = ?").bind(name)
            .first { SharedValue(sealed: $0.bytes("sealed"), madeAt: $0.time("made_at")) }
    }
}
