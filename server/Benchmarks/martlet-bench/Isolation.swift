import MartletCore
import MartletTesting

/// What app B notices of app A's trouble: the 99th percentile from the request to the wire, beside B's alone, measured
/// with the same server just before.
struct Isolation {
    let mock: MockServer

    /// How many deliveries of app A wait: more than it may have in flight.
    static let deliveries = 50_000

    func rows() async throws -> [Row] {
        [
            try await row("dead", "com.example.dead", beside: besideDead),
            try await row("hanging, its capacity used up", "com.example.hanging", beside: besideHanging),
        ]
    }

    /// B's times with A in trouble, and how much of A was under way when they began and when they ended.
    private struct Beside {
        var times: [Double]
        var underWay: (Int, Int)
    }

    private func row(
        _ trouble: String,
        _ app: String,
        beside: (ServerUnderTest, Arrivals, String) async throws -> Beside
    ) async throws -> Row {
        let provider = try await ArrivalServer.start(mock)
        let server = try await ServerUnderTest(endpoints: 1_000, provider: mock.provider(url: provider.url))
        try await server.start()
        _ = provider.arrivals.takeFirst()
        let alone = try await Latency.sample(server, provider.arrivals).percentile(0.99)
        let beside = try await beside(server, provider.arrivals, app)
        try await server.stop()
        await provider.stop()
        let p99 = beside.times.percentile(0.99)
        return Row(
            "Isolation, p99 of app B while app A's provider is \(trouble)",
            ours: "\(p99.text(2)) ms",
            floor: "\(alone.text(2)) ms",
            ratio: p99 / alone,
            goal: 1.5,
            note: "\(Isolation.deliveries) deliveries of A, of which \(beside.underWay.0) to \(beside.underWay.1) "
                + "under way; beside B's figure alone"
        )
    }

    /// A's provider takes connections and does not speak TLS: A's breaker opens, and A is idle but for its probes.
    private func besideDead(_ server: ServerUnderTest, _ arrivals: Arrivals, _ app: String) async throws -> Beside {
        let hole = try await BlackHole.start()
        let provider = mock.provider(url: "https://localhost:\(hole.port)")
        try await server.addApp(app, provider: provider, waiting: Isolation.deliveries)
        let beside = try await sample(server, arrivals, beside: app)
        await hole.stop()
        return beside
    }

    /// A's provider accepts one push, so that the connection is in full use, and never answers another.
    private func besideHanging(_ server: ServerUnderTest, _ arrivals: Arrivals, _ app: String) async throws -> Beside {
        let folder = try TemporaryFolder()
        let simulator = try await SimulatorProcess.pinned(in: folder, topic: app)
        try await simulator.script(#"{"skip": 1, "then": {"do": "hang"}}"#)
        let provider = ServerUnderTest.Provider(
            url: simulator.apns,
            trust: simulator.ca,
            signingKey: folder.file("key.p8")
        )
        try await server.addApp(app, provider: provider, waiting: Isolation.deliveries)
        let capacity = DispatcherSettings().deliveriesPerQueue
        try await Eventually.is("the capacity of \(app) is used up", within: 30) {
            // Of the last batch some may have their answer.
            try await server.pushesInFlight(of: app) > capacity - MemberList.limit
        }
        return try await sample(server, arrivals, beside: app)
    }

    private func sample(_ server: ServerUnderTest, _ arrivals: Arrivals, beside app: String) async throws -> Beside {
        let before = try await server.pushesInFlight(of: app)
        let times = try await Latency.sample(server, arrivals)
        return Beside(times: times, underWay: (before, try await server.pushesInFlight(of: app)))
    }
}
