import PushNotificationSDKCore

/// A clock that stands still until a test moves it.
package final class ManualClock: SDKClock {
    private struct Sleeper {
        var id: Int
        /// By the monotonic clock.
        var until: Int64
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Int64
        var monotonic: Int64
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var nextID = 0
    }

    private let state: Locked<State>
    /// The moments until which somebody waits, or waited, in the order in which they began.
    package let sleeps = Journal<Int64>()

    /// A clock at a moment; without one at 2026-03-01T12:00:00Z.
    package init(now: Int64 = 1_772_366_400_000) {
        state = Locked(State(now: now, monotonic: now))
    }

    package var now: Int64 { state.with { $0.now } }
    package var monotonic: Int64 { state.with { $0.monotonic } }

    /// Moves the clock on and wakes whoever waited for no longer than that.
    package func advance(by milliseconds: Int64) {
        set(now + milliseconds)
    }

    /// Sets the clock. Forward, so much time passes; back, none does.
    package func set(_ now: Int64) {
        let awake = state.with { state in
            state.monotonic += max(0, now - state.now)
            state.now = now
            let awake = state.sleepers.filter { $0.until <= state.monotonic }
            state.sleepers.removeAll { $0.until <= state.monotonic }
            return awake
        }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Waits until so many have begun to wait, and moves the clock to the end of the last one's wait. In a test that is
    /// cancelled, by its time limit, nothing moves.
    package func passSleep(_ count: Int) async {
        let moments = await sleeps.wait(for: count)
        guard moments.count >= count else { return }
        set(max(now, moments[count - 1]))
    }

    package func sleep(until moment: Int64) async throws {
        let id = state.with { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let end: Result<Void, any Error>? = state.with { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if moment <= state.now { return .success(()) }
                    let until = moment - state.now + state.monotonic
                    state.sleepers.append(Sleeper(id: id, until: until, continuation: continuation))
                    return nil
                }
                if let end { continuation.resume(with: end) }
                sleeps.add(moment)
            }
        } onCancel: {
            let sleeper = state.with { state in
                let index = state.sleepers.firstIndex { $0.id == id }
                if index == nil { state.cancelled.insert(id) }
                return index.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
