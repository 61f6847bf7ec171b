import MartletTesting

/// P6: from the request to the frame on the wire, with an idle server.
///
/// Measured from outside: from the moment before the request is written to the moment when a provider has read the push,
/// so that it is rather more than what it says.
struct Latency {
    let mock: MockServer
    /// So many that the few for which the disk was busy with somebody else's work are not the 99th percentile.
    static let samples = 1_000

    func rows() async throws -> [Row] {
        let provider = try await ArrivalServer.start(mock)
        let server = try await ServerUnderTest(endpoints: 1_000, provider: mock.provider(url: provider.url))
        try await server.start()
        _ = provider.arrivals.takeFirst()
        let times = try await Latency.sample(server, provider.arrivals)
        try await server.stop()
        await provider.stop()
        let (p50, p99) = (times.percentile(0.5), times.percentile(0.99))
        return [
            Row(
                "P6 latency, request to frame, p50",
                ours: "\(p50.text(2)) ms",
                goal: "< 3 ms",
                isMet: p50 < 3,
                note: ""
            ),
            Row(
                "P6 latency, request to frame, p99",
                ours: "\(p99.text(2)) ms",
                goal: "< 15 ms",
                isMet: p99 < 15,
                note: ""
            ),
        ]
    }

    /// How long each of some pushes took, in milliseconds.
    static func sample(_ server: ServerUnderTest, _ arrivals: Arrivals) async throws -> [Double] {
        var times: [Double] = []
        for sample in 0..<samples {
            let start = ContinuousClock.now
            let id = try await server.send(to: #"{"users": ["user-\#(1 + sample % 700)"]}"#)
            _ = try await server.untilDone(id, askingEvery: .milliseconds(10))
            guard let first = arrivals.takeFirst() else { throw BenchmarkError("no push arrived") }
            times.append((first - start) / .milliseconds(1))
        }
        return times
    }
}
