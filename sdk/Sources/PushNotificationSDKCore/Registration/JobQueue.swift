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

    /// Adds some work, which is done in its turn whether or not somebody waits for it.
    ///
    /// - Returns: what waits for its end; it throws what the work throws, and `networkError` where too many wait.
    func begin<Value: Sendable>(_ work: @escaping UserWork<Value>) -> UserWork<Value> {
        let end = PendingResult<Value>()
        let isAdded = add {
            do throws(PushNotificationError) {
                end.set(.success(try await work()))
            } catch {
                end.set(.failure(error))
            }
        }
        if !isAdded { end.set(.failure(.networkError(TransportError.failed("too many calls wait")))) }
        return { () async throws(PushNotificationError) in try await end.get() }
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

/// What is left of a call that has begun: whoever made it first is served first, whenever its end is waited for.
package typealias UserWork<Value> = @Sendable () async throws(PushNotificationError) -> Value

/// How some work ended, for the one that waits for it.
private final class PendingResult<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, PushNotificationError>?
        var waiting: CheckedContinuation<Result<Value, PushNotificationError>, Never>?
    }

    private let state = Locked(State())

    func set(_ result: Result<Value, PushNotificationError>) {
        state.with { state in
            state.result = result
            defer { state.waiting = nil }
            return state.waiting
        }?.resume(returning: result)
    }

    func get() async throws(PushNotificationError) -> Value {
        let result = await withCheckedContinuation { continuation in
            let known = state.with { state in
                if state.result == nil { state.waiting = continuation }
                return state.result
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }
}
