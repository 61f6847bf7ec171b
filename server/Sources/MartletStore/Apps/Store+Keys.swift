public import MartletCore
public import MartletWire

extension Store {
    /// Stores a key, whose hash or access key id is new.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for an app that is gone.
    public func createKey(_ draft: KeyDraft) async throws -> StoredKey {
        try await writeConfiguration { transaction in
            switch draft {
            case .api(let app, let scope, let name, let prefix, let hash, let expiresAt):
                if let app, try transaction.app(.row(app)) == nil { throw Failure.notFound("app") }
                return .api(
                    try transaction.prepare(
                        """
                        INSERT INTO api_keys (public_id, app_id, scope, name, prefix, hash, created_at, expires_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        RETURNING \(APIKey.columns)
                        """
                    )
                    .bind(transaction.makeID(), app, scope.code, name, prefix, hash, transaction.now, expiresAt)
                    .one(APIKey.init)
                )
            case .access(let id, let sealed, let name, let permissions, let expiresAt):
                let allowed = try permissions.map { try encodedJSON($0.map(\.text)) }
                return .access(
                    try transaction.prepare(
                        """
                        INSERT INTO access_keys (access_key, sealed, name, created_at, allowed, expires_at)
                        VALUES (?, ?, ?, ?, ?, ?)
                        RETURNING \(StoredAccessKey.columns)
                        """
                    )
                    .bind(id, sealed, name, transaction.now, allowed, expiresAt)
                    .one(StoredAccessKey.init)
                )
            }
        }
    }

    /// Stores an API key for all apps, if there is no API key at all.
    ///
    /// - Returns: `nil` where there is one: of two servers that start for the first time, one makes it.
    package func createFirstKey(
        scope: KeyScope,
        name: String,
        prefix: String,
        hash: SecretHash
    ) async throws -> APIKey? {
        try await writeConfiguration {
            try $0.createFirstKey(scope: scope, name: name, prefix: prefix, hash: hash)
        }
    }

    /// Keys by age.
    public func keys(_ selection: KeySelection, _ page: PageRequest) async throws -> Page<StoredKey> {
        switch selection {
        case .one(let selector): Page(one: try await find(selector))
        case .api(let app): try await read { try $0.apiKeys(of: app, page).compactMap(StoredKey.api) }
        case .access: try await read { try $0.accessKeys(page).compactMap(StoredKey.access) }
        }
    }

    /// Looks into a unique index. What each request presents is kept in memory.
    private func find(_ selector: KeySelector) async throws -> StoredKey? {
        if case .id = selector { return try await read { try $0.key(selector) } }
        return try await known(selector, in: knownKeys) { try $0.key(selector) }
    }

    /// Revokes a key; says whether there was one in force.
    ///
    /// - Parameter evenIfLast: whether it may be the last admin key that is good for all apps.
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when it is and may not be.
    public func revokeKey(_ selector: KeySelector, evenIfLast: Bool) async throws -> Bool {
        try await writeConfiguration { transaction in
            if case .accessKey(let id) = selector { return try transaction.revokeAccessKey(id) }
            guard let key = try transaction.key(selector)?.api else { return false }
            if !evenIfLast, try transaction.isLastAdmin(key) {
                throw Failure(
                    .conflict,
                    "This is the last admin key for all apps: without it nobody can administer the server.",
                    hint: "Make another one first, or revoke it with force=true (martlet keys revoke --force)."
                )
            }
            return try transaction.prepare("UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL")
                .bind(transaction.now, key.row)
                .changes() > 0
        }
    }

    /// Writes when keys were used, where no later use is known.
    public func noteUses(_ uses: [KeyUse]) async throws {
        var (api, access): ([RowID<APIKey>: Timestamp], [RowID<StoredAccessKey>: Timestamp]) = ([:], [:])
        for use in uses {
            switch use.key {
            case .api(let row): api[row] = max(api[row] ?? use.at, use.at)
            case .access(let row): access[row] = max(access[row] ?? use.at, use.at)
            }
        }
        // In one order, so that two processes do not wait for each other.
        let keys = api.sorted { $0.key.rawValue < $1.key.rawValue }
        let accessKeys = access.sorted { $0.key.rawValue < $1.key.rawValue }
        guard !keys.isEmpty || !accessKeys.isEmpty else { return }
        try await write { transaction in
            for (row, moment) in keys {
                try transaction.prepare(SQL.noteKeyUse).bind(moment, row, moment).run()
            }
            for (row, moment) in accessKeys {
                try transaction.prepare(SQL.noteAccessKeyUse).bind(moment, row, moment).run()
            }
        }
    }
}

extension SQL {
    /// Notes that an API key was used: when, key, when.
    static let noteKeyUse = noteUse(in: "api_keys")
    /// Notes that an access key was used: when, key, when.
    static let noteAccessKeyUse = noteUse(in: "access_keys")

    private static func noteUse(in table: String) -> String {
        "UPDATE \(table) SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)"
    }
}

extension Transaction {
    /// Stores an API key, if there is none.
    func createFirstKey(scope: KeyScope, name: String, prefix: String, hash: SecretHash) throws -> APIKey? {
        try prepare(
            """
            INSERT INTO api_keys (public_id, scope, name, prefix, hash, created_at)
            SELECT ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM api_keys)
            RETURNING \(APIKey.columns)
            """
        )
        .bind(makeID(), scope.code, name, prefix, hash, now)
        .first(APIKey.init)
    }

    fileprivate func key(_ selector: KeySelector) throws -> StoredKey? {
        let select = "SELECT \(APIKey.columns) FROM api_keys"
        return switch selector {
        case .hash(let hash):
            try prepare("\(select) WHERE hash = ? AND revoked_at IS NULL").bind(hash).first(APIKey.init).map(
                StoredKey.api
            )
        case .id(let id): try prepare("\(select) WHERE public_id = ?").bind(id).first(APIKey.init).map(StoredKey.api)
        case .accessKey(let id):
            try prepare(
                "SELECT \(StoredAccessKey.columns) FROM access_keys WHERE access_key = ? AND revoked_at IS NULL"
            )
            .bind(id)
            .first(StoredAccessKey.init)
            .map(StoredKey.access)
        }
    }

    fileprivate func apiKeys(of app: RowID<App>?, _ page: PageRequest) throws -> Page<APIKey> {
        let rows = try all(
            "SELECT \(APIKey.columns) FROM api_keys WHERE id > ?",
            of: app,
            "app_id",
            "ORDER BY id LIMIT ?",
            from: page.after ?? 0,
            page,
            APIKey.init
        )
        return Page(rows, page) { $0.row.rawValue }
    }

    fileprivate func accessKeys(_ page: PageRequest) throws -> Page<StoredAccessKey> {
        let rows = try prepare(
            "SELECT \(StoredAccessKey.columns) FROM access_keys WHERE id > ? ORDER BY id LIMIT ?"
        )
        .bind(page.after ?? 0, page.count + 1)
        .all(StoredAccessKey.init)
        return Page(rows, page) { $0.row.rawValue }
    }

    /// Without a look at it: what it may do may be unreadable.
    fileprivate func revokeAccessKey(_ id: String) throws -> Bool {
        try prepare("UPDATE access_keys SET revoked_at = ?, sealed = ? WHERE access_key = ? AND revoked_at IS NULL")
            .bind(now, [UInt8](), id)
            .changes() > 0
    }

    /// Whether a key is the only one in force that may do everything on every app.
    fileprivate func isLastAdmin(_ key: APIKey) throws -> Bool {
        guard key.app == nil, key.scope == .admin, key.revokedAt == nil, !key.isExpired(at: now) else { return false }
        return try !prepare(
            """
            SELECT 1 FROM api_keys WHERE app_id IS NULL AND scope = 1 AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > ?) AND id <> ?
            """
        )
        .bind(now, key.row)
        .exists()
    }
}

extension APIKey {
    fileprivate static let columns =
        "id, public_id, app_id, scope, name, prefix, created_at, revoked_at, expires_at, last_used_at"

    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            id: try row.publicID("public_id"),
            app: row.optionalRow("app_id"),
            scope: try row.code("scope"),
            name: row.text("name"),
            prefix: row.text("prefix"),
            createdAt: row.time("created_at"),
            revokedAt: row.optionalTime("revoked_at"),
            expiresAt: row.optionalTime("expires_at"),
            lastUsedAt: row.optionalTime("last_used_at")
        )
    }
}

extension StoredAccessKey {
    fileprivate static let columns =
        "id, access_key, sealed, name, created_at, revoked_at, allowed, expires_at, last_used_at"

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
            permissions: try rules?.map { try AccessPermission($0) },
            expiresAt: row.optionalTime("expires_at"),
            lastUsedAt: row.optionalTime("last_used_at")
        )
    }
}

extension Store {
    /// One key, or `nil`.
    public func key(_ selector: KeySelector) async throws -> StoredKey? {
        try await keys(.one(selector), PageRequest(count: 1)).items.first
    }

    /// Stores an API key by its hash.
    public func createKey(
        app: RowID<App>?,
        scope: KeyScope,
        name: String,
        prefix: String,
        hash: SecretHash,
        expiresAt: Timestamp? = nil
    ) async throws -> APIKey {
        let draft = KeyDraft.api(
            app: app,
            scope: scope,
            name: name,
            prefix: prefix,
            hash: hash,
            expiresAt: expiresAt
        )
        let made = try await createKey(draft)
        guard let key = made.api else { preconditionFailure("The store made a key of another kind.") }
        return key
    }

    /// Stores an access key.
    ///
    /// - Parameter permissions: what it may do; `nil` is everything.
    public func createAccessKey(
        id: String,
        sealed: [UInt8],
        name: String,
        permissions: [AccessPermission]? = nil,
        expiresAt: Timestamp? = nil
    ) async throws -> StoredAccessKey {
        let draft = KeyDraft.access(
            id: id,
            sealed: sealed,
            name: name,
            permissions: permissions,
            expiresAt: expiresAt
        )
        let made = try await createKey(draft)
        guard let key = made.access else { preconditionFailure("The store made a key of another kind.") }
        return key
    }
}
