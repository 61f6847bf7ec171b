import Synchronization

/// Tells waiting workers that there may be something to do. A ring between two looks is never lost.
public final class WorkBell: Sendable {
    private struct State {
        var rings: UInt64 = 0
        var nextWaiter: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// A bell that has not rung.
    public init() {}

    /// How often it has rung: read it before looking for work, and wait for more than that.
    public var rings: UInt64 { state.withLock { $0.rings } }

    /// Wakes everybody who waits.
    public func ring() {
        let waiters = state.withLock { state in
            state.rings &+= 1
            defer { state.waiters.removeAll() }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the bell has rung more often than `rings`, when the moment has come, or when the task is cancelled.
    public func wait(after rings: UInt64, until deadline: Timestamp, clock: some WallClock) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(after: rings) }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(after rings: UInt64) async {
        let id = state.withLock { state in
            state.nextWaiter &+= 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.rings == rings, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
