public import MartletCore
public import MartletStore
public import MartletWire
import Synchronization

/// How people come into the console: by an invitation, then by name and password, then by their session's secret.
public final class OperatorService: Sendable {
    private let store: Store
    private let clock: any WallClock
    private let passwords: PasswordHasher
    private let throttle = Mutex(SignInThrottle())
    private let records = Mutex(WrongPasswordRecords())

    /// A service whose counts of wrong passwords are its own: of several processes each allows ten.
    public init(
        store: Store,
        clock: any WallClock,
        passwords: PasswordHasher = PasswordHasher()
    ) {
        self.store = store
        self.clock = clock
        self.passwords = passwords
    }

    /// Where somebody signs in from.
    public struct Browser: Sendable {
        /// The address as attempts are counted by it: of IPv6 the network.
        public var address: String
        package var userAgent: String
        /// What it has kept of an earlier sign-in.
        package var secret: SessionSecret?

        public init(address: String, userAgent: String, secret: SessionSecret? = nil) {
            self.address = address
            self.userAgent = userAgent
            self.secret = secret
        }
    }

    /// A session with its secret, which only the browser keeps.
    public struct SignedIn: Sendable {
        package var session: OperatorSession
        package var secret: SessionSecret
        /// What the browser keeps when the session has ended.
        package var browser: SessionSecret
    }

    /// Signs an operator in.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` when there is no such operator with that password, and it takes as
    ///   long to say so whichever is wrong; with ``ErrorCode/tooManyRequests`` after too many wrong ones; with
    ///   ``ErrorCode/overloaded`` when too many sign in.
    public func signIn(name: String, password: String, from browser: Browser) async throws -> SignedIn {
        let known = try await store.operator(.name(name))
        return try await counted(name, known, browser) {
            let isRight = try await self.passwords.verify(password, against: known?.password)
            guard let known, isRight, known.disabledAt == nil else { throw Failure.wrongPassword }
            return try await self.begin(known, browser)
        }
    }

    /// The browser or the address where somebody has signed in to the account there before, as attempts are counted by it.
    private func place(of browser: Browser, in owner: RowID<Operator>?) async throws -> String? {
        // Asked for nobody too: it takes as long.
        let earlier = try await store.browsers(of: owner ?? RowID(0))
        if let hash = browser.secret?.hash, earlier.contains(where: { $0.hash == hash }) {
            return "browser \(Secret.base64URL(hash.bytes))"
        }
        return earlier.contains { $0.address == browser.address } ? browser.address : nil
    }

    /// The live session of a secret, whose use is noted; `nil` when there is none.
    public func session(_ secret: SessionSecret) async throws -> OperatorSession? {
        let now = clock.now()
        guard let session = try await store.session(secret), session.isLive(at: now) else { return nil }
        if session.isNoteDue(at: now) { try await store.noteUse(of: session) }
        return session
    }

    /// Ends the session that an operator signs out of.
    public func signOut(_ session: OperatorSession) async throws {
        _ = try await store.endSessions(.one(session.id, of: session.owner.row), by: session.owner.actor)
    }

    /// Invites somebody, or has an operator who exists set a new password; the token goes into a link.
    ///
    /// - Parameter role: what a new operator may do. One who exists keeps theirs: `nil`, or the same.
    /// - Throws: `Failure` as ``Store/createInvitation(_:by:)`` does.
    public func invite(_ name: String, as role: OperatorRole?, by actor: AuditActor) async throws -> NewInvitation {
        try await invite(name, role, isFirst: false, by: actor)
    }

    /// Invites the first operator, an admin; `nil` when there is one already.
    public func inviteFirst(_ name: String = "admin") async throws -> NewInvitation? {
        do {
            return try await invite(name, .admin, isFirst: true, by: .system)
        } catch let failure as Failure where failure.code == .conflict {
            return nil
        }
    }

    /// The invitation of a token, or `nil` when it was redeemed or its time is over.
    public func invitation(token: String) async throws -> Invitation? {
        try await store.invitation(SecretHash(of: token))
    }

    /// Redeems an invitation and signs the operator in. A new password ends the sessions that they had.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when it is over; naming `password` when that is none.
    public func redeem(token: String, password: String, from browser: Browser) async throws -> SignedIn {
        try PasswordHasher.validate(password)
        let hash = SecretHash(of: token)
        // No work for who guesses.
        guard try await store.invitation(hash) != nil else { throw Failure.invitationIsOver }
        let made = try await store.redeemInvitation(hash, password: try await passwords.hash(password))
        return try await begin(made, browser)
    }

    /// Changes an operator's own password and ends their other sessions.
    ///
    /// - Throws: `Failure` naming `current_password` when that is wrong, `password` when the new one is none, and as
    ///   ``signIn(name:password:from:)`` does.
    public func changePassword(
        of session: OperatorSession,
        from current: String,
        to new: String,
        in browser: Browser
    ) async throws {
        try PasswordHasher.validate(new)
        try await counted(session.owner.name, session.owner, browser) {
            guard try await self.passwords.verify(current, against: session.owner.password) else {
                throw Failure.wrongPassword
            }
        }
        var change = OperatorChange()
        change.password = try await passwords.hash(new)
        change.keptSession = session.row
        _ = try await store.updateOperator(session.owner.id, change, by: session.owner.actor)
    }

    private func invite(
        _ name: String,
        _ role: OperatorRole?,
        isFirst: Bool,
        by actor: AuditActor
    ) async throws -> NewInvitation {
        try Operator.validate(name: name)
        let token = Secret(prefix: "", bits: 128)
        let draft = InvitationDraft(name: name, role: role, hash: token.hash, isFirst: isFirst)
        return NewInvitation(invitation: try await store.createInvitation(draft, by: actor), token: token.text)
    }

    private func begin(_ owner: Operator, _ browser: Browser) async throws -> SignedIn {
        let secret = SessionSecret()
        // One that is not of an earlier sign-in of theirs may be somebody else's.
        let earlier = try await store.browsers(of: owner.row)
        let kept = browser.secret.flatMap { secret in earlier.contains { $0.hash == secret.hash } ? secret : nil }
        let own = kept ?? SessionSecret()
        let draft = SessionDraft(
            owner: owner,
            hash: secret.hash,
            address: browser.address,
            userAgent: browser.userAgent,
            browser: own.hash
        )
        return SignedIn(session: try await store.createSession(draft), secret: secret, browser: own)
    }

    /// Counts an attempt while it is made, and afterwards only if the password was wrong.
    private func counted<Value>(
        _ name: String,
        _ known: Operator?,
        _ browser: Browser,
        _ attempt: () async throws -> Value
    ) async throws -> Value {
        let (account, address, moment) = (Operator.key(of: name), browser.address, clock.now())
        let place = try await place(of: browser, in: known?.row)
        let wait = throttle.withLock { $0.begin(account: account, address: address, known: place, at: moment) }
        if let wait { throw Failure.tooManyPasswords(wait, isStranger: place == nil) }
        do {
            let value = try await attempt()
            throttle.withLock { $0.takeBack(account: account, address: address, known: place, at: moment) }
            return value
        } catch {
            if (error as? Failure)?.code == .unauthorized {
                try await recordWrongPassword(of: known, browser, at: moment)
            } else {
                throttle.withLock { $0.takeBack(account: account, address: address, known: place, at: moment) }
            }
            throw error
        }
    }

    /// Writes down that a password was wrong. A name that no operator has is left out: it may be a password in the wrong
    /// field.
    private func recordWrongPassword(of known: Operator?, _ browser: Browser, at now: Timestamp) async throws {
        guard let isLast = records.withLock({ $0.begin(at: now) }) else { return }
        var after: [String: JSONValue] = ["address": .string(browser.address)]
        after["name"] = known.map { .string($0.name) }
        if isLast { after["further"] = "not written for a quarter of an hour" }
        let subject = known.map { AuditSubject($0) } ?? AuditSubject("operator", "unknown")
        try await store.record([AuditDraft(.wrongPassword, of: subject, by: .system, after: .object(after))])
    }
}

/// How many wrong passwords go into the audit log: whoever tries very many must not fill it.
private struct WrongPasswordRecords: Sendable {
    /// Ours: ten operators who are locked out.
    static let limit = 100

    private var count = 0
    private var end = Timestamp(milliseconds: 0)

    /// Whether it is the last one for now; `nil` where it is one too many. For all names and addresses alike, so that what
    /// is written says nothing about which names there are.
    mutating func begin(at now: Timestamp) -> Bool? {
        // Also after a clock that was ahead.
        if now >= end || end - now > SignInThrottle.window { (count, end) = (0, now + SignInThrottle.window) }
        guard count < Self.limit else { return nil }
        count += 1
        return count == Self.limit
    }
}

extension Failure {
    /// - Parameter isStranger: whether it is a browser and an address from which nobody has signed in to the account.
    static func tooManyPasswords(_ wait: Duration, isStranger: Bool) -> Failure {
        let minutes = max(1, (wait.components.seconds + 59) / 60)
        let hint =
            isStranger
            ? "Try again in \(minutes) min, or now in a browser in which you have signed in before."
            : "Try again in \(minutes) min."
        var failure = Failure(.tooManyRequests, "Too many wrong passwords.", hint: hint)
        failure.retryAfter = wait
        return failure
    }
}
