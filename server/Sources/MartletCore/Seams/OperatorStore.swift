public import MartletWire

/// Who uses the console. Each change is in the audit log with it.
public protocol OperatorStore: Sendable {
    /// Makes an invitation, good for ``Invitation/lifetime``; of an operator who exists it is for a new password.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when the operator of that name has another role or is disabled, or
    ///   when there is any at all where it is for the first; naming `role` where a new one has none.
    func createInvitation(_ draft: InvitationDraft, by actor: AuditActor) async throws -> Invitation

    /// The invitation whose token has that hash, if it can still be redeemed.
    func invitation(_ hash: SecretHash) async throws -> Invitation?

    /// Makes the operator of an invitation, or gives the one who exists the new password and ends their sessions; ends the
    /// invitation.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when it is over or its operator disabled, with
    ///   ``ErrorCode/conflict`` when there is an operator of a new one's name by now; then nothing has changed.
    func redeemInvitation(_ hash: SecretHash, password: PasswordHash) async throws -> Operator

    /// Operators by age.
    func operators(_ selection: OperatorSelection, _ page: PageRequest) async throws -> Page<Operator>

    /// Changes an operator. A new password and being disabled end their sessions and their links for a new password.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``, and with ``ErrorCode/conflict`` where no admin would be left.
    func updateOperator(_ id: PublicID, _ change: OperatorChange, by actor: AuditActor) async throws -> Operator
}

extension OperatorStore {
    /// One operator, or `nil`.
    public func `operator`(_ selector: OperatorSelector) async throws -> Operator? {
        try await operators(.one(selector), PageRequest(count: 1)).items.first
    }
}

/// Which operators are asked for.
public enum OperatorSelection: Sendable, Hashable {
    case one(OperatorSelector)
    case all
}

/// How an operator is found.
public enum OperatorSelector: Sendable, Hashable {
    /// By their id outside.
    case id(PublicID)
    /// By their name, however it is written.
    case name(String)
}

/// Who is signed in.
public protocol OperatorSessionStore: Sendable {
    /// Makes a session, and knows its browser and its address from then on; of an operator who has
    /// ``OperatorSession/limit`` already the oldest ends.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` when the operator was disabled, or has another password by now.
    func createSession(_ draft: SessionDraft) async throws -> OperatorSession

    /// The browsers in which an operator has signed in, with the address of the last time, and the addresses from where.
    func browsers(of owner: RowID<Operator>) async throws -> [KnownBrowser]

    /// Sessions that have not ended, by age.
    func sessions(_ selection: SessionSelection, _ page: PageRequest) async throws -> Page<OperatorSession>

    /// Writes that a session is used now, at most once in ``OperatorSession/noteInterval``.
    func noteUse(of session: OperatorSession) async throws

    /// Ends sessions; says how many there were.
    func endSessions(_ ending: SessionEnding, by actor: AuditActor) async throws -> Int
}

extension OperatorSessionStore {
    /// The session of a secret, or `nil`.
    package func session(_ secret: SessionSecret) async throws -> OperatorSession? {
        try await sessions(.one(secret.hash), PageRequest(count: 1)).items.first
    }
}

/// Which sessions are asked for.
public enum SessionSelection: Sendable, Hashable {
    /// By the hash of its secret.
    case one(SecretHash)
    case of(RowID<Operator>)
    case all
}

/// Which sessions end.
public enum SessionEnding: Sendable, Hashable {
    /// One, by its id outside; where an operator is named only if it is theirs.
    case one(PublicID, of: RowID<Operator>?)
    /// All of an operator's, but the one that is named.
    case all(of: RowID<Operator>, but: RowID<OperatorSession>?)
}

/// What operators have written, as they review it before it is sent.
public protocol SendReviewStore: Sendable {
    /// Keeps a form for ``SendReview/lifetime``; of more than ``SendReview/limit`` of an operator the oldest goes.
    ///
    /// - Returns: its id outside.
    func createReview(_ form: String, of owner: RowID<Operator>) async throws -> PublicID

    /// The form of an operator's own review, or `nil`.
    func review(_ id: PublicID, of owner: RowID<Operator>) async throws -> String?
}

/// A form that an operator reviews.
public enum SendReview {
    /// How long it is kept: not longer than what it sent is known by.
    package static let lifetime = IdempotencyRecord.lifetime
    /// How many an operator has at most. Ours: more than somebody has open; each may be as long as a form.
    package static let limit = 10
}
