public import MartletCore
import MartletWire

extension Store {
    /// Makes an application with an app of its own and its credential, or finds the one that has the name already and
    /// leaves it as it is.
    public func createPlatformApplication(
        _ draft: PlatformApplicationDraft
    ) async throws -> CreatedPlatformApplication {
        try await writeConfiguration { transaction in
            if let known = try transaction.platformApplication(draft.name) {
                return CreatedPlatformApplication(application: known, isNew: false)
            }
            let name = try draft.name.appName { name in
                try transaction.prepare("SELECT 1 FROM apps WHERE name = ?").bind(name).exists()
            }
            let app = try transaction.insertApp(draft.appID, name: name, identity: Identity())
            let kind = draft.name.kind
            let row: RowID<PlatformApplication> = try transaction.prepare(
                """
                INSERT INTO platform_applications
                    (app_id, platform, environment, kind, region, name, is_enabled, attributes, sealed, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                RETURNING id
                """
            )
            .bind(
                app.row,
                kind.platform.code,
                kind.environment.code,
                kind.rawValue,
                draft.name.region,
                draft.name.name,
                draft.isEnabled,
                try encodedJSON(draft.attributes),
                draft.sealed,
                transaction.now
            )
            .one { $0.row("id") }
            let application = try transaction.platformApplication(row)
            if let credential = draft.credential { try transaction.storeCredential(application.queue, credential) }
            return CreatedPlatformApplication(application: application, isNew: true)
        }
    }

    /// Applications by age.
    public func platformApplications(
        _ selection: PlatformApplicationSelection,
        _ page: PageRequest
    ) async throws -> Page<PlatformApplication> {
        switch selection {
        case .name(let name): Page(one: try await find(name))
        case .queue(let queue): Page(one: try await find(queue))
        case .region(let region, let isHome): try await list(region: region, isHome: isHome, page)
        }
    }

    /// Finds an application through the index of names, or by its app's.
    private func find(_ name: PlatformApplicationName) async throws -> PlatformApplication? {
        try await known(name, in: knownApplications) { try $0.platformApplication(name) }
    }

    /// Finds a queue's application through a unique index.
    private func find(_ queue: DeliveryQueue) async throws -> PlatformApplication? {
        let known = try await known(queue, in: queueApplications) { transaction in
            .some(
                try transaction.prepare(
                    "\(PlatformApplication.select) p.app_id = ? AND p.platform = ? AND p.environment = ?"
                )
                .bind(queue.app, queue.platform.code, queue.environment.code)
                .first(PlatformApplication.init)
            )
        }
        return known ?? nil
    }

    /// Lists applications by their keys, without those whose name another has in this region.
    private func list(
        region: String,
        isHome: Bool,
        _ page: PageRequest
    ) async throws -> Page<PlatformApplication> {
        try await read { transaction in
            let rows = try transaction.prepare(
                """
                \(PlatformApplication.select) p.id > ?1 AND (
                    p.region = ?2 OR p.region IS NULL AND ?3 = 1 AND NOT EXISTS (
                        SELECT 1 FROM platform_applications o
                        WHERE o.region = ?2 AND o.kind = p.kind AND o.name = a.name
                    )
                )
                ORDER BY p.id LIMIT ?4
                """
            )
            .bind(page.after ?? 0, region, isHome, page.count + 1)
            .all(PlatformApplication.init)
            return Page(rows, page) { $0.row.rawValue }
        }
    }

    /// Writes what `update` names; says what the application is afterwards.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    public func updatePlatformApplication(
        _ row: RowID<PlatformApplication>,
        _ update: PlatformApplicationUpdate
    ) async throws -> PlatformApplication {
        try await writeConfiguration { transaction in
            var changed = try transaction.platformApplication(row)
            changed.isEnabled = update.isEnabled ?? changed.isEnabled
            changed.attributes = changed.attributes.updated(by: update.attributes)
            changed.sealed = update.sealed ?? changed.sealed
            try transaction.prepare(
                "UPDATE platform_applications SET is_enabled = ?, attributes = ?, sealed = ? WHERE id = ?"
            )
            .bind(changed.isEnabled, try encodedJSON(changed.attributes), changed.sealed, row)
            .run()
            if let credential = update.credential { try transaction.storeCredential(changed.queue, credential) }
            return changed
        }
    }

    /// Deletes an application with its credential and its endpoints; says whether there was one. The app goes too when it
    /// was made for it and has nothing else: no other application or credential, no keys, users or topics.
    public func deletePlatformApplication(_ row: RowID<PlatformApplication>) async throws -> Bool {
        var part = EndpointPart()
        while true {
            let step = try await writeConfiguration { [part] transaction -> DeletionStep in
                guard let known = try transaction.findPlatformApplication(row) else { return .over(wasThere: false) }
                let isAlone = try transaction.isAlone(known)
                if !isAlone, let next = try transaction.removeEndpoints(of: known, part, limit: Self.endpointPart) {
                    return .goesOn(next)
                }
                try transaction.prepare("DELETE FROM platform_applications WHERE id = ?").bind(row).run()
                try transaction.deleteCredential(known.queue)
                if isAlone { try transaction.hide(known.app) }
                return .over(wasThere: true)
            }
            switch step {
            case .goesOn(let next): part = next
            case .over(let wasThere):
                if wasThere { try await deleteHiddenRows() }
                return wasThere
            }
        }
    }

    /// How many of an app's endpoints are looked at for one part of a deletion. Ours: what holds the writer for some
    /// tens of milliseconds when all of them are removed.
    private static let endpointPart = 1_000

    private enum DeletionStep: Sendable {
        case goesOn(EndpointPart)
        case over(wasThere: Bool)
    }
}

extension Transaction {
    /// An application that there must be.
    ///
    /// - Throws: `Failure` with `notFound`.
    func platformApplication(_ row: RowID<PlatformApplication>) throws -> PlatformApplication {
        guard let found = try findPlatformApplication(row) else { throw Failure.notFound("platform application") }
        return found
    }

    /// An application by its name, or `nil`.
    func platformApplication(_ name: PlatformApplicationName) throws -> PlatformApplication? {
        let named = try prepare("\(PlatformApplication.select) p.region = ? AND p.kind = ? AND p.name = ?")
            .bind(name.region, name.kind.rawValue, name.name)
            .first(PlatformApplication.init)
        guard named == nil, name.isHome else { return named }
        return try prepare("\(PlatformApplication.select) a.name = ? AND p.kind = ? AND p.name IS NULL")
            .bind(name.name, name.kind.rawValue)
            .first(PlatformApplication.init)
    }

    /// Makes a queue with a credential an application, unless it is one.
    func makePlatformApplication(of queue: DeliveryQueue) throws {
        guard let kind = PlatformApplication.Kind(queue) else { return }
        try prepare(
            """
            INSERT INTO platform_applications
                (app_id, platform, environment, kind, is_enabled, attributes, created_at)
            VALUES (?, ?, ?, ?, 1, '{}', ?)
            ON CONFLICT (app_id, platform, environment) DO NOTHING
            """
        )
        .bind(queue.app, queue.platform.code, queue.environment.code, kind.rawValue, now)
        .run()
    }

    /// Forgets what was an application only because its queue had a credential.
    func forgetPlatformApplication(of queue: DeliveryQueue) throws {
        try prepare(
            """
            DELETE FROM platform_applications
            WHERE app_id = ? AND platform = ? AND environment = ? AND region IS NULL
            """
        )
        .bind(queue.app, queue.platform.code, queue.environment.code)
        .run()
    }

    fileprivate func findPlatformApplication(_ row: RowID<PlatformApplication>) throws -> PlatformApplication? {
        try prepare("\(PlatformApplication.select) p.id = ?").bind(row).first(PlatformApplication.init)
    }

    /// Whether an application's app was made for it and was used for nothing else since.
    fileprivate func isAlone(_ application: PlatformApplication) throws -> Bool {
        guard application.region != nil else { return false }
        let queue = application.queue
        let others = [
            "platform_applications WHERE app_id = ?1 AND (platform, environment) <> (?2, ?3)",
            "credentials WHERE app_id = ?1 AND (platform, environment) <> (?2, ?3)",
            "api_keys WHERE app_id = ?1", "users WHERE app_id = ?1",
            "topics WHERE app_id = ?1 AND deleted_at IS NULL",
        ]
        return try !prepare(others.map { "SELECT 1 FROM \($0)" }.joined(separator: " UNION ALL "))
            .bind(queue.app, queue.platform.code, queue.environment.code)
            .exists()
    }
}

extension PlatformApplication {
    /// What ``init(_:)`` reads, up to the condition.
    fileprivate static let select = """
        SELECT p.id, p.app_id, a.public_id AS app_public_id, p.kind, p.region, coalesce(p.name, a.name) AS name,
            p.is_enabled, p.attributes, p.sealed, p.created_at
        FROM platform_applications p JOIN apps a ON a.id = p.app_id AND a.deleted_at IS NULL WHERE
        """

    fileprivate init(_ row: Row) throws {
        guard let kind = Kind(rawValue: row.text("kind")) else { throw Row.damage("a platform application") }
        self.init(
            row: row.row("id"),
            app: row.row("app_id"),
            appID: try row.publicID("app_public_id"),
            kind: kind,
            region: row.optionalText("region"),
            name: row.text("name"),
            isEnabled: row.flag("is_enabled"),
            attributes: try row.json("attributes"),
            sealed: row.isNull("sealed") ? nil : row.bytes("sealed"),
            createdAt: row.time("created_at")
        )
    }
}

extension Store {
    /// The application of a name, or `nil`.
    public func platformApplication(_ name: PlatformApplicationName) async throws -> PlatformApplication? {
        try await platformApplications(.name(name), PageRequest(count: 1)).items.first
    }

    /// The application of a queue, or `nil`.
    public func platformApplication(of queue: DeliveryQueue) async throws -> PlatformApplication? {
        try await platformApplications(.queue(queue), PageRequest(count: 1)).items.first
    }
}
