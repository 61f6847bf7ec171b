import Synchronization

/// Tells waiting workers that there may be something to do. A notification between two looks is never lost.
public final class WakeUps: Sendable {
    /// What there may be to do.
    public enum Work: Int, Sendable, CaseIterable {
        /// Audiences to be read.
        case audiences
        /// Batches to be sent.
        case batches
        /// Batches that were leased where they were accepted.
        case inlineDispatch
        /// Messages for webhook URLs.
        case webhooks
    }

    private struct Waiter {
        var work: Work
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var counts = Array(repeating: UInt64(0), count: Work.allCases.count)
        var nextWaiter: UInt64 = 0
        var waiters: [UInt64: Waiter] = [:]
    }

    private let state = Mutex(State())

    /// The defaults.
    public init() {}

    /// How often those who wait for some work were notified: read it before looking for that, and wait for more than that.
    public func count(of work: Work) -> UInt64 { state.withLock { $0.counts[work.rawValue] } }

    /// Wakes everybody who waits, for whatever work.
    public func notify() { for work in Work.allCases { notify(work) } }

    /// Wakes those who wait for some work.
    public func notify(_ work: Work) {
        let waiters = state.withLock { state in
            state.counts[work.rawValue] &+= 1
            let waiters = state.waiters.filter { $0.value.work == work }
            for id in waiters.keys { state.waiters[id] = nil }
            return waiters.values
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Returns when there were more notifications than `count` for that work, when the moment has come, if there is one, or
    /// when the task is cancelled.
    public func wait(for work: Work, after count: UInt64, until deadline: Timestamp?, clock: any WallClock) async {
        guard let deadline else { return await wait(for: work, after: count) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(for: work, after: count) }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(for work: Work, after count: UInt64) async {
        let id = state.withLock { state in
            state.nextWaiter &+= 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.counts[work.rawValue] == count, !Task.isCancelled else { return true }
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
