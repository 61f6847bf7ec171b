import MartletCore
import Synchronization

/// A clock that a run moves, back too: what an operator or a time server does to a machine.
final class SteppingClock: WallClock {
    private struct State {
        var moment = Timestamp(milliseconds: 1_750_000_000_000)
        var skew = Duration.zero
    }

    private let state = Mutex(State())

    func now() -> Timestamp { state.withLock { $0.moment + $0.skew } }

    func move(by duration: Duration) { state.withLock { $0.moment = $0.moment + duration } }

    /// Shows from now on what the clock of a process shows that is off by so much.
    func show(_ skew: Duration) { state.withLock { $0.skew = skew } }

    /// Nobody waits in a run: what takes time is a step of its own.
    func sleep(until deadline: Timestamp) async throws { throw CancellationError() }
}
