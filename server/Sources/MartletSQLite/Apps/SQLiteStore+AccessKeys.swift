public import MartletCore
import MartletWire

extension SQLiteStore {
    /// Stores an access key, whose id is unique.
    public func createAccessKey(
        id: String,
        sealed: [UInt8],
        name: String,
        permissions: [AccessPermission]?
    ) async throws -> StoredAccessKey {
        try await writeConfiguration { transaction in
            try transaction.prepare(
                "INSERT INTO access_keys (access_key, sealed, name, created_at, allowed) VALUES (?, ?, ?, ?, ?)"
            )
            .bind(id, sealed, name, transaction.now, try permissions.map { try encodedJSON($0.map(\.text)) })
            .run()
            return StoredAccessKey(
                row: RowID(transaction.insertedRow),
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
        try await knownAccessKeys.value(id) {
            try await read { transaction in
                try transaction.prepare(
                    "SELECT \(StoredAccessKey.columns) FROM access_keys WHERE access_key = ? AND revoked_at IS NULL"
                )
                .bind(id)
                .first(StoredAccessKey.init)
            }
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
                "UPDATE access_keys SET revoked_at = ?, sealed = x'' WHERE access_key = ? AND revoked_at IS NULL"
            )
            .bind(transaction.now, id)
            .run() > 0
        }
    }
}

extension StoredAccessKey {
    fileprivate static let columns = "id, access_key, sealed, name, created_at, revoked_at, allowed"

    fileprivate init(_ row: Columns) throws {
        // What cannot be read allows nothing, and is no key.
        let rules: [String]? = row.isNull(6) ? nil : try row.json(6)
        self.init(
            row: row.row(0),
            id: row.text(1),
            sealed: row.bytes(2),
            name: row.text(3),
            createdAt: row.time(4),
            revokedAt: row.optionalTime(5),
            permissions: try rules?.map { try AccessPermission($0) }
        )
    }
}
