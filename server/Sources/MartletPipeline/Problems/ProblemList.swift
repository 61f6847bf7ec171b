package import MartletCore
package import MartletStore
import MartletWire
import Synchronization

/// The problems that there are now. What waits and what failed is counted every few seconds, because that costs most and
/// many may ask; everything else is as it is now.
public final class ProblemList: Sendable {
    /// How old the numbers may be. Ours: what a person who loads a page again does not notice.
    private static let lifetime: Duration = .seconds(5)
    /// For how much longer than it took to read them the numbers are used at least, so that reading costs a twentieth.
    private static let rest = 20
    /// How old the numbers may be at most, however long it takes to read them.
    private static let longestRest: Duration = .seconds(60)
    /// How many apps are looked at. Ours: more have no one list that a person reads.
    private static let appLimit = 1_000

    private struct State {
        var statistics: StoreStatistics?
        var readAt = Timestamp(milliseconds: 0)
        var rest = ProblemList.lifetime
        var isReading = false
    }

    private let store: Store
    private let breakers: QueueBreakers
    private let clock: any WallClock
    private let state = Mutex(State())

    package init(store: Store, breakers: QueueBreakers, clock: any WallClock) {
        (self.store, self.breakers, self.clock) = (store, breakers, clock)
    }

    /// The problems of one app or, with those of webhook URLs, of all; the worst first.
    package func problems(of app: App? = nil) async throws -> [Problem] {
        let now = clock.now()
        let apps = if let app { [app] } else { try await self.apps() }
        var credentials: [Credential] = []
        for app in apps { credentials += try await store.credentials(app.row) }
        let sources = ProblemSources(
            apps: apps,
            pauses: try await store.pauses(app?.row),
            credentials: credentials,
            statistics: try await statistics(),
            breakers: apps.flatMap { breakers.standing(of: $0.row, at: now) }
        )
        return sources.problems(at: now).filter { app == nil || $0.app != nil }
    }

    private func apps() async throws -> [App] {
        var (apps, after): ([App], Int64?) = ([], nil)
        repeat {
            let page = try await store.apps(PageRequest(after: after, count: PageRequest.limit))
            apps += page.items
            after = page.next
        } while after != nil && apps.count < Self.appLimit
        return apps
    }

    /// What waits and what failed, as it was a moment ago. One asks the store; meanwhile the others go by what they had.
    package func statistics() async throws -> StoreStatistics {
        let now = clock.now()
        let known: StoreStatistics? = state.withLock { state in
            let age = now - state.readAt
            if let known = state.statistics, state.isReading || age >= .zero && age < state.rest { return known }
            state.isReading = true
            return nil
        }
        if let known { return known }
        defer { state.withLock { $0.isReading = false } }
        let start = ContinuousClock.now
        let read = try await store.statistics(.problems)
        let rest = max(Self.lifetime, min((ContinuousClock.now - start) * Self.rest, Self.longestRest))
        state.withLock { ($0.statistics, $0.readAt, $0.rest) = (read, now, rest) }
        return read
    }
}
