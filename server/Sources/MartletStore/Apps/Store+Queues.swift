public import MartletCore
import MartletWire

extension Store {
    /// Puts a credential in place of the queue's present one, under a new row, and ends the queue's pause; without a
    /// draft deletes the present one.
    public func setCredential(
        _ queue: DeliveryQueue,
        _ draft: StoredCredentialDraft?
    ) async throws -> CredentialChange {
        try await writeConfiguration { transaction in
            guard let draft else {
                try transaction.forgetPlatformApplication(of: queue)
                return .deleted(wasThere: try transaction.deleteCredential(queue))
            }
            guard try transaction.app(.row(queue.app)) != nil else { throw Failure.notFound("app") }
            try transaction.makePlatformApplication(of: queue)
            return .stored(try transaction.storeCredential(queue, draft))
        }
    }

    /// An app's credentials.
    public func credentials(_ app: RowID<App>) async throws -> [Credential] {
        try await known(app, in: knownCredentials) { try $0.credentials(of: app) } ?? []
    }

    /// The queues that are paused.
    public func pauses(_ selection: PauseSelection) async throws -> [Pause] {
        try await read { transaction in
            let select = "SELECT \(Pause.columns) FROM pauses p"
            let order = "ORDER BY p.app_id, p.platform, p.environment"
            return switch selection {
            case .all: try transaction.prepare("\(select) \(order)").all(Pause.init)
            case .app(let app):
                try transaction.prepare("\(select) WHERE p.app_id = ? \(order)").bind(app).all(Pause.init)
            case .holding(let notification): try transaction.pauses(holding: notification)
            }
        }
    }

    /// Ends a pause; says whether there was one.
    public func resume(_ queue: DeliveryQueue) async throws -> Bool {
        try await write { try $0.endPause(queue) }
    }
}

extension Transaction {
    /// Puts a credential in place of the queue's, and lets the queue go on.
    @discardableResult
    func storeCredential(_ queue: DeliveryQueue, _ draft: StoredCredentialDraft) throws -> Credential {
        try deleteCredential(queue)
        let summary = draft.summary
        let row: RowID<Credential> = try prepare(
            """
            INSERT INTO credentials
                (app_id, platform, environment, kind, topic, key_id, team_id, certificate_expires_at, url,
                is_url_of_operator, trust, created_at, sealed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            RETURNING id
            """
        )
        .bind(
            queue.app,
            queue.platform.code,
            queue.environment.code,
            summary.kind.code,
            summary.topic,
            summary.keyID,
            summary.teamID,
            summary.expiresAt,
            draft.url,
            draft.isURLOfOperator,
            draft.trust,
            now,
            draft.sealed
        )
        .one { $0.row("id") }
        for shared in queue.sharingCredential { try endPause(shared) }
        guard let stored = try credentials(of: queue.app).first(where: { $0.row == row }) else {
            throw Failure.notFound("credential")
        }
        return stored
    }

    /// An app's credentials, sealed.
    func credentials(of app: RowID<App>) throws -> [Credential] {
        try prepare(
            """
            SELECT c.id, c.app_id, c.platform, c.environment, c.kind, c.topic, c.key_id, c.team_id,
                c.certificate_expires_at, c.sealed, c.url, c.trust, c.created_at,
                coalesce(p.is_enabled, 1) AS is_enabled, c.is_url_of_operator
            FROM credentials c LEFT JOIN platform_applications p
                ON p.app_id = c.app_id AND p.platform = c.platform AND p.environment = c.environment
            WHERE c.app_id = ? ORDER BY c.platform, c.environment
            """
        )
        .bind(app)
        .all(Credential.init)
        .map { credential in
            var credential = credential
            credential.topics = try topics(of: credential.row)
            return credential
        }
    }

    private func topics(of credential: RowID<Credential>) throws -> [String: CredentialTopic.Standing] {
        let rows = try prepare("SELECT topic, standing FROM credential_topics WHERE credential_id = ?")
            .bind(credential)
            .all { (topic: $0.text("topic"), standing: CredentialTopic.Standing(rawValue: $0.count("standing"))) }
        return rows.reduce(into: [:]) { $0[$1.topic] = $1.standing }
    }

    /// Notes what the provider has said of a topic; an acceptance stays. A credential that was replaced meanwhile is
    /// gone.
    func note(_ topic: CredentialTopic) throws {
        try prepare(
            """
            INSERT INTO credential_topics (credential_id, topic, standing, noted_at)
            SELECT id, ?2, ?3, ?4 FROM credentials WHERE id = ?1
            ON CONFLICT (credential_id, topic) DO UPDATE
                SET standing = excluded.standing, noted_at = excluded.noted_at
                WHERE excluded.standing > credential_topics.standing
            """
        )
        .bind(topic.credential, topic.name, topic.standing.map { Int64($0.rawValue) }, now)
        .run()
    }

    /// Looks for batches of the notification in each queue of its app that stands still.
    fileprivate func pauses(holding notification: RowID<Notification>) throws -> [Pause] {
        try prepare(
            """
            SELECT \(Pause.columns)
            FROM notifications n JOIN pauses p ON p.app_id = n.app_id
            WHERE n.id = ?1 AND EXISTS (
                SELECT 1 FROM batches b
                WHERE b.notification_id = ?1 AND b.platform = p.platform AND b.environment = p.environment
            )
            ORDER BY p.platform, p.environment
            """
        )
        .bind(notification)
        .all(Pause.init)
    }

    /// Whether a queue stands still.
    func isPaused(_ queue: DeliveryQueue) throws -> Bool {
        try prepare(SQL.isPaused)
            .bind(queue.app, queue.platform.code, queue.environment.code).exists()
    }

    /// Pauses a queue, unless it is paused already, its credential was stored after the push was made or is not the one that
    /// the push was made with, or that one is gone: then the answer is not about what is there.
    func pause(_ pause: Pause, pushedAt: Timestamp) throws {
        let queue = pause.queue
        try prepare(
            """
            INSERT INTO pauses (app_id, platform, environment, reason, advice, since)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6
            WHERE NOT EXISTS (
                SELECT 1 FROM credentials
                WHERE app_id = ?1 AND platform = ?2 AND environment = ?8 AND (created_at > ?7 OR id <> ?9)
            ) AND (?9 IS NULL OR EXISTS (SELECT 1 FROM credentials WHERE id = ?9))
            ON CONFLICT (app_id, platform, environment) DO NOTHING
            """
        )
        .bind(
            queue.app,
            queue.platform.code,
            queue.environment.code,
            pause.reason,
            pause.advice,
            pause.since,
            pushedAt,
            queue.ofCredential.environment.code,
            pause.credential
        )
        .run()
    }

    @discardableResult
    fileprivate func endPause(_ queue: DeliveryQueue) throws -> Bool {
        try prepare("DELETE FROM pauses WHERE app_id = ? AND platform = ? AND environment = ?")
            .bind(queue.app, queue.platform.code, queue.environment.code).changes() > 0
    }

    @discardableResult
    func deleteCredential(_ queue: DeliveryQueue) throws -> Bool {
        try prepare("DELETE FROM credentials WHERE app_id = ? AND platform = ? AND environment = ?")
            .bind(queue.app, queue.platform.code, queue.environment.code).changes() > 0
    }
}

extension DeliveryQueue {
    /// A queue from its three columns.
    init(_ row: Row) throws {
        self.init(app: row.row("app_id"), platform: try row.code("platform"), environment: try row.code("environment"))
    }
}

extension Pause {
    fileprivate static let columns = "p.app_id, p.platform, p.environment, p.reason, p.advice, p.since"

    fileprivate init(_ row: Row) throws {
        self.init(
            queue: try DeliveryQueue(row),
            reason: row.text("reason"),
            advice: row.text("advice"),
            since: row.time("since")
        )
    }
}

extension Credential {
    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            app: row.row("app_id"),
            platform: try row.code("platform"),
            environment: try row.code("environment"),
            summary: CredentialSummary(
                kind: try row.code("kind"),
                topic: row.text("topic"),
                keyID: row.optionalText("key_id"),
                teamID: row.optionalText("team_id"),
                expiresAt: row.optionalTime("certificate_expires_at")
            ),
            sealed: row.bytes("sealed"),
            url: row.optionalText("url"),
            isURLOfOperator: row.flag("is_url_of_operator"),
            trust: row.optionalText("trust"),
            createdAt: row.time("created_at"),
            isEnabled: row.flag("is_enabled")
        )
    }
}

extension Store {
    /// Stores a credential in place of the queue's present one.
    public func storeCredential(_ queue: DeliveryQueue, _ draft: StoredCredentialDraft) async throws -> Credential {
        guard case .stored(let credential) = try await setCredential(queue, draft) else {
            preconditionFailure("The store deleted a credential that it was to store.")
        }
        return credential
    }

    /// Deletes a queue's credential; says whether there was one.
    public func deleteCredential(_ queue: DeliveryQueue) async throws -> Bool {
        try await setCredential(queue, nil) == .deleted(wasThere: true)
    }

    /// The queues that are paused; of one app, or all.
    public func pauses(_ app: RowID<App>?) async throws -> [Pause] {
        try await pauses(app.map(PauseSelection.app) ?? .all)
    }
}
