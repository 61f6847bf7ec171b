import Foundation
import MartletWire

/// Keeps the server informed of the device's token, its user and what the person allows: one request at a time, in
/// order, at each launch, and within a launch only when something changed or a day passed.
final class TokenRegistrar: Sendable {
    typealias Result = Swift.Result<DeviceTokenRegistrationResponse, PushNotificationError>
    typealias Answer = @Sendable (Result) -> Void

    typealias SyncAnswer = @Sendable (Swift.Result<Void, PushNotificationError>) -> Void

    /// What the server shall know.
    private struct Wanted: Equatable {
        var token: PushToken
        var user: IdentityUser
    }

    /// The most callers that wait for one job.
    private static let bound = 1000

    private struct State {
        /// Who waits for the job that tells of the user and has not begun; `nil` when there is none.
        var syncs: [SyncAnswer]?
        /// What the server refused for good in this launch, and would again.
        var refused: Wanted?
        /// When the server wants to be asked again at the earliest.
        var notBefore: Int64 = 0
        var isRenewed = false
        /// What the server took last.
        var record: RegistrationRecord?
        /// How often registrations failed in a row, and what waits to try again.
        var failures = 0
        var retry: Task<Void, Never>?
        var isStopped = false
    }

    let context: ClientContext
    /// What the server was told of the device.
    let installation: InstallationReport
    private let registered: @Sendable () -> Void
    private let queue = JobQueue()
    private let policy = RetryPolicy()
    /// The first and the longest wait before a registration that failed for the time being is made anew, in milliseconds:
    /// ours. It doubles with each, as long as the app runs.
    private static let retryWaits: (first: Int64, longest: Int64) = (30_000, 900_000)
    private let state = Locked(State())

    /// A registrar; nothing is read or sent yet.
    ///
    /// - Parameter registered: called after each registration that the server took.
    init(_ context: ClientContext, registered: @escaping @Sendable () -> Void) {
        self.context = context
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
        let isAdded = queue.add { [self] in
            context.identity.keep(token: token.hex)
            // Without knowing whether there is one of Firebase's, nothing is sent.
            end(await send((try? context.identity.pushToken()) ?? .apns(token.hex)))
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
        guard isNew else { return }
        let isAdded = queue.add { [self] in
            let answers = takeSyncs()
            let result = await syncOnce()
            for answer in answers { answer(result) }
        }
        if !isAdded { for answer in takeSyncs() { answer(.failure(Self.tooMany)) } }
    }

    /// Tries again what failed for the time being: the app came to the front, or the storage can be read now.
    func resume() {
        queue.add { [self] in
            guard let token = try? context.identity.pushToken(), let user = try? context.identity.user(),
                state.with({ $0.refused }) != Wanted(token: token, user: user)
            else { return }
            tell(await send(token))
        }
    }

    /// Returns when everything that was added so far has ended.
    func settled() async {
        await withCheckedContinuation { continuation in
            if !queue.add({ continuation.resume() }) { continuation.resume() }
        }
    }

    private static let tooMany = PushNotificationError.registrationFailed("too many registrations wait")

    private func takeSyncs() -> [SyncAnswer] {
        state.with { state in
            defer { state.syncs = nil }
            return state.syncs ?? []
        }
    }

    private func syncOnce() async -> Swift.Result<Void, PushNotificationError> {
        let identity = context.identity
        guard let token = (try? identity.pushToken()) ?? identity.freshToken.map(PushToken.apns) else {
            return .success(())
        }
        let result = await send(token)
        tell(result)
        return result.map { _ in }
    }

    /// Tells the app of a failure that nobody told it of.
    private func tell(_ result: Result) {
        guard case .failure(let error) = result else { return }
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

    private func send(_ token: PushToken) async -> Result {
        let task = await context.environment.platform.beginBackgroundTask("martlet.registration", expired: {})
        state.replace(\.retry, with: nil)?.cancel()
        let result: Result
        do throws(PushNotificationError) {
            result = .success(try await registration(of: token))
            state.with { $0.failures = 0 }
        } catch {
            context.log(.error, "The device token was not registered: \(error.text(in: .english).description)")
            if error.isTemporary { retryLater() }
            result = .failure(error)
        }
        if let task { await context.environment.platform.endBackgroundTask(task) }
        return result
    }

    private func registration(
        of token: PushToken
    ) async throws(PushNotificationError) -> DeviceTokenRegistrationResponse {
        let (user, id) = try identity()
        let permission = await context.environment.platform.authorizationStatus()
        let now = context.environment.clock.now
        if let record = state.with({ $0.record }),
            record.covers(token: token, user: user, permission: permission, installationID: "\(id)", now: now)
        {
            context.log(.debug, "The device token is registered already.")
            return record.response
        }
        guard !state.with({ $0.isStopped }) else { throw .notConfigured }
        guard state.with({ $0.notBefore }) <= now else {
            throw .serverError(statusCode: 429, message: "The server asked to be left alone for a while.")
        }
        // Until the server has answered, nobody knows what it heard: what was true before may have to be said again.
        state.with { $0.record = nil }
        let answer = try await attempts(token, user, permission)
        if let secret = answer.installationSecret { try? context.identity.keep(secret: secret) }
        let response = DeviceTokenRegistrationResponse(answer)
        context.log(.info, "The device token is registered.")
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

    private func identity() throws(PushNotificationError) -> (IdentityUser, PublicID) {
        do throws(StorageUnreadable) {
            _ = try context.identity.fcmToken()
            return (try context.identity.user(), try context.identity.installationID())
        } catch {
            throw .registrationFailed("the device was not unlocked since it was started")
        }
    }

    private func attempts(
        _ token: PushToken,
        _ user: IdentityUser,
        _ permission: AuthorizationStatus
    ) async throws(PushNotificationError) -> TokenRegistrationResponse {
        var attempt = 1
        while true {
            switch await attemptOnce(token, user, permission) {
            case .accepted(let answer): return answer
            case .unknownInstallation(let error):
                // Once a launch: the id of a restored backup, or one whose secret was lost on its way.
                guard state.with({ takeOnce(&$0.isRenewed) }), (try? context.identity.renew()) != nil else {
                    throw error
                }
                context.log(.warning, "The server does not take this installation's secret: it begins a new one.")
            case .refused(let error):
                state.with { $0.refused = Wanted(token: token, user: user) }
                throw error
            case .failed(let error, let retryAfter):
                try await pause(after: attempt, retryAfter: retryAfter, for: error)
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
            if let retryAfter { state.with { $0.notBefore = environment.clock.now + retryAfter } }
            throw error
        }
        context.log(.debug, "Attempt \(attempt) failed; the next is in \(wait) ms.")
        guard (try? await environment.clock.sleep(until: environment.clock.now + wait)) != nil else { throw error }
    }

    /// Tries again in this launch, after a while; coming to the front comes first.
    private func retryLater() {
        let (clock, random) = (context.environment.clock, context.environment.random())
        state.with { state in
            guard !state.isStopped else { return }
            let bound = min(Self.retryWaits.longest, Self.retryWaits.first << min(state.failures, 10))
            state.failures += 1
            let moment = max(state.notBefore, clock.now + bound / 2 + Int64(Double(bound / 2) * random))
            state.retry = Task { [weak self] in
                guard (try? await clock.sleep(until: moment)) != nil else { return }
                self?.resume()
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
