import MartletCore
import Synchronization

/// A clock that stands still until a test moves it.
final class ManualTime: WallClock {
    private let present: Mutex<Timestamp>

    init(_ start: Timestamp = Timestamp(milliseconds: 1_800_000_000_000)) { present = Mutex(start) }

    func now() -> Timestamp { present.withLock { $0 } }

    func sleep(until deadline: Timestamp) async throws { throw CancellationError() }

    func advance(by duration: Duration) { present.withLock { $0 = $0 + duration } }
}
