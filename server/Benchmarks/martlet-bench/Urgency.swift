import Foundation
import MartletTesting

/// P16: how long a personal push of class `transactional` takes from the request to the wire while the same app sends to a
/// million, beside the same server idle just before.
struct Urgency {
    let mock: MockServer

    static let endpoints = 1_000_000
    /// How many pushes while the server is idle; beside the broadcast there are as many as it lasts.
    static let samples = 300
    /// A login code that takes longer is of no use to anybody.
    static let timeout: Duration = .seconds(60)
    /// Between two pushes: some twenty a second are no load of their own.
    static let pause: Duration = .milliseconds(50)

    func rows() async throws -> [Row] {
        let token = ServerUnderTest.token(1)
        let provider = try await ArrivalServer.start(mock, path: "/3/device/\(token)")
        let server = try await ServerUnderTest(endpoints: Self.endpoints, provider: mock.provider(url: provider.url))
        try await server.start()
        let personal = Personal(server: server, arrivals: provider.arrivals, token: token)
        var idle: [Double] = []
        for _ in 0..<Self.samples { idle.append(try await personal.once()) }
        let start = ContinuousClock.now
        let id = try await server.send(to: #"{"all": true}"#, dedup: UUID().uuidString)
        var beside: [Double] = []
        while try await !server.isDone(id) { beside.append(try await personal.once()) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try await server.stop()
        await provider.stop()
        return [
            Row(
                "P16 transactional beside the app's own million, p99",
                ours: "\(beside.percentile(0.99).text(1)) ms",
                floor: "\(idle.percentile(0.99).text(1)) ms",
                ratio: beside.percentile(0.99) / idle.percentile(0.99),
                goal: 3,
                note: "p50 \(beside.percentile(0.5).text(1)) ms beside \(idle.percentile(0.5).text(1)) ms idle, "
                    + "\(beside.count) pushes"
            ),
            Row(
                "P16 the million meanwhile, to the last recorded answer",
                ours: "\(seconds.text(1)) s",
                goal: "",
                isMet: nil,
                note: "\((Double(Self.endpoints) / seconds).text(0)) pushes/s"
            ),
        ]
    }

    /// One who wants to log in.
    private struct Personal {
        let server: ServerUnderTest
        let arrivals: Arrivals
        let token: String

        /// Sends one push; how long it took to the wire, in milliseconds.
        func once() async throws -> Double {
            try await Task.sleep(for: Urgency.pause)
            _ = arrivals.takeFirst()
            let start = ContinuousClock.now
            _ = try await server.send(to: #"{"tokens": ["\#(token)"]}"#, class: "transactional")
            while ContinuousClock.now < start + Urgency.timeout {
                if let arrival = arrivals.takeFirst() { return (arrival - start) / .milliseconds(1) }
                try await Task.sleep(for: .milliseconds(1))
            }
            throw BenchmarkError("a personal push did not arrive")
        }
    }
}
