import MartletCore
import Synchronization

/// One timer for all who wait for about the same time, in place of one for each.
final class Ticker: Sendable {
    private struct State {
        var nextWaiter: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Mutex(State())
    private let interval: Duration
    private let clock: any WallClock

    /// A ticker that ticks while it is run.
    init(interval: Duration, clock: any WallClock) {
        self.interval = interval
        self.clock = clock
    }

    /// Ticks at every interval until it is cancelled; those who wait then are cancelled too, or wait in vain.
    func run() async {
        while (try? await clock.sleep(for: interval)) != nil {
            let waiters = state.withLock { state in
                defer { state.waiters.removeAll(keepingCapacity: true) }
                return state.waiters.values
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Returns at the next tick, which is at most an interval away.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    func next() async throws {
        let id = state.withLock { state in
            state.nextWaiter &+= 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                let isCancelled = state.withLock { state in
                    // Cancelled before it came here: its handler has found nobody.
                    guard !Task.isCancelled else { return true }
                    state.waiters[id] = waiter
                    return false
                }
                if isCancelled { waiter.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }
}
