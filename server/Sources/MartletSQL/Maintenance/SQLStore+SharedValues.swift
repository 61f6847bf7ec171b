public import MartletCore

extension SQLStore {
    /// Finds a value by its name.
    public func sharedValue(_ name: String) async throws -> SharedValue? {
        try await read { try $0.sharedValue(name) }
    }

    /// Compares and writes in one transaction.
    public func share(
        _ value: SharedValue,
        as name: String,
        insteadOf seen: Timestamp?
    ) async throws -> SharedValue {
        try await write { transaction in
            let standing = try transaction.sharedValue(name)
            if let standing, standing.madeAt != seen { return standing }
            try transaction.prepare(
                """
                INSERT INTO shared_values (name, made_at, sealed) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET made_at = excluded.made_at, sealed = excluded.sealed
                """
            )
            .bind(name, value.madeAt, value.sealed)
            .run()
            return value
        }
    }
}

extension Transaction {
    fileprivate func sharedValue(_ name: String) throws -> SharedValue? {
        try prepare("SELECT sealed, made_at FROM shared_values WHERE name = ?").bind(name)
            .first { SharedValue(sealed: $0.bytes("sealed"), madeAt: $0.time("made_at")) }
    }
}
