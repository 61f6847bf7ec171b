import PushNotificationSDKCore

/// What happened, in order. A test waits for an entry to be there instead of sleeping.
package final class Journal<Entry: Sendable>: Sendable {
    private struct Waiter {
        var count: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var entries: [Entry] = []
        var waiters: [Waiter] = []
    }

    private let state = Locked(State())

    /// An empty journal.
    package init() {}

    /// Everything so far.
    package var entries: [Entry] { state.with { $0.entries } }

    /// Adds an entry.
    package func add(_ entry: Entry) {
        let ready = state.with { state in
            state.entries.append(entry)
            let ready = state.waiters.filter { $0.count <= state.entries.count }
            state.waiters.removeAll { $0.count <= state.entries.count }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Waits until there are so many entries, and returns them all. The suite's time limit is the deadline.
    package func wait(for count: Int) async -> [Entry] {
        await withCheckedContinuation { continuation in
            let isThere = state.with { state in
                if state.entries.count < count {
                    state.waiters.append(Waiter(count: count, continuation: continuation))
                    return false
                }
                return true
            }
            if isThere { continuation.resume() }
        }
        return entries
    }
}
