import Foundation
import MartletTesting

/// Prints what Martlet spends, beside the floor of the same minute; only the ratios of one run count.
///
/// Arguments choose: `P1`, `P2` (with P3, P4 and P7), `P5`, `P6` (with the neighbour of an app in trouble), `P8`, `SNS`,
/// `P9`, `P10`, `P11`, `P12`, `P13`, `P14`, `P16`, `P17`, `P18`, `DEVICES`, `STREAMS`, `CONSOLE`; without one, all are measured but for
/// `CONSOLE` and `STREAMS`, which fill a database first: `make bench-large`.
@main
enum Main {
    static func main() async {
        do {
            if CommandLine.arguments.dropFirst() == [BareServer.argument] { return try BareServer.serve() }
            try await measureAll()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func measureAll() async throws {
        let chosen = Set(CommandLine.arguments.dropFirst().map { $0.uppercased() })
        let names = benchmarks.map(\.0)
        if let odd = chosen.subtracting(names).sorted().first {
            throw BenchmarkError("There is no benchmark '\(odd)'; there are: \(names.joined(separator: ", "))")
        }
        say("CPU is user and system time of the process; ours runs on one core, what it talks to on the other.")
        say(Row.head)
        var (met, missed) = (0, 0)
        var failures = 0
        for (name, measure) in benchmarks
        where chosen.isEmpty ? !onDemand.contains(name) : chosen.contains(name) {
            do {
                for row in try await measure() {
                    say(row.line)
                    if let isMet = row.isMet { if isMet { met += 1 } else { missed += 1 } }
                }
            } catch {
                // The others are measured all the same.
                say("\(name) FAILED: \(error)")
                failures += 1
            }
        }
        say("\(met) goals met, \(missed) missed" + (failures > 0 ? ", \(failures) could not be measured" : ""))
        if failures > 0 { exit(1) }
    }

    /// Not with `print`, which keeps lines back when it writes into a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static let benchmarks: [(String, @Sendable () async throws -> [Row])] = [
        ("P1", transport), ("P2", refusedPath), ("P2", acceptedPath), ("P12", postgresPath), ("P5", accept),
        ("P6", latency),
        ("P8", { try FilterPolicies().rows() }), ("SNS", publishing),
        ("P9", { try SDKFigures().rows() }), ("P10", simulator), ("P11", { try await RoundTrips().rows() }),
        ("P13", people), ("P14", { try await withMock { try await OtherProviders(mock: $0).fcmRows() } }),
        ("P14", { try await withMock { try await OtherProviders(mock: $0).webPushRows() } }),
        ("P16", { try await withMock { try await Urgency(mock: $0).rows() } }),
        ("P17", backlog), ("P18", servers), ("DEVICES", registration), ("STREAMS", consoleStreams),
        ("CONSOLE", consolePages),
    ]

    /// What is measured only when it is named.
    private static let onDemand: Set = ["STREAMS", "CONSOLE"]

    private static func withMock<Value>(
        streams: Int = 1_000,
        _ body: (MockServer) async throws -> Value
    ) async throws -> Value {
        let mock = try await MockServer(streams: streams)
        defer { mock.stop() }
        return try await body(mock)
    }

    private static func transport() async throws -> [Row] {
        try await withMock { mock in
            var rows: [Row] = []
            for streams in [100, 500] {
                rows.append(try await TransportBenchmark(server: mock, requests: 200_000).run(streams: streams))
            }
            return rows
        }
    }

    /// P2 with a simulator that refuses every push with a body: the claims are given back afterwards. Not with nghttpd,
    /// whose 404 is no answer of Apple's and is tried again.
    private static func refusedPath() async throws -> [Row] {
        try await durablePath("refused", answers: "4xx", goal: 3, sizes: [100_000]) { simulator in
            let refusal = #"{"do": "respond", "status": 413, "reason": "PayloadTooLarge"}"#
            try await simulator.script(#"{"then": \#(refusal)}"#)
        }
    }

    /// P2 with a simulator that accepts every push.
    private static func acceptedPath() async throws -> [Row] {
        try await durablePath("accepted", answers: "2xx", goal: 2, sizes: DurablePath.sizes) { _ in }
    }

    private static func postgresPath() async throws -> [Row] {
        try await withSimulator { _, provider, _ in try await PostgresPath(provider: provider).rows() }
    }

    private static func durablePath(
        _ name: String,
        answers: String,
        goal: Double,
        sizes: [Int],
        prepare: (SimulatorProcess) async throws -> Void
    ) async throws -> [Row] {
        try await withSimulator { simulator, provider, folder in
            try await prepare(simulator)
            let body = folder.file("payload.json")
            try Data(MockServer.payload).write(to: URL(filePath: body))
            var peer = try simulator.peer(in: folder, body: URL(filePath: body))
            peer.answers = answers
            return try await DurablePath(peer: peer, streams: 500, provider: provider, name: name, goal: goal)
                .rows(sizes: sizes)
        }
    }

    /// A simulator that accepts every push, on the core that is not the server's.
    private static func withSimulator<Value>(
        _ body: (SimulatorProcess, ServerUnderTest.Provider, TemporaryFolder) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let simulator = try await SimulatorProcess.pinned(in: folder)
        let provider = ServerUnderTest.Provider(
            url: simulator.apns,
            trust: simulator.ca,
            signingKey: folder.file("key.p8")
        )
        return try await body(simulator, provider, folder)
    }

    private static func consolePages() async throws -> [Row] {
        try await withSimulator { simulator, provider, _ in
            try await ConsoleFigures(provider: provider, simulator: simulator).rows()
        }
    }

    private static func consoleStreams() async throws -> [Row] {
        try await withSimulator { _, provider, _ in try await ConsoleStreams(provider: provider).rows() }
    }

    private static func people() async throws -> [Row] {
        try await withSimulator { _, provider, _ in
            try await People(provider: provider).rows() + Streams(provider: provider).rows()
        }
    }

    private static func accept() async throws -> [Row] {
        let rows = try await withServer { server, _ in try await Accept(server: server).rows() }
        guard PostgresCluster.isInstalled else { return rows }
        let cluster = try PostgresCluster(isDurable: true)
        let others = try await withServer(on: cluster) { server, _ in try await Accept(server: server).rowsOnPostgres()
        }
        return rows + others
    }

    private static func publishing() async throws -> [Row] {
        try await withServer { server, _ in try await SNSPublishing(server: server).rows() }
    }

    private static func registration() async throws -> [Row] {
        try await withServer { server, _ in try await DeviceRegistration(server: server).rows() }
    }

    private static func backlog() async throws -> [Row] {
        try await withServer { try await Backlog(server: $0, simulator: $1).rows() }
    }

    private static func servers() async throws -> [Row] {
        try await withSimulator { _, provider, _ in try await Servers(provider: provider).rows() }
    }

    private static func withServer(
        on cluster: PostgresCluster? = nil,
        _ rows: (ServerUnderTest, SimulatorProcess) async throws -> [Row]
    ) async throws -> [Row] {
        try await withSimulator { simulator, provider, _ in
            let server = try await ServerUnderTest(endpoints: 10_000, provider: provider, on: cluster)
            try await server.start()
            let rows = try await rows(server, simulator)
            try await server.stop()
            return rows
        }
    }

    private static func latency() async throws -> [Row] {
        try await withMock { try await Isolation(mock: $0).rows() + Latency(mock: $0).rows() }
    }

    private static func simulator() async throws -> [Row] {
        try await withMock { try await SimulatorCost(mock: $0).rows() }
    }
}
