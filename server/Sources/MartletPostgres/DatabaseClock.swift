import MartletCore
import Synchronization

/// The database's own clock, which all processes on it share whatever their machines' clocks show: its moment when it was
/// asked last, and what has passed since on this machine's monotonic clock.
final class DatabaseClock: WallClock {
    private struct Reading {
        var moment: Timestamp
        var at: ContinuousClock.Instant
    }

    private struct State {
        var reading: Reading?
        var asksAgainAt = ContinuousClock.now
    }

    /// How often it is asked. Ours: two machines' clocks part by less than a millisecond in that time.
    private static let interval: Duration = .seconds(10)

    private let state = Mutex(State())

    /// The present moment; before the database was asked, this machine's.
    func now() -> Timestamp {
        guard let reading = state.withLock(\.reading) else { return SystemClock().now() }
        return reading.moment + (ContinuousClock.now - reading.at)
    }

    /// Asks the database, if it was not asked for a while.
    func adjust(on connection: PostgresConnection) throws {
        let start = ContinuousClock.now
        let isDue = state.withLock { state in
            guard state.asksAgainAt <= start else { return false }
            state.asksAgainAt = start + Self.interval
            return true
        }
        guard isDue else { return }
        let moment = try connection.moment()
        let end = ContinuousClock.now
        state.withLock { $0.reading = Reading(moment: moment, at: start + (end - start) / 2) }
    }

    /// Sleeps on the monotonic clock for as long as the moment lies ahead now.
    func sleep(until deadline: Timestamp) async throws {
        try await sleep(for: max(deadline - now(), .zero))
    }

    /// Sleeps on the monotonic clock.
    func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
