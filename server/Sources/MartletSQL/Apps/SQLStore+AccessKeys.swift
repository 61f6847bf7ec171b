public import MartletCore
import MartletWire

extension SQLStore {
    /// Stores an access key, whose id is unique.
    public func createAccessKey(
        id: String,
        sealed: [UInt8],
        name: String,
        permissions: [AccessPermission]?
    ) async throws -> StoredAccessKey {
        try await writeConfiguration { transaction in
            let row: RowID<StoredAccessKey> = try transaction.prepare(
                """
                INSERT INTO access_keys (access_key, sealed, name, created_at, allowed) VALUES (?, ?, ?, ?, ?)
                RETURNING id
                """
            )
            .bind(id, sealed, name, transaction.now, try permissions.map { try encodedJSON($0.map(\.text)) })
            .one { $0.row("id") }
            return StoredAccessKey(
                row: row,
                id: id,
                sealed: sealed,
                name: name,
                createdAt: transaction.now,
                revokedAt: nil,
                permissions: permissions
            )
        }
    }

    /// Finds an access key by its id, through the unique index.
    public func accessKey(_ id: String) async throws -> StoredAccessKey? {
        try await known(id, in: knownAccessKeys) { transaction in
            try transaction.prepare(
                "SELECT \(StoredAccessKey.columns) FROM access_keys WHERE access_key = ? AND revoked_at IS NULL"
            )
            .bind(id)
            .first(StoredAccessKey.init)
        }
    }

    /// Lists access keys by their rows, which grow with time.
    public func accessKeys(_ page: PageRequest) async throws -> Page<StoredAccessKey> {
        try await read { transaction in
            let rows = try transaction.prepare(
                "SELECT \(StoredAccessKey.columns) FROM access_keys WHERE id > ? ORDER BY id LIMIT ?"
            )
            .bind(page.after ?? 0, page.count + 1)
            .all(StoredAccessKey.init)
            return Page(rows, page) { $0.row.rawValue }
        }
    }

    /// Sets the time of revocation, once, and leaves nothing of the secret.
    public func revokeAccessKey(_ id: String) async throws -> Bool {
        try await writeConfiguration { transaction in
            try transaction.prepare(
                "UPDATE access_keys SET revoked_at = ?, sealed = ? WHERE access_key = ? AND revoked_at IS NULL"
            )
            .bind(transaction.now, [UInt8](), id)
            .run() > 0
        }
    }
}

extension StoredAccessKey {
    fileprivate static let columns = "id, access_key, sealed, name, created_at, revoked_at, allowed"

    fileprivate init(_ row: Row) throws {
        // What cannot be read allows nothing, and is no key.
        let rules: [String]? = row.isNull("allowed") ? nil : try row.json("allowed")
        self.init(
            row: row.row("id"),
            id: row.text("access_key"),
            sealed: row.bytes("sealed"),
            name: row.text("name"),
            createdAt: row.time("created_at"),
            revokedAt: row.optionalTime("revoked_at"),
            permissions: try rules?.map { try AccessPermission($0) }
        )
    }
}
