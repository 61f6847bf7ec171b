public import MartletCore
import MartletWire

extension Store {
    /// Makes a session, and knows its browser and its address from then on; of an operator who has
    /// ``OperatorSession/limit`` already the oldest ends.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` when the operator was disabled, or has another password by now.
    public func createSession(_ draft: SessionDraft) async throws -> OperatorSession {
        try await write(isUrgent: true) { transaction in
            guard let made = try transaction.insert(draft) else { throw Failure.wrongPassword }
            try transaction.prepare(SQL.trimSessions).bind(draft.owner.row, OperatorSession.limit).run()
            if let browser = draft.browser { try transaction.know(browser, at: draft.address, of: draft.owner.row) }
            try transaction.record(
                AuditDraft(
                    .startSession,
                    of: AuditSubject("session", made.id.description),
                    by: draft.owner.actor,
                    after: .object(["address": .string(made.address), "user_agent": .string(made.userAgent)])
                )
            )
            return made
        }
    }

    /// The browsers in which an operator has signed in, with the address of the last time, and the addresses from where.
    public func browsers(of owner: RowID<Operator>) async throws -> [KnownBrowser] {
        try await read { transaction in
            try transaction.prepare("SELECT hash, address FROM operator_browsers WHERE operator_id = ?")
                .bind(owner)
                .all { KnownBrowser(hash: $0.hash("hash"), address: $0.text("address")) }
        }
    }

    /// Sessions that have not ended, by age.
    public func sessions(_ selection: SessionSelection, _ page: PageRequest) async throws -> Page<OperatorSession> {
        try await read { transaction in
            let (now, after, count) = (transaction.now, page.after ?? 0, page.count + 1)
            let statement =
                switch selection {
                case .one(let hash): try transaction.prepare(SQL.session).bind(hash, now)
                case .of(let owner):
                    try transaction.prepare(SQL.sessionsOfOperator).bind(owner, now, after, count)
                case .all: try transaction.prepare(SQL.allSessions).bind(now, after, count)
                }
            return Page(try statement.all(OperatorSession.init), page) { $0.row.rawValue }
        }
    }

    /// Writes that a session is used now, at most once in ``OperatorSession/noteInterval``.
    public func noteUse(of session: OperatorSession) async throws {
        try await write(isUrgent: true) { transaction in
            let now = transaction.now
            try transaction.prepare(SQL.noteSessionUse)
                .bind(
                    now,
                    OperatorSession.end(createdAt: session.createdAt, usedAt: now),
                    session.row,
                    now - OperatorSession.noteInterval
                )
                .run()
        }
    }

    /// Ends sessions; says how many there were.
    public func endSessions(_ ending: SessionEnding, by actor: AuditActor) async throws -> Int {
        try await write(isUrgent: true) { transaction in
            let count: Int
            let subject: AuditSubject
            switch ending {
            case .one(let id, let owner):
                count = try transaction.endSession(id, of: owner)
                subject = AuditSubject("session", id.description)
            case .all(let owner, let kept):
                count = try transaction.endSessions(of: owner, but: kept)
                let id = try transaction.prepare("SELECT public_id FROM operators WHERE id = ?").bind(owner)
                    .first { try $0.publicID("public_id") }
                subject = AuditSubject("operator", id?.description ?? "")
            }
            guard count > 0 else { return 0 }
            let sessions = JSONValue.object(["sessions": .integer(Int64(count))])
            try transaction.record(AuditDraft(.endSession, of: subject, by: actor, before: sessions))
            return count
        }
    }
}

extension Transaction {
    /// Ends an operator's sessions, but one; says how many there were.
    @discardableResult
    func endSessions(of owner: RowID<Operator>, but kept: RowID<OperatorSession>?) throws -> Int {
        try prepare("DELETE FROM operator_sessions WHERE operator_id = ? AND id <> ?")
            .bind(owner, kept?.rawValue ?? 0)
            .changes()
    }

    /// Remembers from where an operator has signed in.
    fileprivate func know(_ browser: SecretHash, at address: String, of owner: RowID<Operator>) throws {
        for known in [KnownBrowser(hash: browser, address: address), KnownBrowser(address: address)] {
            try prepare(
                """
                INSERT INTO operator_browsers (operator_id, hash, address, used_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (operator_id, hash) DO UPDATE SET address = excluded.address, used_at = excluded.used_at
                """
            )
            .bind(owner, known.hash, known.address, now)
            .run()
        }
        try prepare(SQL.trimBrowsers).bind(owner, owner, KnownBrowser.limit).run()
    }

    fileprivate func endSession(_ id: PublicID, of owner: RowID<Operator>?) throws -> Int {
        guard let owner else {
            return try prepare("DELETE FROM operator_sessions WHERE public_id = ?").bind(id).changes()
        }
        return try prepare("DELETE FROM operator_sessions WHERE public_id = ? AND operator_id = ?")
            .bind(id, owner)
            .changes()
    }

    /// `nil` where the operator was disabled or has another password.
    fileprivate func insert(_ draft: SessionDraft) throws -> OperatorSession? {
        try prepare(
            """
            INSERT INTO operator_sessions
                (public_id, operator_id, hash, address, user_agent, created_at, used_at, expires_at)
            SELECT ?1, id, ?2, ?3, ?4, ?5, ?5, ?6 FROM operators
            WHERE id = ?7 AND disabled_at IS NULL AND password = ?8
            RETURNING id, public_id
            """
        )
        .bind(
            makeID(),
            draft.hash,
            draft.address,
            draft.userAgent,
            now,
            OperatorSession.end(createdAt: now, usedAt: now),
            draft.owner.row,
            draft.owner.password.text
        )
        .first { row in
            OperatorSession(
                row: row.row("id"),
                id: try row.publicID("public_id"),
                owner: draft.owner,
                address: draft.address,
                userAgent: draft.userAgent,
                createdAt: now,
                usedAt: now
            )
        }
    }
}
