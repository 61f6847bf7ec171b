import Crypto
import Foundation
import MartletTesting

/// P10: what the simulated APNs spends on a push that it checks, beside nghttpd, which checks nothing.
struct SimulatorCost {
    let mock: MockServer
    static let requests = 100_000
    /// How many pairs of runs are made: the median of the pairs' ratios counts.
    static let pairs = 3

    func rows() async throws -> [Row] {
        let folder = try TemporaryFolder()
        let simulator = try await SimulatorProcess.pinned(in: folder)
        let peer = try simulator.peer(in: folder, body: mock.payload())
        // The same request, so that both read the same header fields.
        var plain = peer
        (plain.port, plain.answers) = (mock.port, "4xx")
        return try [100, 500].map { streams in
            let pairs = try (0..<Self.pairs).map { _ in
                (
                    ours: try Self.cost(of: simulator.process.id, peer, streams),
                    floor: try Self.cost(of: mock.process.processIdentifier, plain, streams)
                )
            }
            return Row(
                "P10 simulator, \(streams) streams",
                ours: "\(pairs.map(\.ours).median.text(2)) µs",
                floor: "\(pairs.map(\.floor).median.text(2)) µs",
                ratio: pairs.map { $0.ours / $0.floor }.median,
                goal: 2,
                note: ""
            )
        }
    }

    private static func cost(of id: pid_t, _ peer: Floor.Peer, _ streams: Int) throws -> Double {
        let figures = ProcessFigures(id: id)
        let before = try figures.cpuSeconds()
        _ = try Floor.measure(peer, streams: streams, requests: requests)
        return (try figures.cpuSeconds() - before) * 1_000_000 / Double(requests)
    }
}

/// A provider token of the simulator's team, as Apple has them signed.
enum BenchmarkToken {
    /// A provider token, signed now.
    static func token(_ pem: String) throws -> String {
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        let head = base64URL(Data(#"{"alg":"ES256","kid":"KEY4567890"}"#.utf8))
        let now = Int(Date().timeIntervalSince1970)
        let text = head + "." + base64URL(Data(#"{"iss":"TEAM567890","iat":\#(now)}"#.utf8))
        return text + "." + base64URL(try key.signature(for: Data(text.utf8)).rawRepresentation)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

extension SimulatorProcess {
    /// It, as `h2load` asks it, which it accepts.
    func peer(in folder: TemporaryFolder, body: URL) throws -> Floor.Peer {
        guard let port = URL(string: apns)?.port else { throw BenchmarkError("no port") }
        let pem = try String(contentsOfFile: folder.file("key.p8"), encoding: .utf8)
        return Floor.Peer(
            port: port,
            headers: [
                "apns-topic: \(ServerUnderTest.app)", "apns-push-type: alert", "apns-priority: 10",
                "authorization: bearer \(try BenchmarkToken.token(pem))",
            ],
            answers: "2xx",
            body: body
        )
    }

    /// A simulated APNs of one app, on the core that is not the server's.
    ///
    /// A server that is started again makes another provider token at once, which Apple's interval of 20 minutes would
    /// refuse.
    static func pinned(
        in folder: TemporaryFolder,
        topic: String = ServerUnderTest.app
    ) async throws -> SimulatorProcess {
        let simulator = try await SimulatorProcess(
            folder: folder,
            arguments: [
                "--topic", topic, "--new-key", "key.p8", "--key-id", "KEY4567890", "--team-id",
                "TEAM567890", "--token-interval", "0", "--log-level", "error",
            ]
        )
        try ProcessFigures(id: simulator.process.id).pin(toCores: "1")
        return simulator
    }
}
