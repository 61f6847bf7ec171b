import Synchronization

/// Tells waiting workers that there may be something to do. A ring between two looks is never lost.
public final class WorkBell: Sendable {
    /// What there may be to do.
    public enum Work: Int, Sendable, CaseIterable {
        /// Audiences to be read.
        case audiences
        /// Batches to be sent.
        case batches
        /// Batches that were leased where they were accepted.
        case headStarts
        /// Messages for web addresses.
        case webhooks
    }

    private struct Waiter {
        var work: Work
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var rings = Array(repeating: UInt64(0), count: Work.allCases.count)
        var nextWaiter: UInt64 = 0
        var waiters: [UInt64: Waiter] = [:]
    }

    private let state = Mutex(State())

    /// A bell that has not rung.
    public init() {}

    /// How often it has rung for some work: read it before looking for that, and wait for more than that.
    public func rings(_ work: Work) -> UInt64 { state.withLock { $0.rings[work.rawValue] } }

    /// Wakes everybody who waits, for whatever work.
    public func ring() { for work in Work.allCases { ring(work) } }

    /// Wakes those who wait for some work.
    public func ring(_ work: Work) {
        let waiters = state.withLock { state in
            state.rings[work.rawValue] &+= 1
            let waiters = state.waiters.filter { $0.value.work == work }
            for id in waiters.keys { state.waiters[id] = nil }
            return waiters.values
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Returns when the bell has rung more often than `rings` for that work, when the moment has come, if there is one, or
    /// when the task is cancelled.
    public func wait(for work: Work, after rings: UInt64, until deadline: Timestamp?, clock: any WallClock) async {
        guard let deadline else { return await wait(for: work, after: rings) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(for: work, after: rings) }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(for work: Work, after rings: UInt64) async {
        let id = state.withLock { state in
            state.nextWaiter &+= 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.rings[work.rawValue] == rings, !Task.isCancelled else { return true }
                    state.waiters[id] = Waiter(work: work, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}
