public import MartletCore
import Synchronization

/// A clock that stands still until a test moves it: nobody who sleeps on it waits for real time.
public final class ManualClock: WallClock {
    private struct Sleeper {
        var deadline: Timestamp
        var wake: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Timestamp
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>
    /// How many sleep; told while the state is locked, so that the last word is the last change.
    private let asleep = CountWatch()

    /// A clock that stands at a moment; some time in June 2025 where none is given.
    public init(_ start: Timestamp = Timestamp(milliseconds: 1_750_000_000_000)) {
        state = Mutex(State(now: start))
    }

    /// Where the clock stands.
    public func now() -> Timestamp { state.withLock(\.now) }

    /// Returns when the clock was moved to the moment.
    public func sleep(until deadline: Timestamp) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { fallAsleep(Sleeper(deadline: deadline, wake: $0), id) }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                asleep.set(state.sleepers.count)
                // The task may be cancelled before it lies down.
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.wake.resume(throwing: CancellationError())
        }
        state.withLock { _ = $0.cancelled.remove(id) }
    }

    private func fallAsleep(_ sleeper: Sleeper, _ id: Int) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            guard sleeper.deadline > state.now else { return .success(()) }
            state.sleepers[id] = sleeper
            asleep.set(state.sleepers.count)
            return nil
        }
        if let result { sleeper.wake.resume(with: result) }
    }

    /// Moves the clock and wakes whose time has come, the earliest first.
    public func advance(by duration: Duration) { advance(to: now() + duration) }

    /// Moves the clock, never back, and wakes whose time has come, the earliest first.
    public func advance(to moment: Timestamp) {
        let woken = state.withLock { state in
            state.now = max(state.now, moment)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            asleep.set(state.sleepers.count)
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.wake.resume() }
    }

    /// Sets the clock, forward or back, as an operator does: whoever sleeps sleeps on for as long as before.
    public func set(by duration: Duration) {
        state.withLock { state in
            state.now = state.now + duration
            state.sleepers = state.sleepers.mapValues { Sleeper(deadline: $0.deadline + duration, wake: $0.wake) }
        }
    }

    /// How often somebody went to sleep.
    public var sleepCount: Int { state.withLock(\.lastID) }

    /// When the first of those who sleep wants to be woken.
    public var nextDeadline: Timestamp? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    /// Returns when at least so many sleep: then whoever was to fall asleep does, and the clock can be moved. Returns
    /// also when the task is cancelled.
    public func untilAsleep(_ count: Int = 1) async { await asleep.until(count) }
}
