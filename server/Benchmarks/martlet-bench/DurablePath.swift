import Foundation

/// P2 to P4: one `POST /api/v1/notifications` to every endpoint of an app, with dedup, to the last recorded outcome.
struct DurablePath {
    /// What the floor is measured with: the server that the pushes go to.
    let peer: Floor.Peer
    let streams: Int
    /// Where the pushes go, and the word for it in the table.
    let provider: ServerUnderTest.Provider
    let name: String
    /// The ratio that is to be reached.
    let goal: Double
    /// How many endpoints: the goal is for the second, the others show how the cost grows.
    static let sizes = [10_000, 100_000, 1_000_000]
    /// How many pairs of floor and run are made: the median of the pairs' ratios counts, because the machine is shared.
    static let pairs = 3
    static let floorRequests = 200_000

    /// How often a size is sent to for one run: to 10,000 it is over within half a second, of which its first connections
    /// and a cold cache are a part, so that it takes more of them to say what it costs.
    static func sendings(to size: Int) -> Int { max(1, min(5, 100_000 / size)) }

    /// What one run cost.
    struct Run {
        /// CPU microseconds of the server, and of its database where that is another process, for each push.
        var microseconds: Double
        /// The database's part of them.
        var databaseMicroseconds = 0.0
        var perSecond: Double
        var peakMegabytes: Double
    }

    /// What a size cost.
    private struct Cost {
        var pairs: [(floor: Double, run: Run)] = []
        /// From the start of the process until it listened, in milliseconds.
        var start = 0.0

        var microseconds: Double { pairs.map(\.run.microseconds).median }
        var ratio: Double { pairs.map { $0.run.microseconds / $0.floor }.median }
        var mostMegabytes: Double { pairs.map(\.run.peakMegabytes).max() ?? 0 }
        var usualMegabytes: Double { pairs.map(\.run.peakMegabytes).median }
    }

    /// One line for each size, and those that compare the sizes.
    func rows(sizes: [Int]) async throws -> [Row] {
        var costs: [Int: Cost] = [:]
        for size in sizes { costs[size] = try await cost(of: size) }
        return sizes.compactMap { size in costs[size].map { row(size, $0) } } + comparisons(costs)
    }

    private func cost(of size: Int) async throws -> Cost {
        let server = try await ServerUnderTest(endpoints: size, provider: provider)
        let begin = ContinuousClock.now
        try await server.start()
        var cost = Cost(start: (server.readyAt - begin) / .milliseconds(1))
        for _ in 0..<Self.pairs {
            let floor = try Floor.measure(peer, streams: streams, requests: Self.floorRequests).microseconds
            cost.pairs.append((floor, try await measure(server, endpoints: size)))
        }
        try await server.stop()
        return cost
    }

    private func row(_ size: Int, _ cost: Cost) -> Row {
        Row(
            "P2 durable path, \(size) endpoints, \(streams) streams, \(name)",
            ours: "\(cost.microseconds.text(2)) µs",
            floor: "\(cost.pairs.map(\.floor).median.text(2)) µs",
            ratio: cost.ratio,
            goal: goal,
            note: """
                \(cost.pairs.map(\.run.perSecond).median.text(0)) pushes/s, peak \(cost.mostMegabytes.text(0)) MB
                """
        )
    }

    private func comparisons(_ costs: [Int: Cost]) -> [Row] {
        guard let small = costs[10_000], let middle = costs[100_000], let large = costs[1_000_000] else { return [] }
        let most = costs.values.map(\.mostMegabytes).max() ?? 0
        let usual = costs.values.map(\.usualMegabytes)
        let (low, high) = (usual.min() ?? 0, usual.max() ?? 0)
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
                ours: "\(high.text(0)) MB",
                floor: "\(low.text(0)) MB",
                ratio: high / low,
                goal: 1.1,
                note: "the median peak of each size"
            ),
            growth("10 k", small, large), growth("100 k", middle, large),
            Row(
                "P7 start, 1 M endpoints, \(name)",
                ours: "\(large.start.text(0)) ms",
                goal: "< 300 ms",
                isMet: large.start < 300,
                note: ""
            ),
        ]
    }

    private func growth(_ size: String, _ small: Cost, _ large: Cost) -> Row {
        Row(
            "P4 CPU a push, 1 M against \(size) endpoints, \(name)",
            ours: large.microseconds,
            floor: small.microseconds,
            goal: 1.1,
            note: ""
        )
    }

    /// Sends to all, several times under keys of their own; the median of each figure, and the highest peak.
    private func measure(_ server: ServerUnderTest, endpoints: Int) async throws -> Run {
        var all: [Run] = []
        for _ in 0..<Self.sendings(to: endpoints) { all.append(try await Self.once(server, endpoints: endpoints)) }
        return Run(
            microseconds: all.map(\.microseconds).median,
            perSecond: all.map(\.perSecond).median,
            peakMegabytes: all.map(\.peakMegabytes).max() ?? 0
        )
    }

    /// Sends to all once, under a key of its own.
    static func once(
        _ server: ServerUnderTest,
        endpoints: Int,
        category: String? = nil,
        hasDedup: Bool = true
    ) async throws -> Run {
        try server.figures.forgetPeak()
        let before = (server: try server.figures.cpuSeconds(), database: try server.databaseSeconds())
        let start = ContinuousClock.now
        let dedup = hasDedup ? UUID().uuidString : nil
        let id = try await server.send(to: #"{"all": true}"#, dedup: dedup, category: category)
        let answered = try await server.untilDone(id)
        let wall = (ContinuousClock.now - start) / .seconds(1)
        // One more: the endpoint to which the first push went.
        guard answered == endpoints + 1 else { throw BenchmarkError("\(answered) of \(endpoints) were answered") }
        let ofServer = try server.figures.cpuSeconds() - before.server
        let ofDatabase = try server.databaseSeconds() - before.database
        return Run(
            microseconds: (ofServer + ofDatabase) * 1_000_000 / Double(endpoints),
            databaseMicroseconds: ofDatabase * 1_000_000 / Double(endpoints),
            perSecond: Double(endpoints) / wall,
            peakMegabytes: try server.figures.peakMegabytes()
        )
    }
}
