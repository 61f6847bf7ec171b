import Foundation
import MartletWire

/// Keeps the server informed of the device's token and of its user: one request at a time, in order, and only when
/// something changed or a day passed.
final class TokenRegistrar: Sendable {
    typealias Result = Swift.Result<DeviceTokenRegistrationResponse, PushNotificationError>
    typealias Answer = @Sendable (Result) -> Void

    typealias SyncAnswer = @Sendable (Swift.Result<Void, PushNotificationError>) -> Void

    /// What the server shall know.
    private struct Wanted: Equatable {
        var token: String
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
        var isStopped = false
    }

    let context: ClientContext
    private let registered: @Sendable () -> Void
    private let queue = JobQueue()
    private let policy = RetryPolicy()
    private let state = Locked(State())

    /// A registrar; nothing is read or sent yet.
    ///
    /// - Parameter registered: called after each registration that the server took.
    init(_ context: ClientContext, registered: @escaping @Sendable () -> Void) {
        self.context = context
        self.registered = registered
    }

    /// Registers the token that the system gave. The answer comes on any thread, once.
    func register(_ token: DeviceTokenText, answer: @escaping Answer) {
        let isAdded = queue.add { [self] in
            context.identity.keep(token: token.hex)
            answer(await send(token.hex))
        }
        if !isAdded { answer(.failure(Self.tooMany)) }
    }

    /// Tells the server of another user. Without a token there is nothing to tell yet.
    ///
    /// A job that has not begun tells of the last user, so that one is enough for all who ask meanwhile.
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
            guard let token = context.identity.freshToken, let user = try? context.identity.user(),
                state.with({ $0.refused }) != Wanted(token: token, user: user)
            else { return }
            _ = await send(token)
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
        guard let token = context.identity.freshToken else { return .success(()) }
        return await send(token).map { _ in }
    }

    /// Ends attempts that wait, and sends nothing more: another client takes over.
    func stop() {
        state.with { $0.isStopped = true }
    }

    private func send(_ token: String) async -> Result {
        let task = await context.environment.platform.beginBackgroundTask("martlet.registration", expired: {})
        let result: Result
        do throws(PushNotificationError) {
            result = .success(try await registration(of: token))
        } catch {
            context.log(.error, "The device token was not registered: \(error.text(in: .english).description)")
            // Before the first unlock, and in a client that gave way to another, the app has nothing to mend.
            let isItsOwn = context.environment.storage.isReadable && !state.with { $0.isStopped }
            if isItsOwn { context.report(error) }
            result = .failure(error)
        }
        if let task { await context.environment.platform.endBackgroundTask(task) }
        return result
    }

    private func registration(
        of token: String
    ) async throws(PushNotificationError) -> DeviceTokenRegistrationResponse {
        let (user, id) = try identity()
        let now = context.environment.clock.now
        if let record = record(), record.covers(token: token, user: user, installationID: "\(id)", now: now) {
            context.log(.debug, "The device token is registered already.")
            return record.response
        }
        guard !state.with({ $0.isStopped }) else { throw .notConfigured }
        guard state.with({ $0.notBefore }) <= now else {
            throw .serverError(statusCode: 429, message: "The server asked to be left alone for a while.")
        }
        // Until the server has answered, nobody knows what it heard: what was true before may have to be said again.
        try? context.environment.storage.remove(RegistrationRecord.key)
        let answer = try await attempts(token, user)
        if let secret = answer.installationSecret { try? context.identity.keep(secret: secret) }
        let response = DeviceTokenRegistrationResponse(answer)
        context.log(.info, "The device token is registered.")
        // Told first: a process that dies in between registers again, instead of telling nobody for a day.
        registered()
        save(RegistrationRecord(token: token, user: user, time: context.environment.clock.now, response: response))
        return response
    }

    private func identity() throws(PushNotificationError) -> (IdentityUser, PublicID) {
        do throws(StorageUnreadable) {
            return (try context.identity.user(), try context.identity.installationID())
        } catch {
            throw .registrationFailed("the device was not unlocked since it was started")
        }
    }

    private func attempts(
        _ token: String,
        _ user: IdentityUser
    ) async throws(PushNotificationError) -> TokenRegistrationResponse {
        var attempt = 1
        while true {
            switch await attemptOnce(token, user) {
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

    private func record() -> RegistrationRecord? {
        guard let bytes = try? context.environment.storage.data(for: RegistrationRecord.key) else { return nil }
        return try? JSONDecoder().decode(RegistrationRecord.self, from: bytes)
    }

    private func save(_ record: RegistrationRecord) {
        guard let bytes = try? JSONEncoder().encode(record) else { return }
        try? context.environment.storage.set(bytes, for: RegistrationRecord.key)
    }
}

/// Whether a flag was not set yet; it is afterwards.
func takeOnce(_ flag: inout Bool) -> Bool {
    defer { flag = true }
    return !flag
}
