import MartletCore
import MartletPipeline
import MartletStore
import MartletWire
import Synchronization

/// Reads what `/metrics` shows of the pipeline: what waits in the store, what is under way, and what was counted, under
/// the names that apps have at the moment.
final class OperatorSamples: Sendable {
    /// How old the store's numbers may be: half of the shortest usual scrape interval, ten seconds.
    private static let lifetime: Duration = .seconds(5)
    /// For how long each of the two readings of the store may take: both together are below Prometheus' ten seconds.
    static let readLimit: Duration = .seconds(4)

    private let store: Store
    private let clock: any WallClock
    private let providers: [Platform: any Provider]
    private let breakers: QueueBreakers
    private let problems: ProblemList
    let delivery: DeliveryMetrics
    private let state = Mutex<(seen: StoreSnapshot?, names: AppNames)>((nil, AppNames()))
    /// Its own, so that the reads which it leaves behind do not count against others'.
    private let probe = StoreProbe()

    /// Readings of a store, of providers, and of a pipeline.
    init(
        store: Store,
        clock: any WallClock,
        providers: [Platform: any Provider],
        breakers: QueueBreakers,
        problems: ProblemList,
        delivery: DeliveryMetrics
    ) {
        self.store = store
        self.clock = clock
        self.providers = providers
        self.breakers = breakers
        self.problems = problems
        self.delivery = delivery
    }

    /// All of it. Where the store does not answer its numbers are absent and not what they were, and `martlet_store_up`
    /// is 0; everything else is there all the same.
    func all() async -> [MetricSample] {
        let now = clock.now()
        let snapshot = await look(at: now)
        let names = state.withLock { state in
            if let snapshot { state.names = snapshot.names }
            state.seen = snapshot
            return state.names
        }
        var up = MetricSample("martlet_store_up", .gauge, "1 when the database could be read, else 0.")
        up.add(snapshot == nil ? 0 : 1)
        let found = snapshot == nil ? nil : await read { [problems] in try await problems.problems() }
        let traffic = providers.values.flatMap { $0.traffic() }
        let numbers = delivery.numbers
        // A queue without anything is shown as 0, so that a counter is there before it grows.
        let busy = Set(traffic.map(\.queue)).union(breakers.all(at: now).keys).union(numbers.ends.keys.map(\.queue))
            .union(snapshot?.busyQueues ?? [])
        // Behind the others, should there be no capacity for all.
        let queues = Array(busy) + (snapshot?.queues.subtracting(busy) ?? [])
        return [up] + (found.map { [names.problems($0)] } ?? []) + (snapshot?.samples(queues: queues, at: now) ?? [])
            + traffic.samples(names)
            + breakers.samples(names, queues: queues, at: now) + numbers.samples(names, queues: queues)
    }

    /// What the store says, from a moment ago where that will do; `nil` when it says nothing.
    private func look(at now: Timestamp) async -> StoreSnapshot? {
        if let seen = state.withLock({ $0.seen }), now >= seen.at, now - seen.at < Self.lifetime { return seen }
        return await read { [store] in try await StoreSnapshot(store, at: now) }
    }

    private func read<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> Value? {
        await probe.value(within: Self.readLimit, clock: clock, body)
    }
}

/// How apps are called.
struct AppNames: Sendable {
    private var names: [RowID<App>: String] = [:]

    init() {}

    /// The names of a store's apps; ten thousand of them, which is what a metric has capacity for.
    init(_ store: Store) async throws {
        var after: Int64?
        repeat {
            let page = try await store.apps(PageRequest(after: after, count: PageRequest.limit))
            for app in page.items { names[app.row] = app.name }
            after = page.next
        } while after != nil && names.count < PrometheusRegistry.seriesBound
    }

    /// All apps that have a name.
    var apps: [RowID<App>] { Array(names.keys) }

    /// 1 for each problem; none where there is none.
    fileprivate func problems(_ found: [Problem]) -> MetricSample {
        var sample = MetricSample(
            "martlet_problems",
            .gauge,
            "1 for each thing that an operator should know, by app, platform, environment and kind: GET /api/v1/problems."
        )
        var seen: Set<[String]> = []
        for problem in found {
            let labels = [
                ("app", problem.app?.name ?? ""), ("platform", problem.queue?.platform.rawValue ?? ""),
                ("environment", problem.queue?.environment.rawValue ?? ""), ("kind", problem.kind.rawValue),
            ]
            // Several topics of one credential may be refused.
            if seen.insert(labels.map(\.1)).inserted { sample.add(labels, 1) }
        }
        return sample
    }

    /// What an app is labelled with; `nil` when it is gone.
    func labels(_ app: RowID<App>) -> [(String, String)]? { names[app].map { [("app", $0)] } }

    /// What a queue is labelled with; `nil` when its app is gone.
    func labels(_ queue: DeliveryQueue, _ more: (String, String)...) -> [(String, String)]? {
        labels(queue.app).map {
            $0 + [("platform", queue.platform.rawValue), ("environment", queue.environment.rawValue)] + more
        }
    }
}
