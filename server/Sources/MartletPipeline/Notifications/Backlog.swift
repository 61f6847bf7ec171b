import MartletCore
import MartletStore
import MartletWire
import Synchronization

/// Refuses submissions while more deliveries wait in the store than may: they would only wait longer, and the sender is
/// the one who can slow down. ``WaitingDeliveries`` says who is refused then.
final class Backlog: Sendable {
    private struct State {
        var waiting = WaitingDeliveries()
        var nextReading: Timestamp?
        var isReading = false
    }

    /// How old the number may be. Ours: what is accepted in two seconds does not matter beside the bound.
    static let lifetime: Duration = .seconds(2)

    /// For how much longer than it took to read it the number is used at least, so that reading costs a twentieth.
    static let rest = 20

    /// How old the number may be at most, however long it takes to read.
    static let longestRest: Duration = .seconds(60)

    /// When a sender may ask again. Ours: a backlog over the bound takes longer than this to shrink, and a sender that
    /// asks once in ten seconds costs nothing.
    static let retryAfter: Duration = .seconds(10)

    private let store: Store
    private let clock: any WallClock
    private let limit: Int
    private let state = Mutex(State())

    /// A bound of so many deliveries.
    init(store: Store, clock: any WallClock, limit: Int) {
        self.store = store
        self.clock = clock
        self.limit = limit
    }

    /// Returns when these may send one more notification.
    ///
    /// - Throws: `Failure` with ``ErrorCode/overloaded``. A store that does not say how much waits refuses nothing here.
    func admit(_ owners: Set<WaitingDeliveries.Owner>) async throws(Failure) {
        let now = clock.now()
        let isDue = state.withLock { state in
            // A clock that was set back makes the reading due too.
            let isFresh = state.nextReading.map { now < $0 && $0 - now <= Backlog.longestRest } ?? false
            guard !isFresh, !state.isReading else { return false }
            state.isReading = true
            return true
        }
        if isDue { await read(at: now) }
        let waiting = state.withLock(\.waiting)
        guard waiting.isRefused(owners, limit: limit) else { return }
        let own = owners.reduce(0) { $0 + waiting.counts[$1, default: 0] }
        var failure = Failure(
            .overloaded,
            "\(waiting.total) deliveries wait, \(own) of them for this sender; the limit is \(limit).",
            hint: "Send it again later, see martlet_backlog_deliveries for the queues, or raise backlogLimit."
        )
        failure.retryAfter = Backlog.retryAfter
        throw failure
    }

    private func read(at now: Timestamp) async {
        let start = ContinuousClock.now
        let waiting = try? await store.waitingDeliveries()
        let rest = max(Backlog.lifetime, min((ContinuousClock.now - start) * Backlog.rest, Backlog.longestRest))
        state.withLock { state in
            state.waiting = waiting ?? state.waiting
            state.nextReading = now + rest
            state.isReading = false
        }
    }
}
