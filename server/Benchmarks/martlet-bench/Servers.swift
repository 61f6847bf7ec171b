import Foundation
import MartletTesting
import Synchronization

/// P18: what three servers on one PostgreSQL take beside one, on the same two cores: notifications to one person each, over
/// 64 connections, and at a pace that one of them has no trouble with; with the database beside them and 0.6 ms away.
struct Servers {
    let provider: ServerUnderTest.Provider

    private static let endpoints = 10_000
    private static let requests = 12_000
    /// One way; there and back it is 0.6 ms, as between two zones of a region.
    private static let distance = Duration.microseconds(300)

    func rows() async throws -> [Row] {
        guard PostgresCluster.isInstalled else { return [] }
        return try await rows("beside", .zero, goal: 1) + rows("0.6 ms away", Self.distance, goal: 2.5)
    }

    private func rows(_ place: String, _ distance: Duration, goal: Double) async throws -> [Row] {
        let cluster = try PostgresCluster(isDurable: true)
        let seed = try await ServerUnderTest(endpoints: Self.endpoints, provider: provider, on: cluster)
        let proxy = try CommitProxy(to: cluster.socketPath, distance: distance) { _ in false }
        defer { proxy.stop() }
        let database = cluster.address(of: seed.database ?? "", through: proxy.port)
        let one = try await figures(seed, database, servers: 1)
        let three = try await figures(seed, database, servers: 3)
        let ratio = three.full.perSecond / one.full.perSecond
        return [
            Row(
                "P18 three servers, database \(place)",
                ours: "\(three.full.perSecond.text(0))/s",
                floor: "\(one.full.perSecond.text(0))/s",
                ratio: ratio.text(2),
                goal: "≥ \(goal)",
                isMet: ratio >= goal,
                note: "one a request, 64 connections; p99 \(three.full.p99.text(0)) and \(one.full.p99.text(0)) ms"
            ),
            Row(
                "P18 the same at 300/s, p99",
                ours: "\(three.paced.p99.text(1)) ms",
                floor: "\(one.paced.p99.text(1)) ms",
                ratio: (three.paced.p99 / one.paced.p99).text(2),
                goal: "≤ 1.5",
                isMet: three.paced.p99 <= 1.5 * one.paced.p99,
                note: "p50 \(three.paced.p50.text(1)) and \(one.paced.p50.text(1)) ms"
            ),
        ]
    }

    private struct Figures {
        var full: Load
        var paced: Load
    }

    private func figures(_ seed: ServerUnderTest, _ database: String, servers count: Int) async throws -> Figures {
        var servers: [ServerProcess] = []
        for _ in 0..<count {
            let arguments = ["--log-level", "error", "--database", database]
            servers.append(try await ServerProcess(data: seed.data, arguments: arguments))
        }
        let addresses = servers.map { $0.address + "/api/v1/notifications" }
        let file = seed.folder.file("servers.json")
        try Data(ServerUnderTest.body(to: Accept.audience).utf8).write(to: URL(fileURLWithPath: file))
        let fields = ["Authorization: Bearer \(try seed.key())", "Content-Type: application/json"]
        let arguments = ["-d", file] + fields.flatMap { ["-H", $0] }
        // The first ones open connections and prepare statements.
        _ = try Load(of: addresses, in: seed.folder, requests: 300, connections: 12, arguments)
        let full = try Load(
            of: addresses,
            in: seed.folder,
            requests: Self.requests,
            connections: Load.connections,
            arguments
        )
        // Behind what the load left to be sent.
        try await Task.sleep(for: .seconds(15))
        let paced = try Load(
            of: addresses,
            in: seed.folder,
            requests: 3_000,
            connections: 30,
            arguments + ["--rps", "10"]
        )
        for server in servers { _ = try await server.stop() }
        return Figures(full: full, paced: paced)
    }
}

extension Load {
    /// Loads some addresses side by side, with a share of the requests each.
    init(
        of addresses: [String],
        in folder: TemporaryFolder,
        requests: Int,
        connections: Int,
        _ arguments: [String]
    ) throws {
        let results = Mutex<[Result<Load, any Error>]>([])
        let done = DispatchSemaphore(value: 0)
        let start = ContinuousClock.now
        for (index, address) in addresses.enumerated() {
            Thread {
                let result = Result {
                    try Load(
                        address,
                        in: folder,
                        requests: requests / addresses.count,
                        connections: connections / addresses.count,
                        arguments,
                        log: "h2load-\(index).tsv"
                    )
                }
                results.withLock { $0.append(result) }
                done.signal()
            }.start()
        }
        for _ in addresses { done.wait() }
        let wall = (ContinuousClock.now - start) / .seconds(1)
        let durations = try results.withLock { try $0.flatMap { try $0.get().durations } }
        self.init(durations: durations, perSecond: Double(durations.count) / wall)
    }
}
