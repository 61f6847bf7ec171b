import Synchronization

/// A number that others change, and tasks that wait until it is large enough.
final class CountWatch: Sendable {
    private struct Waiter {
        var count: Int
        var notify: CheckedContinuation<Void, Never>
    }

    private struct State {
        var count = 0
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state = Mutex(State())

    /// Says what the number is now, and wakes those for whom it is enough.
    func set(_ count: Int) {
        let satisfied = state.withLock { state in
            state.count = count
            let satisfied = state.waiters.filter { $0.value.count <= count }
            for id in satisfied.keys { state.waiters[id] = nil }
            return satisfied.values
        }
        for waiter in satisfied { waiter.notify.resume() }
    }

    /// Returns when the number is at least so large, or when the task is cancelled.
    func until(_ count: Int) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { notify in
                let isOver = state.withLock { state in
                    if state.count >= count || Task.isCancelled { return true }
                    state.waiters[id] = Waiter(count: count, notify: notify)
                    return false
                }
                if isOver { notify.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.notify.resume()
        }
    }
}
