public import MartletCore
import MartletWire

extension Store {
    /// Whom a text stands for, up to ``PersonSearch/limit``: installations and tokens first, then users by app and id.
    public func people(_ search: PersonSearch) async throws -> [PersonHit] {
        try await readLong { transaction in
            let apps = try search.app.map { [$0] } ?? transaction.prepare(SQL.searchedApps).all { $0.row("id") }
            var hits: [PersonHit] = []
            for app in apps where hits.count < PersonSearch.limit { hits += try transaction.devices(search, app) }
            for app in apps where hits.count < PersonSearch.limit {
                hits += try transaction.users(search, app, limit: PersonSearch.limit - hits.count)
            }
            return Array(hits.prefix(PersonSearch.limit))
        }
    }
}

extension Transaction {
    fileprivate func devices(_ search: PersonSearch, _ app: RowID<App>) throws -> [PersonHit] {
        var hits: [PersonHit] = []
        if let installation = search.installation {
            hits += try prepare(SQL.installationOwners).bind(app, installation, PersonSearch.limit)
                .all { try PersonHit($0, app, .installation) }
        }
        for (platform, token) in search.tokens.sorted(by: { $0.key.code < $1.key.code }) {
            hits += try prepare(SQL.tokenOwner).bind(app, platform.code, token).all { try PersonHit($0, app, .token) }
        }
        return hits
    }

    fileprivate func users(_ search: PersonSearch, _ app: RowID<App>, limit: Int) throws -> [PersonHit] {
        guard let user = search.user else { return [] }
        // No id has a greater character, so that this is behind all that begin so.
        return try prepare(SQL.usersByName).bind(app, user, user + "\u{10FFFF}", limit).all { row in
            PersonHit(app: app, user: row.text("external_id"), match: .userID)
        }
    }
}

extension PersonHit {
    fileprivate init(_ row: Row, _ app: RowID<App>, _ match: PersonMatch) throws {
        self.init(
            app: app,
            user: row.optionalText("external_id"),
            match: match,
            endpoint: try row.publicID("public_id"),
            platform: try row.code("platform")
        )
    }
}

/// What finds people by a text; a test reads the plans.
extension SQL {
    /// The apps that are looked in, the oldest.
    static let searchedApps = "SELECT id FROM apps WHERE deleted_at IS NULL ORDER BY id LIMIT 1000"

    /// The devices of an installation that are not gone: app, installation, limit.
    static let installationOwners = """
        SELECT e.public_id, e.platform, u.external_id
        FROM installations i /*+ CROSS */ JOIN endpoints e ON e.app_id = i.app_id AND e.installation_id = i.id
            LEFT JOIN users u ON u.id = e.user_id
        WHERE i.app_id = ? AND i.public_id = ? AND e.status <> 2 ORDER BY e.id LIMIT ?
        """

    /// The device with a token, also one that is gone: app, platform, token.
    static let tokenOwner = """
        SELECT e.public_id, e.platform, u.external_id FROM endpoints e LEFT JOIN users u ON u.id = e.user_id
        WHERE e.app_id = ? AND e.platform = ? AND e.token = ?
        """

    /// Users whose ids lie between two: app, from, before, limit.
    static let usersByName = """
        SELECT external_id FROM users WHERE app_id = ? AND external_id >= ? AND external_id < ?
        ORDER BY external_id LIMIT ?
        """
}
