import MartletCore

extension SQL {
    private static let operatorColumns =
        "o.id, o.public_id, o.name, o.role, o.password, o.created_at, o.disabled_at"

    /// Operators by age: after, limit.
    static let operators = "SELECT \(operatorColumns) FROM operators o WHERE o.id > ? ORDER BY o.id LIMIT ?"
    /// One, by the id outside.
    static let operatorByID = "SELECT \(operatorColumns) FROM operators o WHERE o.public_id = ?"
    /// One, by the name's key.
    static let operatorByName = "SELECT \(operatorColumns) FROM operators o WHERE o.name_key = ?"

    /// Ends an invitation that is not over: hash, now.
    static let endInvitation = """
        DELETE FROM operator_invitations WHERE hash = ? AND expires_at > ?
        RETURNING name, role, operator_id, expires_at
        """
    /// Invitations that are over: before, limit.
    static let purgeInvitations = """
        DELETE FROM operator_invitations WHERE id IN (
            SELECT id FROM operator_invitations WHERE expires_at <= ? ORDER BY expires_at, id LIMIT ?
        )
        """

    private static let sessions = """
        SELECT s.id AS session_id, s.public_id AS session_public_id, s.address, s.user_agent,
            s.created_at AS session_created_at, s.used_at, \(operatorColumns)
        FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
        """
    /// The session of a hash: hash, now.
    static let session = "\(sessions) WHERE s.hash = ? AND s.expires_at > ?"
    /// An operator's sessions: operator, now, after, limit.
    static let sessionsOfOperator = """
        \(sessions) WHERE s.operator_id = ? AND s.expires_at > ? AND s.id > ? ORDER BY s.id LIMIT ?
        """
    /// All sessions: now, after, limit.
    static let allSessions = "\(sessions) WHERE s.expires_at > ? AND s.id > ? ORDER BY s.id LIMIT ?"
    /// Sessions of an operator but the newest: operator, how many stay.
    static let trimSessions = """
        DELETE FROM operator_sessions WHERE id IN (
            SELECT id FROM operator_sessions WHERE operator_id = ? ORDER BY id DESC LIMIT 1000 OFFSET ?
        )
        """
    /// Browsers of an operator but those that were used last: operator, operator, how many stay.
    static let trimBrowsers = """
        DELETE FROM operator_browsers WHERE operator_id = ? AND hash IN (
            SELECT hash FROM operator_browsers WHERE operator_id = ? ORDER BY used_at DESC, hash LIMIT 1000 OFFSET ?
        )
        """
    /// Notes that a session is used: now, its new end, session, the moment before which the last note must be.
    static let noteSessionUse = """
        UPDATE operator_sessions SET used_at = ?, expires_at = ? WHERE id = ? AND used_at <= ?
        """
    /// Sessions that are over: before, limit.
    static let purgeSessions = """
        DELETE FROM operator_sessions WHERE id IN (
            SELECT id FROM operator_sessions WHERE expires_at <= ? ORDER BY expires_at, id LIMIT ?
        )
        """
}

extension Operator {
    init(_ row: Row) throws {
        guard let password = PasswordHash(row.text("password")) else { throw Row.damage("a password's hash") }
        self.init(
            row: row.row("id"),
            id: try row.publicID("public_id"),
            name: row.text("name"),
            role: try row.code("role"),
            password: password,
            createdAt: row.time("created_at"),
            disabledAt: row.optionalTime("disabled_at")
        )
    }
}

extension Invitation {
    init(_ row: Row) throws {
        self.init(
            name: row.text("name"),
            role: try row.code("role"),
            existing: row.optionalRow("operator_id"),
            expiresAt: row.time("expires_at")
        )
    }
}

extension OperatorSession {
    init(_ row: Row) throws {
        self.init(
            row: row.row("session_id"),
            id: try row.publicID("session_public_id"),
            owner: try Operator(row),
            address: row.text("address"),
            userAgent: row.text("user_agent"),
            createdAt: row.time("session_created_at"),
            usedAt: row.time("used_at")
        )
    }
}
