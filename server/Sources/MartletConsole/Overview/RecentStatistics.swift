import MartletCore
import Synchronization

/// What waits and what failed, as it was a moment ago: counting it reads an index of all endpoints, and many may have the
/// page open.
final class RecentStatistics: Sendable {
    /// How old the numbers may be. Ours: what a person who loads the page again does not notice.
    private static let lifetime: Duration = .seconds(5)

    private let store: any Store
    private let clock: any WallClock
    private let seen = Mutex<(at: Timestamp, value: StoreStatistics)?>(nil)

    init(store: any Store, clock: any WallClock) { (self.store, self.clock) = (store, clock) }

    func recent() async throws -> StoreStatistics {
        let now = clock.now()
        if let seen = seen.withLock({ $0 }), now >= seen.at, now - seen.at < Self.lifetime { return seen.value }
        let value = try await store.statistics()
        seen.withLock { $0 = (now, value) }
        return value
    }
}
