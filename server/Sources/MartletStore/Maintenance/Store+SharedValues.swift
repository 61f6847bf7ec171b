public import MartletCore

extension Store {
    /// What all agree on under a name, or `nil`. A proposal is written first, if what stands there is still what the
    /// caller saw; without one nothing is.
    ///
    /// - Returns: what stands afterwards: the proposed value, or the one of somebody who was faster.
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
            .changes()
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

extension Store {
    /// The value of that name, or `nil`.
    public func sharedValue(_ name: String) async throws -> SharedValue? {
        try await sharedValue(name, proposing: nil)
    }

    /// Proposes a value.
    ///
    /// - Parameter seen: when the value was made that the caller saw; `nil` when it saw none.
    public func share(_ value: SharedValue, as name: String, insteadOf seen: Timestamp?) async throws -> SharedValue {
        try await sharedValue(name, proposing: SharedValue.Proposal(value: value, seen: seen)) ?? value
    }
}
