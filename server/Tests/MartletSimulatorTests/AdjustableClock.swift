import MartletSimulator
import Synchronization

/// A clock that stands still until it is moved.
final class AdjustableClock: Sendable {
    private let seconds: Mutex<Int64>

    /// - Parameter seconds: since 1970.
    init(_ seconds: Int64) {
        self.seconds = Mutex(seconds)
    }

    func advance(_ count: Int64) {
        seconds.withLock { $0 += count }
    }

    var clock: SimulatorClock {
        SimulatorClock { self.seconds.withLock { $0 * 1_000 } }
    }
}
