public import MartletCore
import MartletWire

extension Store {
    /// Makes an endpoint of a platform application, or says which one has the token; one that is the same gets the
    /// draft's owner. A token whose endpoint was removed gets a new one.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when the application is gone.
    public func createPlatformEndpoint(
        _ application: PlatformApplication,
        _ draft: PlatformEndpointDraft
    ) async throws -> PlatformEndpointCreation {
        try await write { transaction in
            // It may be gone since the caller looked.
            let application = try transaction.platformApplication(application.row)
            let platform = application.kind.platform
            try transaction.freeToken(draft.token, application.app, platform)
            guard let known = try transaction.endpoint(application.app, platform, token: draft.token) else {
                return .created(try transaction.insert(draft, in: application))
            }
            guard try transaction.adopt(known, into: application) else { return .differs(known) }
            var adopted = known
            adopted.environment = application.kind.environment
            guard adopted.matches(draft) else { return .differs(adopted) }
            return .same(try transaction.give(adopted, to: draft.owner))
        }
    }
}

extension Transaction {
    /// Looks at the next of an app's endpoints, and removes those of an application.
    ///
    /// - Parameter limit: how many are looked at, so that a part of few among many is short too.
    /// - Returns: the next part; `nil` when all were looked at and none was left to remove, also not one that came into
    ///   the application behind the first look.
    func removeEndpoints(
        of application: PlatformApplication,
        _ part: EndpointPart,
        limit: Int
    ) throws -> EndpointPart? {
        let last = try prepare(SQL.lastOfNextEndpoints).bind(application.app, part.after, limit)
            .first { $0.optionalInt("last") }
        guard let last = last ?? nil else { return part.hasRemoved ? EndpointPart() : nil }
        let kind = application.kind
        let rows = try prepare(
            "SELECT e.id FROM endpoints e WHERE \(Endpoint.isOfApplication) AND e.id > ?4 AND e.id <= ?5"
        )
        .bind(application.app, kind.platform.code, kind.environment.code, part.after, last)
        .all { $0.row("id") as RowID<Endpoint> }
        for row in rows { try removeEndpoint(row, reason: .byRequest) }
        return EndpointPart(after: last, hasRemoved: part.hasRemoved || !rows.isEmpty)
    }

    /// One endpoint of an application, through its unique id.
    func endpoint(of application: PlatformApplication, _ id: PublicID) throws -> Endpoint? {
        let kind = application.kind
        return try prepare("\(Endpoint.select) \(Endpoint.isOfApplication) AND e.public_id = ?4")
            .bind(application.app, kind.platform.code, kind.environment.code, id)
            .first(Endpoint.init)
    }

    /// An application's endpoints by their keys, which grow with time.
    func endpoints(of application: PlatformApplication, _ page: PageRequest) throws -> Page<Endpoint> {
        let rows = try prepare("\(Endpoint.select) \(Endpoint.isOfApplication) AND e.id > ?4 ORDER BY e.id LIMIT ?5")
            .bind(
                application.app,
                application.kind.platform.code,
                application.kind.environment.code,
                page.after ?? 0,
                page.count + 1
            )
            .all(Endpoint.init)
        return Page(rows, page) { $0.row.rawValue }
    }

    fileprivate func endpoint(_ app: RowID<App>, _ platform: Platform, token: String) throws -> Endpoint? {
        try prepare("\(Endpoint.select) e.app_id = ? AND e.platform = ? AND e.token = ?")
            .bind(app, platform.code, token)
            .first(Endpoint.init)
    }

    /// Takes a token from an endpoint that was removed. Its row is what subscriptions and answers that are on their way
    /// mean, and whoever has the device now must not be heir to them. A space is in no token.
    fileprivate func freeToken(_ token: String, _ app: RowID<App>, _ platform: Platform) throws {
        try prepare(
            """
            UPDATE endpoints SET token = token || ' ' || id
            WHERE app_id = ? AND platform = ? AND token = ? AND status = 2
            """
        )
        .bind(app, platform.code, token)
        .run()
    }

    /// Puts an endpoint whose environment is not known, or of which there is no application, into this one; false when
    /// it is another application's.
    fileprivate func adopt(_ endpoint: Endpoint, into application: PlatformApplication) throws -> Bool {
        guard endpoint.environment != application.kind.environment else { return true }
        if let environment = endpoint.environment {
            let isTaken = try prepare(
                "SELECT 1 FROM platform_applications WHERE app_id = ? AND platform = ? AND environment = ?"
            )
            .bind(endpoint.app, endpoint.platform.code, environment.code)
            .exists()
            if isTaken { return false }
        }
        try prepare("UPDATE endpoints SET environment = ? WHERE id = ?")
            .bind(application.kind.environment.code, endpoint.row)
            .run()
        return true
    }

    /// Gives an endpoint another token, for an environment. Audiences are read by token too.
    ///
    /// - Throws: `Failure` with `conflict` when it is another endpoint's.
    func rebind(_ endpoint: Endpoint, to token: String, _ environment: Environment?) throws {
        try freeToken(token, endpoint.app, endpoint.platform)
        guard try self.endpoint(endpoint.app, endpoint.platform, token: token) == nil else {
            throw Failure(.conflict, "Another endpoint has this token.", field: "token")
        }
        try prepare("UPDATE endpoints SET token = ?, environment = ?, registered_at = ? WHERE id = ?")
            .bind(token, environment?.code, now, endpoint.row)
            .run()
        try noteMove(of: endpoint.row, in: endpoint.app)
    }

    /// Gives an endpoint to its owner; says what it is afterwards.
    func give(_ endpoint: Endpoint, to owner: Registration.Owner) throws -> Endpoint {
        guard !endpoint.belongs(to: owner) else { return endpoint }
        try move(endpoint, EndpointUpdate(owner: owner))
        guard let given = try self.endpoint(endpoint.row) else { throw Failure.notFound("endpoint") }
        try associateEvents(of: given, owner: owner)
        return given
    }

    /// Makes an endpoint. It counts as addressed and not as registered: no client of SNS registers its tokens
    /// again and again, so they do not grow stale, and the provider's word about them is taken.
    fileprivate func insert(_ draft: PlatformEndpointDraft, in application: PlatformApplication) throws -> Endpoint {
        let row: RowID<Endpoint> = try prepare(
            """
            INSERT INTO endpoints (app_id, status, has_push, platform, environment, token, public_id, status_at,
                created_at, registered_at, is_registered, custom_user_data)
            VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
            RETURNING id
            """
        )
        .bind(
            application.app,
            draft.isEnabled,
            application.kind.platform.code,
            application.kind.environment.code,
            draft.token,
            makeID(),
            now,
            now,
            now,
            draft.customUserData
        )
        .one { $0.row("id") }
        guard let made = try endpoint(row) else { throw Failure.notFound("endpoint") }
        return try give(made, to: draft.owner)
    }
}

extension Endpoint {
    /// Whether nothing changes with this owner.
    fileprivate func belongs(to owner: Registration.Owner) -> Bool {
        switch owner {
        case .unchanged: true
        case .nobody: user == nil
        case .user(let id): user.map { User.isSame($0.id, id) } ?? false
        }
    }

    fileprivate static let select = "SELECT \(columns) FROM \(tables) WHERE"

    /// Whether an endpoint is one of an application: app, platform, environment.
    fileprivate static let isOfApplication = """
        e.app_id = ?1 AND e.platform = ?2 AND e.status <> 2 AND coalesce(e.environment, (
            SELECT p.environment FROM platform_applications p WHERE p.app_id = e.app_id AND p.platform = e.platform
            ORDER BY p.id LIMIT 1
        )) = ?3
        """
}

/// Where the removal of an application's endpoints goes on.
struct EndpointPart: Sendable {
    /// The last endpoint that was looked at.
    var after: Int64 = 0
    /// Whether this look at the app's endpoints removed any.
    var hasRemoved = false
}

extension SQL {
    /// The last of an app's next endpoints that are not removed: app, after, limit.
    static let lastOfNextEndpoints = """
        SELECT max(id) AS last FROM (
            SELECT id FROM endpoints /*+ endpoints_app */
            WHERE app_id = ? AND id > ? AND status <> 2 ORDER BY id LIMIT ?
        ) AS part
        """
}
