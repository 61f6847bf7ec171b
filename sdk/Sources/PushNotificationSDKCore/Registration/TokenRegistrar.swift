import Foundation
import MartletWire

/// Keeps the server informed of the device's token, its user and what the person allows: one request at a time, in
/// order, at each launch, and within a launch only when something changed or a day passed.
final class TokenRegistrar: Sendable {
    typealias Result = Swift.Result<DeviceTokenRegistrationResponse, PushNotificationError>
    typealias Answer = @Sendable (Result) -> Void

    typealias SyncAnswer = @Sendable (Swift.Result<Void, PushNotificationError>) -> Void

    /// What the server shall know.
    private struct Wanted: Hashable {
        var token: PushToken
        var user: IdentityUser
    }

    /// What an attempt said that failed for the time being, and why it did.
    private struct Failed {
        var wanted: Wanted
        var userToken: String?
        var error: PushNotificationError
    }

    /// The most callers that wait for one job.
    private static let bound = 1000

    private struct State {
        /// Who waits for the job that tells of the user and has not begun; `nil` when there is none.
        var syncs: [SyncAnswer]?
        /// What the server refused for good since the app's last word, and would again, and whether that was for what
        /// speaks for the user.
        var refused: [Wanted: Bool] = [:]
        /// The user for whom a token was asked for since the app came to the front.
        var asked: String?
        /// When the server wants to be asked again at the earliest, by the monotonic clock.
        var notBefore: Int64 = 0
        var isRenewed = false
        /// What the server took last.
        var record: RegistrationRecord?
        /// How often registrations failed in a row, and what waits to try again, until when.
        var failures = 0
        var retry: Task<Void, Never>?
        var retryTime: Int64 = 0
        var failed: Failed?
        /// How many registrations of the app have not begun, the deletion that they wait for, and when it ends at the
        /// latest, by the monotonic clock; `nil` before one of them waits for one.
        var waiting = 0
        var deletion: Task<Swift.Result<Void, PushNotificationError>, Never>?
        var deletionEnd: Int64?
        var isStopped = false
    }

    let context: ClientContext
    /// What the server was told of the device.
    let installation: InstallationReport
    private let tokens: UserTokens
    private let registered: @Sendable () -> Void
    private let queue = JobQueue()
    private let policy = RetryPolicy()
    /// The first and the longest wait before a registration that failed for the time being is made anew, in milliseconds:
    /// ours. It doubles with each, as long as the app runs.
    private static let retryWaits: (first: Int64, longest: Int64) = (30_000, 900_000)
    /// How many milliseconds the deletions that a registration waits for may take, all together: ours, two of the 3 s
    /// that an app waits for a registration (``PushClient/registrationLimit``).
    private static let deletionLimit: Int64 = 2000
    private let state = Locked(State())

    /// A registrar; nothing is read or sent yet.
    ///
    /// - Parameter registered: called after each registration that the server took.
    init(_ context: ClientContext, tokens: UserTokens, registered: @escaping @Sendable () -> Void) {
        self.context = context
        self.tokens = tokens
        installation = InstallationReport(context)
        self.registered = registered
    }

    /// Registers the token that the system gave. The answer comes on any thread, once; a failure is also told to the
    /// app. Where the install is reached by Firebase's, the system's is kept, and Firebase's is registered.
    ///
    /// - Parameter limit: after how many milliseconds it has failed with a `networkError`, whatever the server does.
    ///   What was not delivered by then goes on behind it, and is not told again.
    func register(_ token: DeviceTokenText, within limit: Int64?, answer: @escaping Answer = { _ in }) {
        let waiting = Locked<Answer?>(answer)
        let end: @Sendable (Result) -> Void = { [self] result in
            guard let answer = waiting.replace(\.self, with: nil) else { return }
            tell(result)
            answer(result)
        }
        let deadline = limit.map { [clock = context.environment.clock] limit in
            let moment = clock.now + limit
            return Task {
                guard (try? await clock.sleep(until: moment)) != nil else { return }
                end(.failure(.networkError(TransportError.timedOut)))
            }
        }
        let isAdded = addRegistration { [self] deletionEnd in
            context.identity.keep(token: token.hex)
            state.with { $0.refused = [:] }
            // Without knowing whether there is one of Firebase's, nothing is sent.
            end(await send((try? context.identity.pushToken()) ?? .apns(token.hex), deletingUntil: deletionEnd))
            deadline?.cancel()
        }
        guard !isAdded else { return }
        end(.failure(Self.tooMany))
        deadline?.cancel()
    }

    /// Tells the server of another user, or of another token that is kept already. Without a token there is nothing to
    /// tell yet.
    ///
    /// A job that has not begun tells of the last user and token, so that one is enough for all who ask meanwhile.
    func sync(answer: @escaping SyncAnswer = { _ in }) {
        let (isTaken, isNew) = state.with { state in
            guard state.syncs?.count ?? 0 < Self.bound else { return (false, false) }
            defer { state.syncs = (state.syncs ?? []) + [answer] }
            return (true, state.syncs == nil)
        }
        guard isTaken else { return answer(.failure(Self.tooMany)) }
        guard isNew else { return limitDeletion() }
        let isAdded = addRegistration { [self] deletionEnd in
            let answers = takeSyncs()
            state.with { $0.refused = [:] }
            let result = await syncOnce(deletingUntil: deletionEnd)
            for answer in answers { answer(result) }
        }
        if !isAdded { for answer in takeSyncs() { answer(.failure(Self.tooMany)) } }
    }

    /// Adds a registration of the app, and ends a deletion before it in time.
    ///
    /// - Parameter job: gets when deletions before it end, where it has waited for one.
    private func addRegistration(_ job: @escaping @Sendable (_ deletionEnd: Int64?) async -> Void) -> Bool {
        state.with { $0.waiting += 1 }
        let isAdded = queue.add { [self] in
            let deletionEnd = state.with { state in
                state.waiting -= 1
                defer { state.deletionEnd = nil }
                return state.deletionEnd
            }
            await job(deletionEnd)
        }
        if isAdded { limitDeletion() } else { state.with { $0.waiting -= 1 } }
        return isAdded
    }

    /// Lets a deletion that is under way go on for no longer than a registration behind it may wait.
    private func limitDeletion() {
        let clock = context.environment.clock
        let (moment, end) = (clock.now + Self.deletionLimit, clock.monotonic + Self.deletionLimit)
        let deletion: Task<Swift.Result<Void, PushNotificationError>, Never>? = state.with { state in
            // For a forgotten install nothing is registered that could wait.
            guard state.waiting > 0, state.deletionEnd == nil, !context.identity.isForgotten else { return nil }
            if state.deletion != nil { state.deletionEnd = end }
            return state.deletion
        }
        guard let deletion else { return }
        Task {
            if (try? await clock.sleep(until: moment)) != nil { deletion.cancel() }
        }
    }

    /// Sends what is due: the app came to the front, or the storage can be read now. What failed for the time being
    /// keeps waiting.
    func resume() {
        queue.add { [self] in
            let now = context.environment.clock.monotonic
            if state.with({ $0.retry == nil || $0.retryTime <= now }) { await sendAgain() }
        }
    }

    /// The back-off is over, whatever the clock says: it may have been set back.
    private func retryNow() {
        queue.add { [self] in await sendAgain() }
    }

    private func sendAgain() async {
        state.replace(\.retry, with: nil)?.cancel()
        state.with { $0.asked = nil }
        guard !context.identity.isForgotten,
            let token = try? context.identity.pushToken(), let user = try? owner(with: token),
            !isRefused(token, user)
        else {
            await deleteForgotten()
            if let token = try? context.identity.pushToken(), isUserTokenMissing(with: token) { askForUserToken() }
            return
        }
        tell(await send(token))
    }

    /// Has the server delete what was forgotten, behind what is under way. What cannot be deleted now is tried with
    /// each job after it.
    func forget(answer: @escaping SyncAnswer) {
        // What was refused, asked, waited for and registered was of the install before.
        let retry = state.with { state in
            defer { (state.refused, state.asked, state.retry, state.retryTime, state.record) = ([:], nil, nil, 0, nil) }
            return state.retry
        }
        retry?.cancel()
        installation.forget()
        let isAdded = queue.add { [self] in answer(await deleteForgotten()) }
        if !isAdded { answer(.failure(Self.tooMany)) }
    }

    /// The last registration that the server took in this launch; none while another one is under way.
    var lastRegistration: RegistrationRecord? { state.with { $0.record } }

    /// Returns when everything that was added so far has ended.
    func settled() async {
        await withCheckedContinuation { continuation in
            if !queue.add({ continuation.resume() }) { continuation.resume() }
        }
    }

    private static let tooMany = PushNotificationError.registrationFailed("too many registrations wait")
    private static let forgotten = PushNotificationError.registrationFailed("the device was forgotten")

    /// Whether an install is still the app's.
    func isCurrent(_ id: PublicID) -> Bool { (try? context.identity.installationID()) == id }

    /// - Parameter limit: when what is left stays for later, by the monotonic clock; without one, after as long as one
    ///   request may take, or sooner where a registration waits.
    @discardableResult
    private func deleteForgotten(until limit: Int64? = nil) async -> Swift.Result<Void, PushNotificationError> {
        guard let forgotten = try? context.identity.forgotten(), !forgotten.isEmpty else { return .success(()) }
        guard !state.with({ $0.isStopped }) else { return .failure(.notConfigured) }
        let task = await context.environment.platform.beginBackgroundTask("martlet.forget", expired: {})
        let now = context.environment.clock.monotonic
        let longest = limit ?? now + Int64(context.configuration.timeout * 1000)
        let deletion = state.with { state in
            if state.waiting > 0, state.deletionEnd == nil, !context.identity.isForgotten {
                state.deletionEnd = now + Self.deletionLimit
            }
            let deadline = min(longest, state.deletionEnd ?? longest)
            // A task of its own, so that a registration that comes later can end it.
            let deletion = Task { [self] in await delete(forgotten, until: deadline) }
            state.deletion = deletion
            return deletion
        }
        let result = await deletion.value
        state.replace(\.deletion, with: nil)
        if let task { await context.environment.platform.endBackgroundTask(task) }
        return result
    }

    private func delete(
        _ forgotten: [Identity.Forgotten],
        until deadline: Int64
    ) async -> Swift.Result<Void, PushNotificationError> {
        var result = Swift.Result<Void, PushNotificationError>.success(())
        for old in forgotten {
            do throws(PushNotificationError) {
                try await installation.delete(old, until: deadline)
                try? context.identity.didDelete(old.id)
                // What was refused may have been refused because that install had the token.
                state.with { $0.refused = [:] }
            } catch {
                context.log(.warning, "A forgotten device was not deleted at the server yet.")
                result = .failure(error)
            }
        }
        return result
    }

    private func takeSyncs() -> [SyncAnswer] {
        state.with { state in
            defer { state.syncs = nil }
            return state.syncs ?? []
        }
    }

    private func syncOnce(deletingUntil deletionEnd: Int64?) async -> Swift.Result<Void, PushNotificationError> {
        let identity = context.identity
        guard !identity.isForgotten,
            let token = (try? identity.pushToken()) ?? identity.freshToken.map(PushToken.apns)
        else { return .success(()) }
        // An app that names the same user each time that it comes to the front does not shorten the back-off.
        if let error = waitingError(of: token) { return .failure(error) }
        let result = await send(token, deletingUntil: deletionEnd)
        tell(result)
        return result.map { _ in }
    }

    /// Why the last attempt failed, where the next one waits and has nothing else to say.
    private func waitingError(of token: PushToken) -> PushNotificationError? {
        guard let user = try? owner(with: token) else { return nil }
        let (wanted, userToken) = (
            Wanted(token: token, user: user), user.id.flatMap { context.identity.userToken(of: $0) }
        )
        let now = context.environment.clock.monotonic
        return state.with { state in
            guard state.retry != nil, state.retryTime > now, let failed = state.failed, failed.wanted == wanted,
                failed.userToken == userToken
            else { return nil }
            return failed.error
        }
    }

    /// Tells the app of a failure that nobody told it of.
    private func tell(_ result: Result) {
        guard case .failure(let error) = result, !context.identity.isForgotten else { return }
        // Before the first unlock, and in a client that gave way to another, the app has nothing to mend.
        if context.environment.storage.isReadable, !state.with({ $0.isStopped }) { context.report(error) }
    }

    /// Ends attempts that wait, and sends nothing more: another client takes over.
    func stop() {
        let retry = state.with { state in
            state.isStopped = true
            return state.retry
        }
        retry?.cancel()
    }

    /// - Parameter deletionEnd: when deletions before it end, by the monotonic clock; without one, after as long as a
    ///   registration waits for them.
    private func send(_ token: PushToken, deletingUntil deletionEnd: Int64? = nil) async -> Result {
        // First, so that the token is free for the new install; what takes too long is tried again behind it.
        let end = deletionEnd ?? context.environment.clock.monotonic + Self.deletionLimit
        await deleteForgotten(until: end)
        let isLate = context.environment.clock.monotonic >= end
        let task = await context.environment.platform.beginBackgroundTask("martlet.registration", expired: {})
        let result = await outcome(of: token)
        if case .failure = result, let user = try? context.identity.user(), user.id != nil,
            isRefused(token, user)
        {
            // Meanwhile the pushes of the user before shall not come here.
            if (try? owner(with: token)) == .nobody { _ = await outcome(of: token) }
        }
        if isUserTokenMissing(with: token) { askForUserToken() }
        if let task { await context.environment.platform.endBackgroundTask(task) }
        if isLate { queue.add { [self] in _ = await deleteForgotten() } }
        return result
    }

    private func outcome(of token: PushToken) async -> Result {
        state.replace(\.retry, with: nil)?.cancel()
        do throws(PushNotificationError) {
            let response = try await registration(of: token)
            state.with { $0.failures = 0 }
            return .success(response)
        } catch {
            context.log(.error, "The device token was not registered: \(error.text(in: .english).description)")
            // For a forgotten install nothing is tried again.
            if error.isTemporary, !context.identity.isForgotten { retryLater() }
            return .failure(error)
        }
    }

    private func isRefused(_ token: PushToken, _ user: IdentityUser) -> Bool {
        state.with { $0.refused[Wanted(token: token, user: user)] != nil }
    }

    /// Whom the device is registered for: the user, or nobody where they cannot be named and it may be another's.
    private func owner(with token: PushToken) throws(StorageUnreadable) -> IdentityUser {
        let identity = context.identity
        let user = try identity.user()
        guard case .somebody(let id, let isSigned) = user else { return user }
        if isRefused(token, user) { return try identity.mayHaveOwner(otherThan: id) ? .nobody : user }
        guard isSigned, identity.userToken(of: id) == nil, let owners = try identity.owners() else { return user }
        return owners == [id] ? user : .nobody
    }

    /// Whether the user is not the device's owner at the server, and cannot be named; or the server did not take what
    /// speaks for them.
    private func isUserTokenMissing(with token: PushToken) -> Bool {
        let identity = context.identity
        guard let user = try? identity.user(), case .somebody(let id, let isSigned) = user else { return false }
        if state.with({ $0.refused[Wanted(token: token, user: user)] }) == true { return true }
        guard isSigned, identity.userToken(of: id) == nil, let owners = try? identity.owners() else { return false }
        return owners != [id]
    }

    /// Asks the app for another token of the user, and registers the user with it: once each time that the app comes to
    /// the front.
    private func askForUserToken() {
        guard let user = context.identity.userID, tokens.isAvailable(for: user) else { return }
        let isAsked = state.with { state in
            defer { state.asked = user }
            return state.isStopped || state.asked == user
        }
        guard !isAsked else { return }
        let refused = context.identity.userToken(of: user)
        Task { [weak self, tokens] in
            let token = await tokens.token(for: user, insteadOf: refused)
            if token != nil, token != refused { self?.sync() }
        }
    }

    /// - Parameter other: whom it is for in place of the user.
    private func registration(
        of token: PushToken,
        for other: IdentityUser? = nil
    ) async throws(PushNotificationError) -> DeviceTokenRegistrationResponse {
        let (registrable, first) = try identity(with: token)
        var (user, id) = (other ?? registrable, first)
        context.identity.saveInstall()
        guard !context.identity.isForgotten else { throw Self.forgotten }
        let permission = await context.environment.platform.authorizationStatus()
        let now = context.environment.clock.now
        if let record = state.with({ $0.record }),
            record.covers(token: token, user: user, permission: permission, installationID: "\(id)", now: now)
        {
            context.log(.debug, "The device token is registered already.")
            return record.response
        }
        guard !state.with({ $0.isStopped }) else { throw .notConfigured }
        guard state.with({ $0.notBefore }) <= context.environment.clock.monotonic else {
            throw .serverError(statusCode: 429, message: "The server asked to be left alone for a while.")
        }
        // Until the server has answered, nobody knows what it heard: what was true before may have to be said again.
        state.with { $0.record = nil }
        let owner = Owner(user: user, userToken: user.id.flatMap { context.identity.userToken(of: $0) })
        if let named = owner.named.value { try? context.identity.willName(owner: named, of: id) }
        let answer = try await attempts(token, owner, permission, as: &id)
        try? context.identity.keep(secret: answer.installationSecret, with: token, of: id)
        let response = DeviceTokenRegistrationResponse(answer)
        // Forgotten meanwhile, it is deleted next.
        guard isCurrent(id) else { return response }
        let acknowledged = owner.named == .unset ? answer.userID : owner.named.value
        try? context.identity.keep(owner: acknowledged, of: id)
        if let proved = acknowledged, owner.userToken != nil, proved == user.id {
            context.identity.didProve(proved)
            user = .somebody(proved, isSigned: true)
        }
        if let unnamed = user.id, unnamed != acknowledged {
            // The owner stayed as it was, and is another.
            if acknowledged != nil { return try await registration(of: token, for: .nobody) }
            user = .nobody
        }
        context.log(.info, "The device token is registered.")
        if !context.identity.saveInstall() {
            context.log(.error, "The disk is full. The installation is only in memory until there is room.")
        }
        registered()
        let record = RegistrationRecord(
            token: token,
            user: user,
            permission: permission,
            time: context.environment.clock.now,
            response: response
        )
        state.with { $0.record = record }
        return response
    }

    private func identity(with token: PushToken) throws(PushNotificationError) -> (IdentityUser, PublicID) {
        do throws(StorageUnreadable) {
            _ = try context.identity.fcmToken()
            // The user is read last: of an install that is forgotten in between nobody is registered.
            let id = try context.identity.installationID()
            return (try owner(with: token), id)
        } catch {
            throw .registrationFailed("the device was not unlocked since it was started")
        }
    }

    private func attempts(
        _ token: PushToken,
        _ owner: Owner,
        _ permission: AuthorizationStatus,
        as id: inout PublicID
    ) async throws(PushNotificationError) -> TokenRegistrationResponse {
        var attempt = 1
        while true {
            switch await attemptOnce(token, owner, permission, as: id) {
            case .accepted(let answer): return answer
            case .forgotten: throw Self.forgotten
            case .unknownInstallation(let error):
                // Once a launch: the id of a restored backup, or one whose secret was lost on its way.
                guard state.with({ takeOnce(&$0.isRenewed) }), let new = try? context.identity.renew(id) else {
                    throw error
                }
                id = new
                context.log(.warning, "The server does not take this installation's secret: it begins a new one.")
            case .refused(let error):
                let isUnproven = if case .serverError(401, _) = error { true } else { false }
                state.with { $0.refused[Wanted(token: token, user: owner.user)] = isUnproven }
                throw error
            case .failed(let error, let retryAfter):
                let failed = Failed(
                    wanted: Wanted(token: token, user: owner.user),
                    userToken: owner.userToken,
                    error: error
                )
                state.with { $0.failed = failed }
                try await pause(after: attempt, retryAfter: retryAfter, for: error)
                // Who logged in or out meanwhile is told by the job behind this one.
                if isCurrent(id), (try? self.owner(with: token)) != owner.user { throw error }
                attempt += 1
            }
        }
    }

    /// Waits for the next attempt.
    ///
    /// - Throws: the error of the last one when there is none.
    private func pause(
        after attempt: Int,
        retryAfter: Int64?,
        for error: PushNotificationError
    ) async throws(PushNotificationError) {
        let environment = context.environment
        let wait = policy.wait(after: attempt, retryAfter: retryAfter, random: environment.random())
        guard let wait, !state.with({ $0.isStopped }) else {
            if let retryAfter { state.with { $0.notBefore = environment.clock.monotonic + retryAfter } }
            throw error
        }
        context.log(.debug, "Attempt \(attempt) failed; the next is in \(wait) ms.")
        guard (try? await environment.clock.sleep(until: environment.clock.now + wait)) != nil else { throw error }
    }

    /// Tries again in this launch, after a while; coming to the front does not shorten it.
    private func retryLater() {
        let (clock, random) = (context.environment.clock, context.environment.random())
        state.with { state in
            guard !state.isStopped else { return }
            let bound = min(Self.retryWaits.longest, Self.retryWaits.first << min(state.failures, 10))
            state.failures += 1
            let wait = max(state.notBefore - clock.monotonic, bound / 2 + Int64(Double(bound / 2) * random))
            let moment = clock.now + wait
            state.retryTime = clock.monotonic + wait
            state.retry = Task { [weak self] in
                guard (try? await clock.sleep(until: moment)) != nil else { return }
                self?.retryNow()
            }
        }
    }
}

extension PushNotificationError {
    /// Whether the same call may succeed later.
    var isTemporary: Bool {
        switch self {
        case .networkError: true
        case .serverError(let status, _): RetryPolicy.isTemporary(status: status)
        default: false
        }
    }
}

/// Whether a flag was not set yet; it is afterwards.
func takeOnce(_ flag: inout Bool) -> Bool {
    defer { flag = true }
    return !flag
}
