import PushNotificationSDKCore

/// What happened, in order. A test waits for an entry to be there instead of sleeping.
package final class Journal<Entry: Sendable>: Sendable {
    private struct Waiter {
        var id: Int
        var count: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var entries: [Entry] = []
        var waiters: [Waiter] = []
        var nextID = 0
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

    /// Waits until there are so many entries, and returns them all. The suite's time limit is the deadline: it cancels the
    /// test, which then gets what there is.
    package func wait(for count: Int) async -> [Entry] {
        let id = state.with { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.with { state in
                    // One that is cancelled later finds itself among those that wait.
                    if state.entries.count >= count || Task.isCancelled { return true }
                    state.waiters.append(Waiter(id: id, count: count, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.with { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
        return entries
    }

    /// Waits until there is an entry that matches, and returns it; `nil` when the test is cancelled first.
    package func wait(where matches: @Sendable (Entry) -> Bool) async -> Entry? {
        var seen = 0
        while !Task.isCancelled {
            let entries = await wait(for: seen + 1)
            if let match = entries.dropFirst(seen).first(where: matches) { return match }
            seen = entries.count
        }
        return nil
    }
}
