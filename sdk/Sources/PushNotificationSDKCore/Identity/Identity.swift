import Foundation
package import MartletWire

/// Who this install is, and who its user is. What was read or made once stays in memory.
///
/// Before the first unlock of the device nothing can be read: then nothing is made either, and calls throw.
package final class Identity: Sendable {
    /// What is stored about the install.
    private struct Install: Codable {
        var id: PublicID
        /// What each server issued: one server's secret is not shown to another.
        var secrets: [String: String] = [:]
        /// Whom each server may take for the device's owner; files of earlier versions do not say.
        var owners: [String: [String]]?
        /// The tokens that each server was sent; files of earlier versions do not say.
        var sent: [String: Sent]?
        /// The secrets of the installs that were forgotten, by their ids, until their servers have deleted them.
        var forgotten: [String: [String: String]]?
        /// The tokens, by the ids of the installs that were left, whose registration was not answered: to delete such
        /// an install its server has to issue a secret first.
        var unanswered: [String: [String: [PushToken]]]?
        /// Whether what was kept of the last one has yet to be removed.
        var isWipeOwed: Bool?

        /// Becomes another install.
        mutating func begin(as new: PublicID) {
            let tokens = (sent ?? [:]).mapValues(\.unanswered).filter { !$0.value.isEmpty }
            if !tokens.isEmpty {
                unanswered = unanswered ?? [:]
                unanswered?[id.description] = tokens
            }
            (id, secrets, owners, sent) = (new, [:], nil, nil)
        }
    }

    /// The tokens that a server was sent for the install.
    private struct Sent: Codable, Equatable {
        /// The one that the server took last.
        var taken: PushToken?
        /// Those that were sent since and not answered, oldest first: the server may have one of them, and have issued
        /// a secret with it.
        var unanswered: [PushToken] = []

        /// The most of these that are kept. More than Apple's and Firebase's at once are rare: four are ours.
        static let bound = 4
    }

    /// Who the user was, and until when.
    private struct Past: Codable, Equatable {
        var user: String?
        var until: Int64
    }

    /// What is stored about the user, in one write.
    private struct UserRecord: Codable, Equatable {
        var user = IdentityUser.unknown
        /// Whom the app's configuration named in the last launch.
        var configured: String?
        /// The users before this one, oldest first.
        var past: [Past] = []

        /// The most users before that are kept; the oldest stands for all earlier ones. 16 is ours: more changes than the
        /// life of a notification in the notification center sees.
        static let longestPast = 16

        /// The users before, once somebody else is the user.
        func past(before next: IdentityUser, at now: Int64) -> [Past] {
            next.id == user.id ? past : (past + [Past(user: user.id, until: now)]).suffix(Self.longestPast)
        }
    }

    private struct State {
        var install: Install?
        /// Whether the install has yet to be stored.
        var isInstallUnsaved = false
        var user: IdentityUser?
        /// Whom the app's configuration names in this launch.
        var configured: String?
        /// Who the user was before; `nil` until it was read.
        var past: [Past]?
        var userToken: String?
        var token: String?
        var storedToken: String?
        /// Firebase's token; unknown until it was read, or set.
        var fcmToken: String??
        /// Whether the one that was set has yet to be stored.
        var isFCMTokenUnsaved = false
        /// Whether the install was forgotten in this launch, and nobody logged in since.
        var isForgotten = false
    }

    /// The keys of the storage.
    enum Key {
        static let install = "martlet.installation"
        static let user = "martlet.user"
        static let token = "martlet.apns-token"
        static let fcmToken = "martlet.fcm-token"
        static let queue = "martlet.queue"
    }

    private let storage: any KeyValueStore
    private let clock: any SDKClock
    private let server: String
    private let state = Locked(State())
    /// Held while the install, the user, or Firebase's token, is written.
    private let saving = NSLock()

    /// An identity over what is stored; nothing is read yet.
    ///
    /// - Parameter server: whose secret is meant, as ``SDKConfiguration/server`` says.
    package init(storage: any KeyValueStore, clock: any SDKClock, server: String = "") {
        self.server = server
        self.storage = storage
        self.clock = clock
    }

    /// The id of this install: made once, and kept for as long as the install lives.
    package func installationID() throws(StorageUnreadable) -> PublicID {
        try install().id
    }

    /// What tells this install's queue from another one's whose backup was restored here. Unlike the installation's id it
    /// stays when the server does not know the installation any more.
    package func queueID() throws(StorageUnreadable) -> String {
        if let id = try storage.string(for: Key.queue) { return id }
        let id = UUID().uuidString
        try storage.set(id, for: Key.queue)
        return id
    }

    /// The secret that this server issued to this install; `nil` before the first registration.
    package func secret() throws(StorageUnreadable) -> String? {
        try install().secrets[server]
    }

    /// Keeps that a token is about to be registered: the server's answer may be lost, and with it the secret that the
    /// server issued.
    ///
    /// - Parameter id: of which install; of one that was forgotten meanwhile nothing is kept.
    /// - Returns: whether that is new.
    func willRegister(_ token: PushToken, of id: PublicID) throws(StorageUnreadable) -> Bool {
        let sent = try install().sent?[server] ?? Sent()
        // Of the token that it took last, the server issues no other secret.
        guard !sent.unanswered.contains(token), sent != Sent(taken: token) else { return false }
        try changeSent(of: id) { $0.unanswered = ($0.unanswered + [token]).suffix(Sent.bound) }
        return true
    }

    /// Keeps that the server refused a token.
    ///
    /// - Parameter id: of which install; of one that was forgotten meanwhile nothing is kept.
    func didRefuse(_ token: PushToken, of id: PublicID) throws(StorageUnreadable) {
        try changeSent(of: id) { $0.unanswered.removeAll { $0 == token } }
    }

    private func changeSent(of id: PublicID, _ body: (inout Sent) -> Void) throws(StorageUnreadable) {
        try change { install in
            guard id == install.id else { return }
            var sent = install.sent?[server] ?? Sent()
            body(&sent)
            install.sent = install.sent ?? [:]
            install.sent?[server] = sent
        }
    }

    /// Keeps that the server took a token, and the secret that it issued with it.
    ///
    /// - Parameters:
    ///   - secret: `nil` where the server issued none, because the one that it was shown still holds.
    ///   - id: of which install; one that was forgotten meanwhile is deleted with the secret.
    package func keep(secret: String?, with token: PushToken, of id: PublicID) throws(StorageUnreadable) {
        let known = try install()
        guard secret != nil || id != known.id || known.sent?[server] != Sent(taken: token) else { return }
        try change { install in
            guard id == install.id else {
                if let secret {
                    install.forgotten = install.forgotten ?? [:]
                    install.forgotten?[id.description, default: [:]][server] = secret
                }
                drop("\(id)", from: &install.unanswered)
                return
            }
            if let secret { install.secrets[server] = secret }
            install.sent = install.sent ?? [:]
            install.sent?[server] = Sent(taken: token)
            // The token is the device: the server has it for none of the installs before any more.
            for old in (install.unanswered ?? [:]).keys {
                install.unanswered?[old]?[server]?.removeAll { $0 == token }
                if install.unanswered?[old]?[server]?.isEmpty ?? false { drop(old, from: &install.unanswered) }
            }
        }
    }

    /// Takes out what stands there of an install for this server.
    private func drop<Value>(_ id: String, from values: inout [String: [String: Value]]?) {
        values?[id]?[server] = nil
        if values?[id]?.isEmpty ?? false { values?[id] = nil }
    }

    /// Whom the server may take for the device's owner: whom it acknowledged last, and who was named since. `nil` where
    /// it has said nothing yet, or an earlier version registered the device.
    func owners() throws(StorageUnreadable) -> [String]? {
        try install().owners?[server]
    }

    /// Whether the device may be somebody else's at the server; so it is too where an earlier version registered it.
    func mayHaveOwner(otherThan user: String) throws(StorageUnreadable) -> Bool {
        guard let known = try owners() else { return try secret() != nil }
        return known.contains { $0 != user }
    }

    /// Keeps that a user is about to be named as the owner: the server's answer may be lost.
    ///
    /// - Parameter id: of which install; of one that was forgotten meanwhile nothing is kept.
    func willName(owner user: String, of id: PublicID) throws(StorageUnreadable) {
        guard let known = try owners() else {
            // Whom an earlier version named stays unknown until the server says it.
            if try secret() == nil { try keep(owners: [user], of: id) }
            return
        }
        // Two are enough: whoever is the user, one of them is another.
        if !known.contains(user), known.count < 2 { try keep(owners: known + [user], of: id) }
    }

    /// Keeps whom the server acknowledged as the owner; `nil` is nobody.
    ///
    /// - Parameter id: of which install; of one that was forgotten meanwhile nothing is kept.
    func keep(owner user: String?, of id: PublicID) throws(StorageUnreadable) {
        try keep(owners: user.map { [$0] } ?? [], of: id)
    }

    private func keep(owners: [String], of id: PublicID) throws(StorageUnreadable) {
        guard try self.owners() != owners else { return }
        try change { install in
            guard id == install.id else { return }
            install.owners = install.owners ?? [:]
            install.owners?[server] = owners
        }
    }

    /// Begins a new install: the server does not take the old one's secret any more. What other servers issued was for
    /// the old one, and goes with it.
    ///
    /// - Parameter old: the install that is meant; `nil` is the present one.
    /// - Returns: the new one's id; `nil` where the install is another one already.
    @discardableResult
    package func renew(_ old: PublicID? = nil) throws(StorageUnreadable) -> PublicID? {
        var new: PublicID?
        try change { install in
            guard old == nil || old == install.id else { return }
            install.begin(as: newID())
            new = install.id
        }
        return new
    }

    /// The header fields that every call of this install presents, beside its key.
    package func headers() throws(StorageUnreadable) -> [String: String] {
        guard let secret = try secret() else { return [:] }
        return [HeaderName.installationSecret: secret]
    }

    /// Apple's token in hexadecimal: the one that the system gave in this launch, else that of an earlier one.
    package var apnsToken: String? {
        let (fresh, stored) = state.with { ($0.token, $0.storedToken) }
        if let known = fresh ?? stored { return known }
        guard let read = try? storage.string(for: Key.token) else { return nil }
        state.with { $0.storedToken = read }
        return read
    }

    /// Apple's token of this launch in hexadecimal, once the system gave it. Only this one is registered: the system may
    /// have given up an older one.
    package var freshToken: String? { state.with { $0.token } }

    /// Keeps the token that the system gave.
    package func keep(token: String) {
        let stored = apnsToken
        state.with { $0.token = token }
        if stored != token { try? storage.set(token, for: Key.token) }
    }

    /// Firebase's token, where the app gave one; it outlives the process.
    package func fcmToken() throws(StorageUnreadable) -> String? {
        if let known = state.with({ $0.fcmToken }) { return known }
        let stored = try storage.string(for: Key.fcmToken).flatMap { try? PushToken.checked(fcm: $0) }
        return state.with { state in
            // The app may have set one meanwhile.
            let token = state.fcmToken ?? stored
            state.fcmToken = .some(token)
            return token
        }
    }

    /// Sets Firebase's token for this launch, without touching the storage; ``saveFCMToken()`` follows.
    package func set(fcmToken token: String?) {
        state.with {
            $0.fcmToken = .some(token)
            $0.isFCMTokenUnsaved = true
        }
    }

    /// Writes Firebase's token that was set, once the storage can be written.
    package func saveFCMToken() {
        saving.withLock {
            guard let token = state.with({ $0.isFCMTokenUnsaved ? $0.fcmToken : nil }) else { return }
            do throws(StorageUnreadable) {
                if let token {
                    try storage.set(token, for: Key.fcmToken)
                } else {
                    try storage.remove(Key.fcmToken)
                }
            } catch { return }
            state.with { if $0.fcmToken == .some(token) { $0.isFCMTokenUnsaved = false } }
        }
    }

    /// What this install is reached by, one way only: Firebase's token where the app gave one, else Apple's of this
    /// launch.
    func pushToken() throws(StorageUnreadable) -> PushToken? {
        try fcmToken().map(PushToken.fcm) ?? freshToken.map(PushToken.apns)
    }

    private func install() throws(StorageUnreadable) -> Install {
        if let stored = try storedInstall() { return stored }
        return try change { _ in }
    }

    /// Writes the install that a full disk had no room for.
    ///
    /// - Returns: whether it outlives the process.
    @discardableResult
    func saveInstall() -> Bool {
        if state.with({ $0.isInstallUnsaved }) { _ = try? change { _ in } }
        return !state.with { $0.isInstallUnsaved }
    }

    /// The install, where one was made.
    private func storedInstall() throws(StorageUnreadable) -> Install? {
        if let install = state.with({ $0.install }) { return install }
        guard let bytes = try storage.data(for: Key.install),
            let stored = try? JSONDecoder().decode(Install.self, from: bytes)
        else { return nil }
        return state.with { state in
            // Somebody may have changed it meanwhile.
            let install = state.install ?? stored
            state.install = install
            return install
        }
    }

    /// Changes the install, on the disk first, and what goes with it. Where there is none one is made.
    @discardableResult
    private func change(
        _ body: (inout Install) -> Void,
        and also: (inout State) -> Void = { _ in }
    ) throws(StorageUnreadable) -> Install {
        // One at a time, so that none undoes another's change.
        saving.lock()
        defer { saving.unlock() }
        var install = try storedInstall() ?? Install(id: newID())
        body(&install)
        var isUnsaved = false
        if let bytes = try? JSONEncoder().encode(install) {
            do throws(StorageUnreadable) {
                try storage.set(bytes, for: Key.install)
            } catch {
                // On a full disk it is kept in memory. Before the first unlock another one may be stored.
                guard error.isFull else { throw error }
                isUnsaved = true
            }
        }
        state.with { state in
            state.install = install
            state.isInstallUnsaved = isUnsaved
            also(&state)
        }
        return install
    }

    private func newID() -> PublicID {
        var random = SystemRandomNumberGenerator()
        return PublicID(milliseconds: clock.now, using: &random)
    }
}

extension Identity {
    /// Whether the install was forgotten in this launch, and nobody logged in since: it is not registered then.
    var isForgotten: Bool { state.with { $0.isForgotten } }

    /// Whether the process ended before what was kept of a forgotten install was removed.
    var isWipeOwed: Bool { (try? storedInstall())?.isWipeOwed ?? false }

    /// Begins a new install that nobody is logged in to. The old one's secrets stay until its servers have deleted it,
    /// and the tokens whose registration they have not answered.
    ///
    /// What others keep is theirs to remove; it is owed until ``didWipe()``.
    ///
    /// - Throws: ``StorageUnreadable``; nothing has changed.
    func forget() throws(StorageUnreadable) {
        // For this launch: an app hands it over once.
        let fcmToken = try fcmToken()
        try change { install in
            if !install.secrets.isEmpty {
                install.forgotten = install.forgotten ?? [:]
                install.forgotten?[install.id.description] = install.secrets
            }
            install.begin(as: newID())
            install.isWipeOwed = true
        } and: { state in
            state.user = .nobody
            state.configured = nil
            state.past = []
            state.userToken = nil
            state.storedToken = nil
            state.fcmToken = .some(fcmToken)
            state.isFCMTokenUnsaved = false
            state.isForgotten = true
        }
        saveUser()
    }

    /// What was kept of the forgotten install is removed.
    func didWipe() throws(StorageUnreadable) {
        // On a full disk there may be room only now.
        saveUser()
        try change { $0.isWipeOwed = nil }
    }

    /// An install that a server has yet to delete.
    struct Forgotten {
        var id: PublicID
        /// The secret that the server issued; `nil` where none arrived.
        var secret: String?
        /// The tokens that were sent after that and not answered: with one of them the server may have issued another
        /// secret.
        var tokens: [PushToken]
    }

    /// The installs that this server has yet to delete.
    func forgotten() throws(StorageUnreadable) -> [Forgotten] {
        guard let install = try storedInstall() else { return [] }
        let (secrets, tokens) = (install.forgotten ?? [:], install.unanswered ?? [:])
        return Set(secrets.keys).union(tokens.keys).compactMap { key in
            let old = (secret: secrets[key]?[server], tokens: tokens[key]?[server] ?? [])
            guard let id = PublicID(key), old.secret != nil || !old.tokens.isEmpty else { return nil }
            return Forgotten(id: id, secret: old.secret, tokens: old.tokens)
        }
    }

    /// This server has deleted one of them.
    func didDelete(_ id: PublicID) throws(StorageUnreadable) {
        try change { install in
            drop("\(id)", from: &install.forgotten)
            drop("\(id)", from: &install.unanswered)
        }
    }
}

extension Identity {
    /// The user's id, when somebody is logged in; `nil` also while the storage cannot be read.
    package var userID: String? {
        if case .somebody(let id, _)? = try? user() { id } else { nil }
    }

    /// The token that speaks for the user; in memory only.
    package var userToken: String? { state.with { $0.userToken } }

    /// The token that speaks for a user, as long as nobody else is the user.
    func userToken(of id: String) -> String? {
        _ = try? user()
        return state.with { $0.user?.id == id ? $0.userToken : nil }
    }

    /// Takes another token of a user, unless somebody else is the user by now.
    func set(userToken token: String, of id: String) {
        state.with { if $0.user?.id == id { $0.userToken = token } }
    }

    /// Keeps that a token spoke for a user, unless somebody else is the user by now: later launches ask for one.
    func didProve(_ id: String) {
        let isNew = state.with { state in
            guard state.user == .somebody(id, isSigned: false) else { return false }
            state.user = .somebody(id, isSigned: true)
            return true
        }
        if isNew { saveUser() }
    }

    /// Who the user is.
    package func user() throws(StorageUnreadable) -> IdentityUser {
        if let user = state.with({ $0.user }) { return user }
        let stored = try userRecord() ?? UserRecord()
        return state.with { state in
            // Somebody may have logged in meanwhile.
            let user = state.user ?? Self.user(stored, configured: state.configured)
            state.user = user
            state.past = state.past ?? stored.past(before: user, at: clock.now)
            return user
        }
    }

    /// The id of who was the user at a time, as far as it is known; of nobody, `nil`.
    ///
    /// - Parameter time: UTC milliseconds since 1970, by the device's clock.
    package func userID(at time: Int64) -> String? {
        let current = userID
        guard let past = state.with({ $0.past })?.first(where: { time < $0.until }) else { return current }
        return past.user
    }

    /// Who the user is after a launch: whom the configuration newly names, else who it was. A name that stood in the last
    /// launch's configuration too says nothing new: that user may have logged out since.
    private static func user(_ stored: UserRecord, configured: String?) -> IdentityUser {
        guard let configured, configured != stored.configured else { return stored.user }
        if case .somebody(configured, _) = stored.user { return stored.user }
        return .somebody(configured, isSigned: false)
    }

    private func userRecord() throws(StorageUnreadable) -> UserRecord? {
        try storage.data(for: Key.user).flatMap { try? JSONDecoder().decode(UserRecord.self, from: $0) }
    }

    /// Sets who the user is, for this launch and, once the storage can be written, for later ones.
    package func set(_ user: IdentityUser, token: String? = nil) {
        // What was before is read first, where it can be.
        _ = try? self.user()
        state.with { state in
            if let past = state.past, let before = state.user {
                state.past = UserRecord(user: before, past: past).past(before: user, at: clock.now)
            }
            state.user = user
            state.userToken = token
            if user.id != nil { state.isForgotten = false }
        }
        saveUser()
    }

    /// Takes the user that the app's configuration names, without touching the storage. It is a login where the last
    /// launch's configuration did not name the same one; that is found out when the user is first asked for.
    package func assume(_ id: String?) {
        state.with { $0.configured = id }
    }

    /// Writes the user that was set before the storage could be written.
    package func saveUser() {
        // One at a time, each with whoever is the user then: the last one to write knows of the last login.
        saving.withLock { saveCurrentUser() }
    }

    private func saveCurrentUser() {
        guard let user = try? user(), let stored = try? userRecord() ?? UserRecord() else { return }
        let record = state.with { state in
            // Somebody who logged in before the storage could be read came after whoever is stored.
            let past = state.past ?? stored.past(before: user, at: clock.now)
            state.past = past
            return UserRecord(user: user, configured: state.configured, past: past)
        }
        guard stored != record, let bytes = try? JSONEncoder().encode(record) else { return }
        try? storage.set(bytes, for: Key.user)
    }
}

/// Who the user of an install is.
package enum IdentityUser: Sendable, Hashable, Codable {
    /// Nobody said.
    case unknown
    /// Somebody logged out.
    case nobody
    /// A user, by the customer's own id, and whether a token spoke for them.
    case somebody(String, isSigned: Bool)

    /// The user's id; `nil` of nobody.
    var id: String? {
        if case .somebody(let id, _) = self { id } else { nil }
    }
}
