import MartletCore
import Synchronization

/// A clock that a run moves, back too: what an operator or a time server does to a machine.
final class SteppingClock: WallClock {
    private let moment = Mutex(Timestamp(milliseconds: 1_750_000_000_000))

    func now() -> Timestamp { moment.withLock(\.self) }

    func move(by duration: Duration) { moment.withLock { $0 = $0 + duration } }

    /// Nobody waits in a run: what takes time is a step of its own.
    func sleep(until deadline: Timestamp) async throws { throw CancellationError() }
}
