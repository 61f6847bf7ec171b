import Foundation

/// Jobs that run one after the other, in the order in which they were added.
final class JobQueue: Sendable {
    typealias Job = @Sendable () async -> Void

    /// The most jobs that wait. Each reads what is wanted when it begins, so that one job does what many asked for.
    static let bound = 64

    private struct State {
        var waiting: [Job] = []
        var isRunning = false
    }

    private let state = Locked(State())

    /// Adds a job.
    ///
    /// - Returns: whether there was room for it.
    @discardableResult
    func add(_ job: @escaping Job) -> Bool {
        let (isAdded, begins) = state.with { state in
            guard state.waiting.count < Self.bound else { return (false, false) }
            state.waiting.append(job)
            defer { state.isRunning = true }
            return (true, !state.isRunning)
        }
        if begins { Task { await run() } }
        return isAdded
    }

    /// Does some work in its turn.
    ///
    /// - Throws: what the work throws; `networkError` where too many wait.
    func result<Value: Sendable>(
        of work: @escaping @Sendable () async throws(PushNotificationError) -> Value
    ) async throws(PushNotificationError) -> Value {
        let result: Result<Value, PushNotificationError> = await withCheckedContinuation { continuation in
            let isAdded = add {
                do throws(PushNotificationError) {
                    continuation.resume(returning: .success(try await work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            guard !isAdded else { return }
            continuation.resume(returning: .failure(.networkError(TransportError.failed("too many calls wait"))))
        }
        return try result.get()
    }

    private func run() async {
        while let job = next() { await job() }
    }

    private func next() -> Job? {
        state.with { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
