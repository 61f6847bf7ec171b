import Foundation
import MartletTesting
import MartletWire

/// P14: what a push through FCM and to a browser costs, and what Google's browsers notice while Mozilla hangs.
struct OtherProviders {
    let mock: MockServer

    private static let streams = 100
    private static let floorRequests = 100_000
    private static let pairs = 3
    private static let fcmSizes = [10_000, 100_000, 1_000_000]
    /// The simulator keeps at most 200,000 subscriptions.
    private static let webPushSizes = [10_000, 100_000]

    func fcmRows() async throws -> [Row] {
        let costs = try await costs(of: Self.fcmSizes) { try await ServiceUnderTest.fcm($0) }
        return costs.map(fcmRow) + memory(costs, "FCM") + [simulatorRow("FCM", costs, beside: 0)]
    }

    func webPushRows() async throws -> [Row] {
        let costs = try await costs(of: Self.webPushSizes) { try await ServiceUnderTest.webPush($0) }
        let sealing = try SealingCost.microseconds(costs.first?.body ?? 0)
        // The simulator opens what was sealed: the same primitives.
        return costs.map { webPushRow($0, sealing: sealing) } + memory(costs, "Web Push")
            + [simulatorRow("push service", costs, beside: sealing), try await hangingMozilla()]
    }

    /// What a size cost, in CPU microseconds a push.
    private struct Cost {
        var size: Int
        var body = 0
        var runs: [ServiceUnderTest.Run] = []
        /// `h2load`'s, and `nghttpd`'s for the same requests.
        var floors: [(client: Double, server: Double)] = []

        var ours: Double { runs.map(\.ours).median }
        var floor: Double { floors.map(\.client).median }
        var megabytes: Double { runs.map(\.peakMegabytes).median }
        var note: String { "\(runs.map(\.perSecond).median.text(0)) pushes/s, \(body) bytes" }
    }

    private func costs(
        of sizes: [Int],
        _ make: (Int) async throws -> ServiceUnderTest
    ) async throws -> [Cost] {
        var costs: [Cost] = []
        for size in sizes {
            let service = try await make(size)
            var cost = Cost(size: size)
            cost.body = try await service.lastBody()
            for _ in 0..<Self.pairs {
                cost.floors.append(try floor(bytes: cost.body))
                cost.runs.append(try await service.once(size))
            }
            try await service.stop()
            costs.append(cost)
        }
        return costs
    }

    /// `h2load` with a body of as many bytes and a bearer token, to `nghttpd`.
    private func floor(bytes: Int) throws -> (client: Double, server: Double) {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("body"))
        try Data(repeating: UInt8(ascii: "x"), count: bytes).write(to: file)
        let bearer = String(repeating: "t", count: 200)
        let headers = ["authorization: Bearer \(bearer)", "content-type: application/json"]
        let peer = Floor.Peer(port: mock.port, headers: headers, answers: "4xx", body: file)
        let figures = ProcessFigures(id: mock.process.processIdentifier)
        let before = try figures.cpuSeconds()
        let client = try Floor.measure(peer, streams: Self.streams, requests: Self.floorRequests).microseconds
        let server = (try figures.cpuSeconds() - before) * 1_000_000 / Double(Self.floorRequests)
        return (client, server)
    }

    private func fcmRow(_ cost: Cost) -> Row {
        Row("P14 FCM, \(cost.size) endpoints", ours: cost.ours, floor: cost.floor, goal: 3.5, note: cost.note)
    }

    /// Beside what it may cost: 1.2 times the primitives and 3 times the floor.
    private func webPushRow(_ cost: Cost, sealing: Double) -> Row {
        Row(
            "P14 Web Push, \(cost.size) endpoints",
            ours: cost.ours,
            floor: 1.2 * sealing + 3 * cost.floor,
            goal: 1,
            note: "\(cost.note); primitives \(sealing.text(1)) µs, floor \(cost.floor.text(2)) µs"
        )
    }

    private func memory(_ costs: [Cost], _ name: String) -> [Row] {
        let (least, most) = (costs.map(\.megabytes).min() ?? 0, costs.map(\.megabytes).max() ?? 0)
        return [
            Row(
                "P14 peak memory of the server, \(name)",
                ours: "\(most.text(0)) MB",
                goal: "≤ 96 MB",
                isMet: most <= 96,
                note: ""
            ),
            Row(
                "P14 most against least, \(name)",
                ours: "\(most.text(0)) MB",
                floor: "\(least.text(0)) MB",
                ratio: most / least,
                goal: 1.1,
                note: "\(costs.first?.size ?? 0) to \(costs.last?.size ?? 0) endpoints"
            ),
        ]
    }

    private func simulatorRow(_ name: String, _ costs: [Cost], beside primitives: Double) -> Row {
        let ours = costs.flatMap(\.runs).map(\.simulator).median
        let floor = costs.flatMap(\.floors).map(\.server).median + primitives
        return Row(
            "P14 simulated \(name)",
            ours: ours,
            floor: floor,
            goal: 2,
            note: "beside nghttpd and the primitives"
        )
    }

    // MARK: Mozilla hangs

    /// Mozilla's browsers, more than their queue may have in flight, and how often one of Google's is sent to.
    private static let hanging = 10_000, samples = 300

    private func hangingMozilla() async throws -> Row {
        let service = try await ServiceUnderTest.webPush(10, mozilla: Self.hanging)
        let alone = try await sample(service)
        let rule = #"{"when": {"service": "mozilla"}, "then": {"do": "hang"}}"#
        try await service.stage.simulator.script(rule)
        let before = try await service.stage.simulator.receivedCount()
        _ = try await service.send(to: #"{"all": true}"#)
        try await Eventually.is("Mozilla was sent to", within: 30) {
            try await service.stage.simulator.receivedCount() > before + 100
        }
        let beside = try await sample(service)
        service.server.process.send(signal: SIGKILL)
        return Row(
            "P14 Google's p99 while Mozilla hangs",
            ours: "\(beside.percentile(0.99).text(1)) ms",
            floor: "\(alone.percentile(0.99).text(1)) ms",
            ratio: beside.percentile(0.99) / alone.percentile(0.99),
            goal: 1.5,
            note:
                "p50 \(beside.percentile(0.5).text(1)) beside \(alone.percentile(0.5).text(1)) ms, \(Self.hanging) wait"
        )
    }

    /// From the request to the recorded answer of pushes to one browser of Google's each, in milliseconds.
    private func sample(_ service: ServiceUnderTest) async throws -> [Double] {
        var times: [Double] = []
        for number in 0..<Self.samples {
            let start = ContinuousClock.now
            let id = try await service.send(to: #"{"users": ["user-\#(number % 10)"]}"#)
            try await untilAccepted(id, service)
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return times
    }

    private func untilAccepted(_ id: String, _ service: ServiceUnderTest) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            let notification = try await service.server.call("GET", "/notifications/\(id)")?.objectValue
            if notification?["status"]?.stringValue == "done" { return }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw BenchmarkError("a push was not answered")
    }
}
