public import MartletCore
public import MartletWire

extension Store {
    /// Makes an invitation, good for ``Invitation/lifetime``; of an operator who exists it is for a new password.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when the operator of that name has another role or is disabled, or
    ///   when there is any at all where it is for the first; naming `role` where a new one has none.
    public func createInvitation(_ draft: InvitationDraft, by actor: AuditActor) async throws -> Invitation {
        try Operator.validate(name: draft.name)
        return try await write { transaction in
            if draft.isFirst, try transaction.prepare("SELECT 1 FROM operators LIMIT 1").exists() {
                throw Failure(.conflict, "There is an operator already.")
            }
            let known = try transaction.find(.name(draft.name))
            let made = try Invitation(draft, for: known, at: transaction.now)
            if !draft.isFirst { try transaction.endInvitations(of: draft.name) }
            try transaction.insert(made, hash: draft.hash)
            try transaction.record(
                AuditDraft(
                    known == nil ? .inviteOperator : .resetPassword,
                    of: known.map { AuditSubject($0) } ?? AuditSubject("operator", made.name),
                    by: actor,
                    after: .object(["name": .string(made.name), "role": .string(made.role.rawValue)])
                )
            )
            return made
        }
    }

    /// The invitation whose token has that hash, if it can still be redeemed.
    public func invitation(_ hash: SecretHash) async throws -> Invitation? {
        try await read { transaction in
            try transaction.prepare(
                """
                SELECT name, role, operator_id, expires_at FROM operator_invitations
                WHERE hash = ? AND expires_at > ?
                """
            )
            .bind(hash, transaction.now)
            .first(Invitation.init)
        }
    }

    /// Makes the operator of an invitation, or gives the one who exists the new password and ends their sessions; ends the
    /// invitation.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when it is over or its operator disabled, with
    ///   ``ErrorCode/conflict`` when there is an operator of a new one's name by now; then nothing has changed.
    public func redeemInvitation(_ hash: SecretHash, password: PasswordHash) async throws -> Operator {
        try await write { transaction in
            let ended = try transaction.prepare(SQL.endInvitation).bind(hash, transaction.now).first(Invitation.init)
            guard let ended else { throw Failure.invitationIsOver }
            if let row = ended.existing { return try transaction.setPassword(password, of: row) }
            let made = try transaction.makeOperator(of: ended, password: password)
            try transaction.record(
                AuditDraft(.createOperator, of: AuditSubject(made), by: made.actor, after: made.audited)
            )
            return made
        }
    }

    /// Operators by age.
    public func operators(_ selection: OperatorSelection, _ page: PageRequest) async throws -> Page<Operator> {
        try await read { transaction in
            switch selection {
            case .one(let selector): Page(one: try transaction.find(selector))
            case .all:
                Page(
                    try transaction.prepare(SQL.operators).bind(page.after ?? 0, page.count + 1).all(Operator.init),
                    page
                ) { $0.row.rawValue }
            }
        }
    }

    /// Changes an operator. A new password and being disabled end their sessions and their links for a new password.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``, and with ``ErrorCode/conflict`` where no admin would be left.
    public func updateOperator(_ id: PublicID, _ change: OperatorChange, by actor: AuditActor) async throws -> Operator
    {
        try await write { transaction in
            guard let known = try transaction.find(.id(id)) else { throw Failure.notFound("operator") }
            let changed = change.applied(to: known, at: transaction.now)
            guard changed != known else { return known }
            if known.isActiveAdmin, !changed.isActiveAdmin, try transaction.isLastAdmin(known) {
                throw Failure(
                    .conflict,
                    "This is the last admin: without one nobody can administer the console.",
                    hint: "Make another operator an admin first."
                )
            }
            try transaction.update(changed)
            let hasNewPassword = changed.password != known.password
            if changed.disabledAt != nil {
                try transaction.endSessions(of: known.row, but: nil)
            } else if hasNewPassword {
                try transaction.endSessions(of: known.row, but: change.keptSession)
            }
            if changed.disabledAt != nil || hasNewPassword { try transaction.endInvitations(of: known.name) }
            try transaction.record(changed, before: known.audited, hasNewPassword: hasNewPassword, by: actor)
            return changed
        }
    }
}

extension Transaction {
    /// Deletes sessions, invitations and reviews that ended before a moment; says how many rows that were.
    func purgeSessions(before: Timestamp, limit: Int) throws -> Int {
        var count = try prepare(SQL.purgeSessions).bind(before, limit).changes()
        guard count < limit else { return count }
        count += try prepare(SQL.purgeInvitations).bind(before, limit - count).changes()
        guard count < limit else { return count }
        return try count + prepare(SQL.purgeReviews).bind(before - SendReview.lifetime, limit - count).changes()
    }

    fileprivate func insert(_ invitation: Invitation, hash: SecretHash) throws {
        try prepare(
            """
            INSERT INTO operator_invitations (hash, name, name_key, role, operator_id, created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        )
        .bind(
            hash,
            invitation.name,
            Operator.key(of: invitation.name),
            invitation.role.code,
            invitation.existing,
            now,
            invitation.expiresAt
        )
        .run()
    }

    fileprivate func endInvitations(of name: String) throws {
        try prepare("DELETE FROM operator_invitations WHERE name_key = ?").bind(Operator.key(of: name)).run()
    }

    /// Gives an operator who can sign in a new password, which ends their sessions.
    fileprivate func setPassword(_ password: PasswordHash, of row: RowID<Operator>) throws -> Operator {
        let changed = try prepare(
            """
            UPDATE operators SET password = ? WHERE id = ? AND disabled_at IS NULL
            RETURNING id, public_id, name, role, password, created_at, disabled_at
            """
        )
        .bind(password.text, row)
        .first(Operator.init)
        guard let changed else { throw Failure.invitationIsOver }
        try endSessions(of: row, but: nil)
        try endInvitations(of: changed.name)
        try record(changed, before: changed.audited, hasNewPassword: true, by: changed.actor)
        return changed
    }

    fileprivate static func nameIsTaken(_ name: String) -> Failure {
        Failure(.conflict, "There is an operator '\(name)' already.", field: "name")
    }

    fileprivate func find(_ selector: OperatorSelector) throws -> Operator? {
        switch selector {
        case .id(let id): try prepare(SQL.operatorByID).bind(id).first(Operator.init)
        case .name(let name): try prepare(SQL.operatorByName).bind(Operator.key(of: name)).first(Operator.init)
        }
    }

    fileprivate func makeOperator(of invitation: Invitation, password: PasswordHash) throws -> Operator {
        let made = try prepare(
            """
            INSERT INTO operators (public_id, name, name_key, role, password, created_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (name_key) DO NOTHING
            RETURNING id, public_id, name, role, password, created_at, disabled_at
            """
        )
        .bind(
            makeID(),
            invitation.name,
            Operator.key(of: invitation.name),
            invitation.role.code,
            password.text,
            now
        )
        .first(Operator.init)
        guard let made else { throw Transaction.nameIsTaken(invitation.name) }
        return made
    }

    fileprivate func update(_ changed: Operator) throws {
        try prepare("UPDATE operators SET role = ?, password = ?, disabled_at = ? WHERE id = ?")
            .bind(changed.role.code, changed.password.text, changed.disabledAt, changed.row)
            .run()
    }

    /// That a password is another one is said, and neither of them.
    fileprivate func record(
        _ changed: Operator,
        before: JSONValue,
        hasNewPassword: Bool,
        by actor: AuditActor
    ) throws {
        var after = changed.audited
        if hasNewPassword, case .object(var members) = after {
            members["has_new_password"] = .bool(true)
            after = .object(members)
        }
        try record(
            AuditDraft(.updateOperator, of: AuditSubject(changed), by: actor, before: before, after: after)
        )
    }

    /// Whether nobody else can sign in who may do everything.
    fileprivate func isLastAdmin(_ known: Operator) throws -> Bool {
        try !prepare("SELECT 1 FROM operators WHERE role = ? AND disabled_at IS NULL AND id <> ?")
            .bind(OperatorRole.admin.code, known.row)
            .exists()
    }
}

extension Store {
    /// One operator, or `nil`.
    public func `operator`(_ selector: OperatorSelector) async throws -> Operator? {
        try await operators(.one(selector), PageRequest(count: 1)).items.first
    }
}

extension Store {
    /// The session of a secret, or `nil`.
    package func session(_ secret: SessionSecret) async throws -> OperatorSession? {
        try await sessions(.one(secret.hash), PageRequest(count: 1)).items.first
    }
}
