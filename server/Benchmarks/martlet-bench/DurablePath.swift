import Foundation

/// P2 to P4: one `POST /api/v1/notifications` to every endpoint of an app, with dedup, to the last recorded outcome.
struct DurablePath {
    /// What the floor is measured with.
    let mock: MockServer
    let streams: Int
    /// Where the pushes go, and the word for it in the table.
    let provider: ServerUnderTest.Provider
    let name: String
    /// How many endpoints: the goal is for the second, the others show how the cost grows.
    static let sizes = [10_000, 100_000, 1_000_000]

    /// How often a size is sent to: a run to 10,000 is over within half a second, of which its first connections and a
    /// cold cache are a part, so that it takes more of them to say what it costs.
    static func runs(of size: Int) -> Int { max(1, min(10, 300_000 / size)) }

    /// What one run cost.
    struct Run {
        /// CPU microseconds of the server for each push.
        var microseconds: Double
        var perSecond: Double
        var peakMegabytes: Double
    }

    /// One line for each size, and those that compare the sizes.
    func rows(sizes: [Int]) async throws -> [Row] {
        var rows: [Row] = []
        var runs: [Int: Run] = [:]
        for size in sizes {
            let server = try await ServerUnderTest(endpoints: size, provider: provider)
            let begin = ContinuousClock.now
            try await server.start()
            let start = (server.readyAt - begin) / .milliseconds(1)
            let floor = try floor()
            let run = try await measure(server, endpoints: size, runs: Self.runs(of: size))
            runs[size] = run
            rows.append(row(size, run, floor: (floor + (try self.floor())) / 2))
            if size == 1_000_000, provider.url == mock.provider().url {
                rows.append(
                    Row(
                        "P7 start, 1M endpoints",
                        ours: "\(start.text(0)) ms",
                        goal: "< 300 ms",
                        isMet: start < 300,
                        note: ""
                    )
                )
            }
            try await server.stop()
        }
        return rows + comparisons(runs)
    }

    private func floor() throws -> Double {
        try Floor.measure(port: mock.port, streams: streams, requests: 200_000, body: try mock.payload()).microseconds
    }

    private func row(_ size: Int, _ run: Run, floor: Double) -> Row {
        Row(
            "P2 durable path, \(size) endpoints, \(streams) streams, \(name)",
            ours: run.microseconds,
            floor: floor,
            goal: 3,
            note: "\(run.perSecond.text(0)) pushes/s, peak \(run.peakMegabytes.text(0)) MB"
        )
    }

    private func comparisons(_ runs: [Int: Run]) -> [Row] {
        guard let small = runs[10_000], let large = runs[1_000_000] else { return [] }
        let peaks = runs.values.map(\.peakMegabytes)
        let (least, most) = (peaks.min() ?? 0, peaks.max() ?? 0)
        return [
            Row(
                "P3 peak memory of the server, \(name)",
                ours: "\(most.text(0)) MB",
                goal: "≤ 96 MB",
                isMet: most <= 96,
                note: ""
            ),
            Row(
                "P3 most against least, 10 k to 1 M endpoints, \(name)",
                ours: "\(most.text(0)) MB",
                floor: "\(least.text(0)) MB",
                ratio: most / least,
                goal: 1.1,
                note: ""
            ),
            Row(
                "P4 CPU a push, 1 M against 10 k endpoints, \(name)",
                ours: large.microseconds,
                floor: small.microseconds,
                goal: 1.1,
                note: ""
            ),
        ]
    }

    /// Sends to all, several times under keys of their own; the median of each figure.
    func measure(_ server: ServerUnderTest, endpoints: Int, runs: Int) async throws -> Run {
        var all: [Run] = []
        for _ in 0..<runs { all.append(try await once(server, endpoints: endpoints)) }
        return Run(
            microseconds: all.map(\.microseconds).median,
            perSecond: all.map(\.perSecond).median,
            peakMegabytes: all.map(\.peakMegabytes).max() ?? 0
        )
    }

    private func once(_ server: ServerUnderTest, endpoints: Int) async throws -> Run {
        try server.figures.forgetPeak()
        let before = try server.figures.cpuSeconds()
        let start = ContinuousClock.now
        let id = try await server.send(to: #"{"all": true}"#, dedup: UUID().uuidString)
        let answered = try await server.untilDone(id)
        let wall = (ContinuousClock.now - start) / .seconds(1)
        // One more: the endpoint to which the first push went.
        guard answered == endpoints + 1 else { throw BenchmarkError("\(answered) of \(endpoints) were answered") }
        return Run(
            microseconds: (try server.figures.cpuSeconds() - before) * 1_000_000 / Double(endpoints),
            perSecond: Double(endpoints) / wall,
            peakMegabytes: try server.figures.peakMegabytes()
        )
    }
}
