import CoreMetrics
import MartletCore
import Metrics
import Synchronization

/// Shows what waits in the store as gauges, read when somebody asks for `/metrics` and at most every five seconds.
final class StoreGauges: Sendable {
    /// How old the numbers may be: half of the shortest usual scrape interval, ten seconds.
    private static let lifetime: Duration = .seconds(5)

    private let store: any Store
    private let clock: any WallClock
    private let metrics: PrometheusRegistry
    private let breakers: LaneBreakers
    private let state = Mutex<(readAt: Timestamp?, lanes: Set<Lane>)>((nil, []))

    /// Gauges of a store, and of the lanes' breakers.
    init(store: any Store, clock: any WallClock, metrics: PrometheusRegistry, breakers: LaneBreakers) {
        self.store = store
        self.clock = clock
        self.metrics = metrics
        self.breakers = breakers
    }

    /// Brings the gauges up to date. When the store does not answer they stay as they were.
    func refresh() async {
        let now = clock.now()
        let isFresh = state.withLock { state in
            if let last = state.readAt, now - last < StoreGauges.lifetime, now >= last { return true }
            state.readAt = now
            return false
        }
        guard !isFresh else { return }
        for (lane, breaker) in breakers.all() {
            guard let labels = await labels(of: lane) else { continue }
            show("martlet_breaker_state", breaker.gauge, labels)
        }
        guard let numbers = try? await store.statistics() else { return }
        show("martlet_dead_letters", numbers.deadLetters)
        show("martlet_endpoints_enabled", numbers.enabledEndpoints)
        show("martlet_set_aside", numbers.setAside)
        let present = Set(numbers.backlogs.map(\.lane))
        // A lane that has nothing waiting any more is shown as 0 and not as what it was.
        let gone = state.withLock { state in
            defer { state.lanes = present }
            return state.lanes.subtracting(present)
        }
        for backlog in numbers.backlogs {
            let age = max(0, (now - backlog.oldest).milliseconds / 1000)
            await show(backlog.lane, waiting: backlog.deliveries, age: Int(age), isPaused: backlog.isPaused)
        }
        for lane in gone { await show(lane, waiting: 0, age: 0, isPaused: false) }
    }

    private func show(_ lane: Lane, waiting: Int, age: Int, isPaused: Bool) async {
        guard let labels = await labels(of: lane) else { return }
        show("martlet_backlog_deliveries", waiting, labels)
        show("martlet_backlog_age_seconds", age, labels)
        show("martlet_lane_paused", isPaused ? 1 : 0, labels)
    }

    private func labels(of lane: Lane) async -> [(String, String)]? {
        guard let app = try? await store.app(.row(lane.app)) else { return nil }
        return [("app", app.name), ("platform", lane.platform.rawValue), ("environment", lane.environment.rawValue)]
    }

    private func show(_ name: String, _ value: Int, _ labels: [(String, String)] = []) {
        Gauge(label: name, dimensions: labels, factory: metrics).record(value)
    }
}

extension Breaker {
    /// The state as a number: 0 closed, 1 trying, 2 open.
    fileprivate var gauge: Int {
        switch state {
        case .closed: 0
        case .probing, .recovering: 1
        case .open: 2
        }
    }
}
