public import MartletCore
import MartletWire

extension Store {
    /// Makes an app.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when the name, or the pair of issuer and audience, is taken.
    public func createApp(name: String, identity: Identity) async throws -> App {
        try await writeConfiguration { transaction in
            try transaction.checkFree(name: name, identity: identity, except: RowID(0))
            return try transaction.insertApp(transaction.makeID(), name: name, identity: identity)
        }
    }

    /// Apps by age.
    public func apps(_ selection: AppSelection, _ page: PageRequest) async throws -> Page<App> {
        switch selection {
        case .one(let selector): Page(one: try await find(selector))
        case .all: try await list(page)
        }
    }

    /// Finds an app; one that is being deleted is not found.
    private func find(_ selector: AppSelector) async throws -> App? {
        // What a user token says is anybody's word, and of any length: it is not kept.
        if case .identity = selector { return try await read { try $0.app(selector) } }
        return try await known(selector, in: knownApps) { try $0.app(selector) }
    }

    /// Lists apps by their keys, which grow with time.
    private func list(_ page: PageRequest) async throws -> Page<App> {
        try await read { transaction in
            let rows = try transaction.prepare(
                "SELECT \(App.columns) FROM apps WHERE id > ? AND deleted_at IS NULL ORDER BY id LIMIT ?"
            )
            .bind(page.after ?? 0, page.count + 1)
            .all(App.init)
            return Page(rows, page) { $0.row.rawValue }
        }
    }

    /// Changes the name, the identity, the settings; `nil` leaves it.
    ///
    /// - Throws: `Failure` as ``createApp(name:identity:)`` does, and ``ErrorCode/notFound``.
    public func updateApp(
        _ app: RowID<App>,
        name: String?,
        identity: Identity?,
        settings: AppSettings?
    ) async throws -> App {
        try await writeConfiguration { transaction in
            guard var changed = try transaction.app(.row(app)) else { throw Failure.notFound("app") }
            changed.name = name ?? changed.name
            changed.identity = identity ?? changed.identity
            changed.settings = settings ?? changed.settings
            try transaction.checkFree(name: changed.name, identity: changed.identity, except: app)
            let (kind, verification) = changed.identity.verification.stored
            try transaction.prepare(
                """
                UPDATE apps SET name = ?, identity_mode = ?, issuer = ?, audience = ?, verification_kind = ?,
                    verification = ?, has_badge_sync = ?, sns_user_pointer = ?
                WHERE id = ?
                """
            )
            .bind(
                changed.name,
                changed.identity.mode.code,
                changed.identity.issuer,
                changed.identity.audience,
                kind,
                verification,
                changed.settings.hasBadgeSync,
                changed.settings.snsUserPointer?.text,
                app
            )
            .run()
            return changed
        }
    }
}

extension Transaction {
    /// One app, or `nil` where there is none or it is being deleted.
    func app(_ selector: AppSelector) throws -> App? {
        let select = "SELECT \(App.columns) FROM apps WHERE deleted_at IS NULL AND "
        switch selector {
        case .row(let row): return try prepare(select + "id = ?").bind(row).first(App.init)
        case .id(let id): return try prepare(select + "public_id = ?").bind(id).first(App.init)
        case .name(let name): return try prepare(select + "name = ?").bind(name).first(App.init)
        case .identity(let issuer, let audiences):
            let statement = try prepare(select + "issuer = ? AND audience = ?")
            for audience in audiences {
                if let app = try statement.bind(issuer, audience).first(App.init) { return app }
            }
            return nil
        }
    }

    /// Makes an app whose name and pair are free.
    func insertApp(_ id: PublicID, name: String, identity: Identity) throws -> App {
        let (kind, verification) = identity.verification.stored
        let row: RowID<App> = try prepare(
            """
            INSERT INTO apps
                (public_id, name, identity_mode, issuer, audience, verification_kind, verification, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            RETURNING id
            """
        )
        .bind(id, name, identity.mode.code, identity.issuer, identity.audience, kind, verification, now)
        .one { $0.row("id") }
        return App(row: row, id: id, name: name, identity: identity, createdAt: now)
    }

    fileprivate func checkFree(name: String, identity: Identity, except app: RowID<App>) throws {
        guard try !prepare("SELECT 1 FROM apps WHERE name = ? AND id <> ?").bind(name, app).exists() else {
            throw Failure(.conflict, "There is an app named '\(name)' already.", field: "name")
        }
        guard let issuer = identity.issuer, let audience = identity.audience else { return }
        let pair = try prepare("SELECT 1 FROM apps WHERE issuer = ? AND audience = ? AND id <> ?")
        guard try !pair.bind(issuer, audience, app).exists() else {
            throw Failure(
                .conflict,
                "Another app has this issuer and audience already.",
                hint: "The pair selects the app of a user token: give each app an audience of its own.",
                field: "identity.audience"
            )
        }
    }
}

extension App {
    fileprivate static let columns = """
        id, public_id, name, identity_mode, issuer, audience, verification_kind, verification, has_badge_sync,
        sns_user_pointer, created_at
        """

    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            id: try row.publicID("public_id"),
            name: row.text("name"),
            identity: Identity(
                mode: try row.code("identity_mode"),
                issuer: row.optionalText("issuer"),
                audience: row.optionalText("audience"),
                verification: try Identity.Verification(
                    kind: row.optionalInt("verification_kind"),
                    value: row.bytes("verification")
                )
            ),
            settings: AppSettings(
                hasBadgeSync: row.flag("has_badge_sync"),
                snsUserPointer: try row.optionalText("sns_user_pointer").map { text in
                    guard let pointer = JSONPointer(text) else { throw Row.damage("a JSON Pointer") }
                    return pointer
                }
            ),
            createdAt: row.time("created_at")
        )
    }
}

extension Identity.Verification {
    fileprivate init?(kind: Int64?, value: [UInt8]) throws {
        switch kind {
        case nil: return nil
        case 1: self = .secret(sealed: value)
        case 2: self = .keySet(json: String(decoding: value, as: UTF8.self))
        case 3: self = .keySetURL(String(decoding: value, as: UTF8.self))
        default: throw Row.damage("a verification")
        }
    }
}

extension Identity.Verification? {
    /// The two columns that hold it.
    fileprivate var stored: (kind: Int64?, value: [UInt8]?) {
        switch self {
        case nil: (nil, nil)
        case .secret(let sealed): (1, sealed)
        case .keySet(let json): (2, Array(json.utf8))
        case .keySetURL(let url): (3, Array(url.utf8))
        }
    }
}
