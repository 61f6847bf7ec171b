public import MartletCore
public import MartletWire

extension SQLStore {
    /// Stores a key by its hash, which is unique.
    public func createKey(
        app: RowID<App>?,
        scope: APIKey.Scope,
        name: String,
        prefix: String,
        hash: SecretHash
    ) async throws -> APIKey {
        try await writeConfiguration { transaction in
            if let app, try transaction.app(.row(app)) == nil { throw Failure.notFound("app") }
            let id = transaction.makeID()
            let row: RowID<APIKey> = try transaction.prepare(
                """
                INSERT INTO api_keys (public_id, app_id, scope, name, prefix, hash, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                RETURNING id
                """
            )
            .bind(id, app, scope.code, name, prefix, hash, transaction.now)
            .one { $0.row("id") }
            return APIKey(
                row: row,
                id: id,
                app: app,
                scope: scope,
                name: name,
                prefix: prefix,
                createdAt: transaction.now,
                revokedAt: nil
            )
        }
    }

    /// Finds a key by its hash, through the unique index.
    public func key(hash: SecretHash) async throws -> APIKey? {
        try await known(hash, in: knownKeys) { transaction in
            try transaction.prepare("SELECT \(APIKey.columns) FROM api_keys WHERE hash = ? AND revoked_at IS NULL")
                .bind(hash)
                .first(APIKey.init)
        }
    }

    /// Finds a key by its id outside.
    public func key(_ id: PublicID) async throws -> APIKey? {
        try await read { transaction in
            try transaction.prepare("SELECT \(APIKey.columns) FROM api_keys WHERE public_id = ?")
                .bind(id)
                .first(APIKey.init)
        }
    }

    /// Lists keys by their rows, which grow with time.
    public func keys(app: RowID<App>?, _ page: PageRequest) async throws -> Page<APIKey> {
        try await read { transaction in
            let select = "SELECT \(APIKey.columns) FROM api_keys WHERE id > ?"
            let order = "ORDER BY id LIMIT ?"
            let rows = try transaction.all(select, of: app, "app_id", order, from: page.after ?? 0, page, APIKey.init)
            return Page(rows, page) { $0.row.rawValue }
        }
    }

    /// Sets the time of revocation, once, after a look at the other keys.
    public func revokeKey(_ id: PublicID, evenIfLast: Bool) async throws -> Bool {
        try await writeConfiguration { transaction in
            if !evenIfLast, try transaction.isLastAdminKey(id) {
                throw Failure(
                    .conflict,
                    "This is the last admin key for all apps: without it nobody can administer the server.",
                    hint: "Make another one first, or revoke it with force=true (martlet keys revoke --force)."
                )
            }
            return try transaction.prepare(
                "UPDATE api_keys SET revoked_at = ? WHERE public_id = ? AND revoked_at IS NULL"
            )
            .bind(transaction.now, id)
            .run() > 0
        }
    }
}

extension Transaction {
    /// Whether a key is the only one in force that may do everything on every app.
    fileprivate func isLastAdminKey(_ id: PublicID) throws -> Bool {
        let inForce = "SELECT 1 FROM api_keys WHERE app_id IS NULL AND scope = 1 AND revoked_at IS NULL AND public_id"
        guard try prepare("\(inForce) = ?").bind(id).exists() else { return false }
        return try !prepare("\(inForce) <> ?").bind(id).exists()
    }
}

extension APIKey {
    fileprivate static let columns = "id, public_id, app_id, scope, name, prefix, created_at, revoked_at"

    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            id: try row.publicID("public_id"),
            app: row.optionalRow("app_id"),
            scope: try row.code("scope"),
            name: row.text("name"),
            prefix: row.text("prefix"),
            createdAt: row.time("created_at"),
            revokedAt: row.optionalTime("revoked_at")
        )
    }
}
