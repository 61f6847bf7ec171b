public import MartletCore
import MartletWire

extension Store {
    /// Endpoints by age.
    public func endpoints(_ selection: EndpointSelection, _ page: PageRequest) async throws -> Page<Endpoint> {
        try await read { transaction in
            switch selection {
            case .one(let selector, let app): Page(one: try transaction.endpoint(app, selector))
            case .app(let app, let user, let isEnabled):
                try transaction.endpoints(app, user: user, isEnabled: isEnabled, page)
            case .onePlatform(let id, let application): Page(one: try transaction.endpoint(of: application, id))
            case .platform(let application): try transaction.endpoints(of: application, page)
            }
        }
    }

    /// Writes what `update` names, all in one write; says what each endpoint is afterwards, or `nil` where there was none.
    /// The subscriptions of one that is removed stay.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` at `token` when that is another endpoint's; nothing is changed then.
    public func updateEndpoints(_ targets: [EndpointTarget], _ update: EndpointUpdate) async throws -> [Endpoint?] {
        try await write { transaction in
            try targets.map { target in
                try transaction.endpoints(target).map { try transaction.update($0, target, update) }.first
            }
        }
    }
}

extension EndpointTarget {
    /// The environment that a token is for, where the target says it.
    fileprivate var environment: Environment? {
        switch self {
        case .row, .id, .installation: nil
        case .platform(_, let application): application.kind.environment
        }
    }
}

extension Transaction {
    fileprivate func endpoint(_ app: RowID<App>, _ selector: EndpointSelector) throws -> Endpoint? {
        let select = "SELECT \(Endpoint.columns) FROM \(Endpoint.tables) WHERE e.app_id = ? AND "
        return switch selector {
        case .row(let row): try prepare(select + "e.id = ?").bind(app, row).first(Endpoint.init)
        case .id(let id): try prepare(select + "e.public_id = ?").bind(app, id).first(Endpoint.init)
        case .token(let platform, let token):
            try prepare(select + "e.platform = ? AND e.token = ?").bind(app, platform.code, token)
                .first(Endpoint.init)
        case .installation(let id): try endpoints(EndpointTarget.installation(id, of: app)).first
        }
    }

    fileprivate func endpoints(_ target: EndpointTarget) throws -> [Endpoint] {
        switch target {
        case .row(let row): try endpoint(row).map { [$0] } ?? []
        case .id(let id, let app): try endpoint(app, .id(id)).flatMap { $0.isThere ? [$0] : nil } ?? []
        case .platform(let id, let application): try endpoint(of: application, id).map { [$0] } ?? []
        case .installation(let id, let app):
            try prepare(
                """
                SELECT \(Endpoint.columns) FROM \(Endpoint.tables)
                WHERE e.app_id = ?1 AND e.status <> 2
                    AND e.installation_id = (SELECT id FROM installations WHERE app_id = ?1 AND public_id = ?2)
                ORDER BY e.registered_at DESC, e.id DESC
                """
            )
            .bind(app, id)
            .all(Endpoint.init)
        }
    }

    /// Writes what an update names of one endpoint.
    fileprivate func update(_ known: Endpoint, _ target: EndpointTarget, _ update: EndpointUpdate) throws -> Endpoint {
        if let token = update.token, token != known.token {
            try rebind(known, to: token, target.environment ?? known.environment)
        }
        if let status = update.status(of: known) {
            let (code, reason) = status.stored
            try prepare("UPDATE endpoints SET status = ?, status_reason = ?, status_at = ? WHERE id = ?")
                .bind(code, reason, now, known.row)
                .run()
        }
        if update.owner != .unchanged || update.device != nil { try move(known, update) }
        if let hasPush = update.pushSwitch {
            try prepare(
                """
                UPDATE endpoints SET has_push = ?1,
                    status_at = CASE WHEN status = 0 AND has_push <> ?1 THEN ?2 ELSE status_at END
                WHERE id = ?3
                """
            )
            .bind(hasPush, now, known.row).run()
        }
        if let data = update.customUserData {
            try prepare("UPDATE endpoints SET custom_user_data = ? WHERE id = ?")
                .bind(data.isEmpty ? nil : data, known.row)
                .run()
        }
        guard let changed = try endpoint(known.row) else { throw Failure.notFound("endpoint") }
        if update.owner != .unchanged { try associateEvents(of: changed, owner: update.owner) }
        return changed
    }

    fileprivate func endpoints(
        _ app: RowID<App>,
        user: String?,
        isEnabled: Bool?,
        _ page: PageRequest
    ) throws -> Page<Endpoint> {
        let all = "SELECT \(Endpoint.columns) FROM \(Endpoint.tables) WHERE e.app_id = ? AND e.status <> 2"
        let select =
            switch isEnabled {
            case nil: all
            case true?: all + " AND e.status = 0 AND e.has_push = 1"
            case false?: all + " AND (e.status <> 0 OR e.has_push = 0)"
            }
        let rest = "AND e.id > ? ORDER BY e.id LIMIT ?"
        let after = page.after ?? 0
        guard let user else {
            let rows = try prepare("\(select) \(rest)").bind(app, after, page.count + 1).all(Endpoint.init)
            return Page(rows, page) { $0.row.rawValue }
        }
        guard let owner = try self.user(user, of: app) else { return Page(items: [], next: nil) }
        let rows = try prepare("\(select) AND e.user_id = ? \(rest)").bind(app, owner, after, page.count + 1)
            .all(Endpoint.init)
        return Page(rows, page) { $0.row.rawValue }
    }

    /// Writes the owner and the device.
    func move(_ known: Endpoint, _ update: EndpointUpdate) throws {
        let owner: RowID<User>? =
            switch update.owner {
            case .unchanged: known.user?.row
            case .nobody: nil
            case .user(let id): try makeUser(id, of: known.app)
            }
        if owner != known.user?.row {
            try noteMove(of: known.row, in: known.app)
            if let former = known.user { try noteFormerDevice(known.row, of: former.row, in: known.app) }
        }
        let device = update.device?.merged(over: known.device) ?? known.device
        try prepare(
            """
            UPDATE endpoints SET user_id = ?, system = ?, model = ?, os_version = ?, app_version = ?, locale = ?, time_zone = ?,
                permission = ?
            WHERE id = ?
            """
        )
        .bind(
            owner,
            device.system?.code,
            device.model,
            device.osVersion,
            device.appVersion,
            device.locale,
            device.timeZone,
            device.permission?.code,
            known.row
        )
        .run()
    }

    /// One endpoint, or `nil`; removed ones too.
    func endpoint(_ row: RowID<Endpoint>) throws -> Endpoint? {
        try prepare(SQL.endpoint).bind(row).first(Endpoint.init)
    }

    /// The row of a user, or `nil`.
    func user(_ id: String, of app: RowID<App>) throws -> RowID<User>? {
        try prepare(SQL.user).bind(app, id).first { $0.row("id") }
    }

    /// The user of that id, made where there is none.
    func makeUser(_ id: String, of app: RowID<App>) throws -> RowID<User> {
        if let row = try user(id, of: app) { return row }
        let made: RowID<User>? = try prepare("\(SQL.addUser) RETURNING id").bind(app, id).first { $0.row("id") }
        guard let row = try made ?? user(id, of: app) else { throw Row.damage("a user that is there and is not") }
        return row
    }

    /// Marks an endpoint as gone; says whether it was there.
    @discardableResult
    func removeEndpoint(_ row: RowID<Endpoint>, reason: DisableReason) throws -> Bool {
        try prepare(
            "UPDATE endpoints SET status = 2, status_reason = ?, status_at = ? WHERE id = ? AND status <> 2"
        )
        .bind(reason.rawValue, now, row)
        .changes() > 0
    }
}

extension Endpoint.Status {
    /// The two columns that hold it.
    var stored: (code: Int64, reason: String?) {
        switch self {
        case .enabled: (Candidate.Status.enabled.code, nil)
        case .disabled(let reason): (Candidate.Status.disabled.code, reason.rawValue)
        case .removed(let reason): (Candidate.Status.removed.code, reason.rawValue)
        }
    }

    init(code: Candidate.Status, reason: String) {
        switch code {
        case .enabled: self = .enabled
        case .disabled: self = .disabled(DisableReason(rawValue: reason))
        case .removed: self = .removed(DisableReason(rawValue: reason))
        }
    }
}

extension Endpoint {
    static let columns = """
        e.id, e.public_id, e.app_id, e.platform, e.token, e.environment, i.public_id AS installation_public_id,
        u.id AS user_id, u.external_id, e.status, e.status_reason, e.system, e.model, e.os_version, e.app_version, e.locale,
        e.time_zone, e.created_at, e.registered_at, e.custom_user_data, e.permission, e.has_push
        """

    static let tables = """
        endpoints e LEFT JOIN users u ON u.id = e.user_id LEFT JOIN installations i ON i.id = e.installation_id
        """

    init(_ row: Row) throws {
        let app: RowID<App> = row.row("app_id")
        let user: RowID<User>? = row.optionalRow("user_id")
        self.init(
            row: row.row("id"),
            id: try row.publicID("public_id"),
            app: app,
            platform: try row.code("platform"),
            token: row.text("token"),
            environment: try row.optionalCode("environment"),
            installation: try row.optionalPublicID("installation_public_id"),
            user: user.flatMap { user in row.optionalText("external_id").map { User(row: user, app: app, id: $0) } },
            status: Status(code: try row.code("status"), reason: row.text("status_reason")),
            device: DeviceInfo(
                system: try row.optionalCode("system"),
                model: row.optionalText("model"),
                osVersion: row.optionalText("os_version"),
                appVersion: row.optionalText("app_version"),
                locale: row.optionalText("locale"),
                timeZone: row.optionalText("time_zone"),
                permission: try row.optionalCode("permission")
            ),
            createdAt: row.time("created_at"),
            registeredAt: row.time("registered_at"),
            customUserData: row.optionalText("custom_user_data"),
            hasPush: row.flag("has_push")
        )
    }
}
