public import MartletCore
public import MartletWire

extension Store {
    /// How many registrations are one write. Ours: one takes some 50 µs, so that other writes wait for a dozen
    /// milliseconds at most.
    private static let registrationsPerWrite = 250

    /// Registers tokens in their order: what changes is decided by ``RegistrationPlan`` and
    /// ``Installation/admit(_:existing:holdsToken:isAnotherToken:)``. One that is refused has written nothing and keeps no
    /// other from being registered. When this throws, those at the beginning may be registered; registering again is
    /// harmless.
    ///
    /// - Returns: the outcome of each, by position; `Failure` with ``ErrorCode/installationSecretRequired``, or with
    ///   ``ErrorCode/notFound`` when the app is gone.
    public func register(_ registrations: [Registration]) async throws -> [Result<Registered, Failure>] {
        var outcomes: [Result<Registered, Failure>] = []
        outcomes.reserveCapacity(registrations.count)
        for start in stride(from: 0, to: registrations.count, by: Store.registrationsPerWrite) {
            let end = min(start + Store.registrationsPerWrite, registrations.count)
            outcomes += try await registerTogether(Array(registrations[start..<end]))
        }
        return outcomes
    }

    /// Registers in one write. A refusal takes back all that was written, and the others are written again without the
    /// refused one: the store refuses few, because what can be seen without it was refused before.
    private func registerTogether(_ registrations: [Registration]) async throws -> [Result<Registered, Failure>] {
        var refused: [Int: Failure] = [:]
        while refused.count < registrations.count {
            do {
                let questions: CommitQueue.Questions = { transaction, turn in
                    for registration in registrations { try transaction.ask(for: registration, turn: turn) }
                }
                return try await write(questions: questions) { [refused] in
                    try $0.register(registrations, except: refused)
                }
            } catch let refusal as RefusedRegistration {
                refused[refusal.position] = refusal.failure
            }
        }
        return registrations.indices.compactMap { refused[$0].map(Result.failure) }
    }

    /// Whether this is the installation's secret; remembers that it was presented.
    public func confirmInstallation(_ app: RowID<App>, _ id: PublicID, secret: SecretHash) async throws -> Bool {
        guard let known = try await read({ try $0.installation(id, of: app) }), secret.matches(known.secret) else {
            return false
        }
        if !known.isSecretConfirmed { try await write { try $0.confirmSecret(known.row, secret) } }
        return true
    }
}

/// One of several registrations that are written together was refused.
private struct RefusedRegistration: Error {
    var position: Int
    var failure: Failure
}

extension [Registration] {
    /// Their positions but for those that are refused, in their order, in runs of which all is read before anything is
    /// written: none changes what another one reads. One of an installation, or with a former token, is by itself.
    fileprivate func runs(except refused: [Int: Failure]) -> [[Int]] {
        var runs: [[Int]] = []
        var tokens: Set<RegisteredToken> = []
        var isOpen = false
        for (position, registration) in enumerated() where refused[position] == nil {
            if isOpen, registration.isPlain, tokens.insert(RegisteredToken(registration)).inserted {
                runs[runs.count - 1].append(position)
            } else {
                runs.append([position])
                tokens = [RegisteredToken(registration)]
                isOpen = registration.isPlain
            }
        }
        return runs
    }
}

/// What only one endpoint has.
private struct RegisteredToken: Hashable {
    var app: RowID<App>
    var platform: Platform
    var token: String

    init(_ registration: Registration) {
        (app, platform, token) = (registration.app, registration.platform, registration.token)
    }
}

extension Registration {
    /// Whether it touches nothing but its token's endpoint and its user.
    fileprivate var isPlain: Bool { installation == nil && previousToken == nil && deviceLimit == nil }
}

/// A registration with what was read for it.
private struct PlannedRegistration {
    var position: Int
    var registration: Registration
    var byToken: RegistrationPlan.Known?
    var installation: RowID<Installation>?
    var isSecretIssued: Bool
    var plan: RegistrationPlan
    /// What the target was.
    var before: RegistrationPlan.Known?
}

extension Transaction {
    /// Asks what a registration of its token and its user will read. Users who are not there are made, as it would.
    fileprivate func ask(for registration: Registration, turn: Int) throws {
        guard registration.isPlain else { return }
        let app = registration.app
        if turn == 0 {
            try prepare(SQL.hasApp).bind(app).ask()
            try prepare(SQL.endpointOfToken).bind(app, registration.platform.code, registration.token, true).ask()
            if let identity = EventIdentity(token: registration.token, of: registration.platform) {
                try ask(forSubjectOf: identity, in: app)
            }
        }
        guard case .user(let id) = registration.owner else { return }
        let user = try prepare(SQL.user).bind(app, id)
        if turn == 1, try !user.exists() { try addUser(id, of: app) }
        try prepare(SQL.user).bind(app, id).ask()
    }

    fileprivate func register(
        _ registrations: [Registration],
        except refused: [Int: Failure]
    ) throws -> [Result<Registered, Failure>] {
        var outcomes = refused.mapValues { Result<Registered, Failure>.failure($0) }
        var known: Set<RowID<App>> = []
        for run in registrations.runs(except: refused) {
            let planned = try run.map { position in
                let registration = registrations[position]
                return try refusing(position) {
                    if known.insert(registration.app).inserted, try app(.row(registration.app)) == nil {
                        throw Failure.notFound("app")
                    }
                    return try plan(registration, at: position)
                }
            }
            for (position, registered) in try carryOut(planned) { outcomes[position] = .success(registered) }
        }
        return registrations.indices.compactMap { outcomes[$0] }
    }

    private func refusing<Value>(_ position: Int, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as Failure where failure.code != .internalError {
            throw RefusedRegistration(position: position, failure: failure)
        }
    }

    /// Reads what a registration touches, and decides what it changes. Its user and its installation are made.
    private func plan(_ registration: Registration, at position: Int) throws -> PlannedRegistration {
        let app = registration.app
        let byToken = try known(app, registration.platform, token: registration.token)
        if registration.platform == .webpush { try byToken?.checkSubscription() }
        let (installation, devices, isSecretIssued) = try admit(registration, byToken: byToken)
        if !registration.mayTakeToken { try RegistrationPlan.checkOwner(of: byToken, installation: installation) }
        let byInstallation = devices.own
        let byPreviousToken = try registration.previousToken.flatMap {
            try known(app, registration.platform, token: $0, isRemovedToo: false)
        }
        let owner: RegistrationPlan.Owner =
            switch registration.owner {
            case .unchanged: .unchanged
            case .nobody: .nobody
            case .user(let id): .user(try makeUser(id, of: app))
            }
        let plan = RegistrationPlan(
            byToken: byToken,
            byInstallation: byInstallation,
            onOtherPlatforms: devices.others,
            byPreviousToken: byPreviousToken,
            owner: owner,
            installation: installation
        )
        let before = [byToken, byInstallation, byPreviousToken].compactMap(\.self).first { $0.row == plan.target }
        if let limit = registration.deviceLimit {
            // What it had on another platform gives its place to the new one.
            let former = devices.others.first { $0.user == plan.user } ?? before
            try checkLimit(limit, user: plan.user, before: former, app: app)
        }
        return PlannedRegistration(
            position: position,
            registration: registration,
            byToken: byToken,
            installation: installation,
            isSecretIssued: isSecretIssued,
            plan: plan,
            before: before
        )
    }

    /// Writes what was decided, and reads what is there then.
    private func carryOut(_ planned: [PlannedRegistration]) throws -> [(Int, Registered)] {
        var keys = try connection.newKeys(of: "endpoints", planned.count { $0.plan.target == nil })[...]
        let rows = try planned.map { one in
            let row = try refusing(one.position) { try write(one, key: one.plan.target == nil ? keys.popFirst() : nil) }
            try prepare(SQL.endpoint).bind(row).ask()
            return row
        }
        _ = try connection.answerAsked()
        return try zip(planned, rows).map { one, row in
            try refusing(one.position) {
                guard let endpoint = try endpoint(row) else { throw Failure.notFound("endpoint") }
                try associateEvents(of: endpoint, owner: one.registration.owner)
                let isNew = one.plan.target == nil
                return (one.position, Registered(endpoint: endpoint, isNew: isNew, isSecretIssued: one.isSecretIssued))
            }
        }
    }

    private func write(_ planned: PlannedRegistration, key: Int64?) throws -> RowID<Endpoint> {
        let (registration, plan) = (planned.registration, planned.plan)
        let app = registration.app
        // Replaced endpoints keep their tokens. The target's new token is free, because the endpoint that holds a token
        // is always the target.
        for row in plan.replaced { try removeEndpoint(row, reason: .replaced) }
        let row =
            if let target = plan.target {
                try overwrite(target, with: registration, user: plan.user, installation: planned.installation)
            } else {
                try insert(registration, user: plan.user, installation: planned.installation, key: key)
            }
        if plan.staysOff { try prepare("UPDATE endpoints SET has_push = 0 WHERE id = ?").bind(row).run() }
        if let before = planned.before {
            // An audience is read by user or by token.
            if before.user != plan.user || before.row != planned.byToken?.row { try noteMove(of: row, in: app) }
            if let former = before.user, former != plan.user { try noteFormerDevice(row, of: former, in: app) }
        }
        return row
    }

    /// Refuses a device that a user gets beyond their limit: a new one, or one that was somebody else's.
    private func checkLimit(_ limit: Int, user: RowID<User>?, before: RegistrationPlan.Known?, app: RowID<App>) throws {
        guard let user, before?.user != user else { return }
        let count = try prepare(
            "SELECT id FROM endpoints WHERE app_id = ? AND user_id = ? AND status <> 2 ORDER BY id LIMIT ?"
        )
        .bind(app, user, limit).all { _ in () }.count
        guard count >= limit else { return }
        var failure = Failure(
            .tooManyRequests,
            "This user has \(limit) devices, the maximum.",
            hint: "Remove one that is no longer used.",
            field: "user_id"
        )
        failure.retryAfter = .seconds(3600)
        throw failure
    }

    /// An installation's endpoints.
    private struct InstallationEndpoints {
        /// The one on the platform that is registered; the newest, should a token have moved there.
        var own: RegistrationPlan.Known?
        /// Those of other platforms, the newest first.
        var others: [RegistrationPlan.Known] = []
    }

    /// Who the calling installation is, and its endpoints; a new one is made.
    private func admit(
        _ registration: Registration,
        byToken: RegistrationPlan.Known?
    ) throws -> (installation: RowID<Installation>?, endpoints: InstallationEndpoints, isSecretIssued: Bool) {
        guard let claim = registration.installation else { return (nil, InstallationEndpoints(), false) }
        let existing = try installation(claim.id, of: registration.app)
        let own = try existing.map { try endpoints(of: $0.row, registration) } ?? InstallationEndpoints()
        let present = own.own ?? own.others.first
        let isAnotherToken = present != nil && present?.row != byToken?.row
        let admission = try Installation.admit(
            claim,
            existing: existing,
            // A token that it had before another platform's is not its own any more.
            holdsToken: existing != nil && byToken?.installation == existing?.row
                && (own.own != nil || !isAnotherToken),
            isAnotherToken: isAnotherToken
        )
        switch (admission, existing) {
        case (.known, let existing?):
            if !existing.isSecretConfirmed { try confirmSecret(existing.row, existing.secret) }
            return (existing.row, own, false)
        case (.rotated, let existing?):
            try prepare(
                "UPDATE installations SET secret = ?, previous_secret = ?, is_secret_confirmed = 0 WHERE id = ?"
            )
            .bind(claim.issued, existing.secret, existing.row).run()
            return (existing.row, own, true)
        case (.reissued, let existing?):
            try prepare("UPDATE installations SET secret = ? WHERE id = ?").bind(claim.issued, existing.row).run()
            return (existing.row, own, true)
        case (.new, _), (_, nil):
            let made: RowID<Installation> = try prepare(
                """
                INSERT INTO installations (app_id, public_id, secret, is_secret_confirmed, created_at)
                VALUES (?, ?, ?, 0, ?)
                RETURNING id
                """
            )
            .bind(registration.app, claim.id, claim.issued, now)
            .one { $0.row("id") }
            return (made, InstallationEndpoints(), true)
        }
    }

    fileprivate func installation(_ id: PublicID, of app: RowID<App>) throws -> Installation? {
        try prepare(
            """
            SELECT id, secret, previous_secret, is_secret_confirmed FROM installations
            WHERE app_id = ? AND public_id = ?
            """
        )
        .bind(app, id)
        .first { row in
            Installation(
                row: row.row("id"),
                id: id,
                secret: row.hash("secret"),
                previousSecret: row.optionalHash("previous_secret"),
                isSecretConfirmed: row.flag("is_secret_confirmed")
            )
        }
    }

    /// Remembers that the secret was presented, unless another one is in force by now.
    fileprivate func confirmSecret(_ row: RowID<Installation>, _ secret: SecretHash) throws {
        try prepare("UPDATE installations SET is_secret_confirmed = 1 WHERE id = ? AND secret = ?")
            .bind(row, secret).run()
    }

    /// The endpoint that holds a token. A removed one counts unless said otherwise: it comes back with its token.
    private func known(
        _ app: RowID<App>,
        _ platform: Platform,
        token: String,
        isRemovedToo: Bool = true
    ) throws -> RegistrationPlan.Known? {
        try prepare(SQL.endpointOfToken).bind(app, platform.code, token, isRemovedToo).first(
            RegistrationPlan.Known.init
        )
    }

    /// The endpoints of an installation: its newest on the platform that is registered, and those of other platforms.
    private func endpoints(
        of installation: RowID<Installation>,
        _ registration: Registration
    ) throws -> InstallationEndpoints {
        let known = try prepare(
            """
            SELECT \(RegistrationPlan.Known.columns), platform FROM endpoints
            WHERE app_id = ? AND installation_id = ? AND status <> 2
            ORDER BY registered_at DESC, id DESC
            """
        )
        .bind(registration.app, installation)
        .all { (platform: $0.int("platform"), endpoint: try RegistrationPlan.Known($0)) }
        let code = registration.platform.code
        return InstallationEndpoints(
            own: known.first { $0.platform == code }?.endpoint,
            others: known.filter { $0.platform != code }.map { $0.endpoint }
        )
    }

    /// Writes a registration over an endpoint. What the caller does not know stays: installation, device, and, as long
    /// as the token is the same, the environment; that of a new token has to be learned.
    private func overwrite(
        _ row: RowID<Endpoint>,
        with registration: Registration,
        user: RowID<User>?,
        installation: RowID<Installation>?
    ) throws -> RowID<Endpoint> {
        let device = registration.device
        try prepare(
            """
            UPDATE endpoints SET token = ?1,
                environment = coalesce(?2, CASE WHEN token = ?1 THEN environment ELSE NULL END), user_id = ?3,
                installation_id = coalesce(?4, installation_id), status = 0, status_reason = NULL,
                status_at = CASE WHEN status = 0 THEN status_at ELSE ?5 END,
                registered_at = ?5, is_registered = 1, model = coalesce(?6, model),
                os_version = coalesce(?7, os_version), app_version = coalesce(?8, app_version),
                locale = coalesce(?9, locale), time_zone = coalesce(?10, time_zone),
                permission = coalesce(?11, permission), system = coalesce(?13, system), subscription = ?14,
                subscription_keys = NULL, vapid_key_id = NULL
            WHERE id = ?12
            """
        )
        .bind(
            registration.token,
            registration.environment?.code,
            user,
            installation,
            now,
            device.model,
            device.osVersion,
            device.appVersion,
            device.locale,
            device.timeZone,
            device.permission?.code,
            row,
            device.system?.code,
            registration.subscription?.bytes
        )
        .run()
        return row
    }

    private func insert(
        _ registration: Registration,
        user: RowID<User>?,
        installation: RowID<Installation>?,
        key: Int64?
    ) throws -> RowID<Endpoint> {
        let device = registration.device
        let insert = try prepare(key == nil ? SQL.addEndpoint : SQL.addEndpointWithKey)
            .bind(
                registration.app,
                user,
                Candidate.Status.enabled.code,
                registration.platform.code,
                registration.environment?.code,
                registration.token,
                makeID(),
                installation,
                now,
                now,
                now,
                true,
                device.model,
                device.osVersion,
                device.appVersion,
                device.locale,
                device.timeZone,
                device.permission?.code,
                device.system?.code,
                registration.subscription?.bytes
            )
        guard let key else { return try insert.one { $0.row("id") } }
        insert.set(21, key)
        try insert.run()
        return RowID(key)
    }

    /// The endpoint of a token, made anonymous where there is none.
    func makeEndpoint(_ app: RowID<App>, _ platform: Platform, token: String) throws {
        try prepare(
            """
            INSERT INTO endpoints (app_id, status, platform, token, public_id, status_at, created_at, registered_at,
                is_registered)
            VALUES (?, 0, ?, ?, ?, ?, ?, ?, 0)
            ON CONFLICT (app_id, platform, token) DO NOTHING
            """
        )
        .bind(app, platform.code, token, makeID(), now, now, now)
        .run()
    }
}

extension SQL {
    /// The endpoint that holds a token: app, platform, token, whether one that is removed counts.
    fileprivate static let endpointOfToken = """
        SELECT \(RegistrationPlan.Known.columns) FROM endpoints
        WHERE app_id = ? AND platform = ? AND token = ? AND (status <> 2 OR ? = 1)
        """

    private static let endpointColumns = """
        app_id, user_id, status, platform, environment, token, public_id, installation_id, status_at, created_at,
        registered_at, is_registered, model, os_version, app_version, locale, time_zone, permission, system, subscription
        """

    /// An endpoint that is new, by its columns; its key is drawn as it is written.
    fileprivate static let addEndpoint = """
        INSERT INTO endpoints (\(endpointColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        RETURNING id
        """

    /// The same with a key that was drawn before, last.
    fileprivate static let addEndpointWithKey = """
        INSERT INTO endpoints (\(endpointColumns), id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}

extension StoredSubscription {
    /// What the column holds.
    fileprivate var bytes: [UInt8]? { if case .sealed(let bytes) = self { bytes } else { nil } }
}

extension RegistrationPlan.Known {
    fileprivate static let columns = "id, installation_id, user_id, status, status_reason, has_push"

    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            installation: row.optionalRow("installation_id"),
            user: row.optionalRow("user_id"),
            status: Endpoint.Status(code: try row.code("status"), reason: row.text("status_reason")),
            hasPush: row.flag("has_push")
        )
    }
}

extension Store {
    /// Registers one token.
    ///
    /// - Throws: the `Failure` of the one.
    public func register(_ registration: Registration) async throws -> Registered {
        guard let outcome = try await register([registration]).first else { throw Failure.notFound("endpoint") }
        return try outcome.get()
    }

    /// One endpoint of an app, or `nil`; removed ones too.
    public func endpoint(_ app: RowID<App>, _ selector: EndpointSelector) async throws -> Endpoint? {
        try await endpoints(.one(selector, of: app), PageRequest(count: 1)).items.first
    }

    /// An app's endpoints; those of one user, or all.
    public func endpoints(
        _ app: RowID<App>,
        user: String?,
        isEnabled: Bool? = nil,
        _ page: PageRequest
    ) async throws -> Page<Endpoint> {
        try await endpoints(.app(app, user: user, isEnabled: isEnabled), page)
    }

    /// One endpoint of a platform application, or `nil`.
    public func platformEndpoint(_ application: PlatformApplication, _ id: PublicID) async throws -> Endpoint? {
        try await endpoints(.onePlatform(id, of: application), PageRequest(count: 1)).items.first
    }

    /// A platform application's endpoints.
    public func platformEndpoints(
        _ application: PlatformApplication,
        _ page: PageRequest
    ) async throws -> Page<Endpoint> {
        try await endpoints(.platform(application), page)
    }

    /// Changes one.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``, and as ``updateEndpoints(_:_:)`` does.
    public func updateEndpoint(_ target: EndpointTarget, _ update: EndpointUpdate) async throws -> Endpoint {
        guard let changed = try await updateEndpoints([target], update).first ?? nil else {
            throw Failure.notFound("endpoint")
        }
        return changed
    }

    /// Changes the endpoint of a row.
    public func updateEndpoint(_ row: RowID<Endpoint>, _ update: EndpointUpdate) async throws -> Endpoint {
        try await updateEndpoint(.row(row), update)
    }

    /// Removes an endpoint of a platform application; says which it was, or `nil` when there was none.
    public func removePlatformEndpoint(_ application: PlatformApplication, _ id: PublicID) async throws -> Endpoint? {
        do {
            let removed = EndpointUpdate(status: .removed(.byRequest))
            return try await updateEndpoint(.platform(id, of: application), removed)
        } catch let failure as Failure where failure.code == .notFound {
            return nil
        }
    }
}
