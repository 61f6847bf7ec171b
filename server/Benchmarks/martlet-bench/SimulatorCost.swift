import Crypto
import Foundation
import MartletTesting

/// P10: what the simulated APNs spends on a push that it checks, beside nghttpd, which checks nothing.
struct SimulatorCost {
    let mock: MockServer
    static let requests = 100_000

    func rows() async throws -> [Row] {
        var rows: [Row] = []
        for streams in [100, 500] {
            let ours = try await simulator(streams)
            let floor = try cost(of: mock.process.processIdentifier, port: mock.port, streams, token: nil)
            rows.append(Row("P10 simulator, \(streams) streams", ours: ours, floor: floor, goal: 2, note: ""))
        }
        return rows
    }

    private func simulator(_ streams: Int) async throws -> Double {
        let folder = try TemporaryFolder()
        let simulator = try await SimulatorProcess.pinned(in: folder)
        let figures = ProcessFigures(id: simulator.process.id)
        let pem = try String(contentsOfFile: folder.file("key.p8"), encoding: .utf8)
        guard let port = URL(string: simulator.apns)?.port else { throw BenchmarkError("no port") }
        return try cost(of: figures.id, port: port, streams, token: try Self.token(pem))
    }

    private func cost(of id: pid_t, port: Int, _ streams: Int, token: String?) throws -> Double {
        let figures = ProcessFigures(id: id)
        let before = try figures.cpuSeconds()
        var headers = [
            "-H", "apns-topic: \(ServerUnderTest.app)", "-H", "apns-push-type: alert", "-H", "apns-priority: 10",
        ]
        if let token { headers += ["-H", "authorization: bearer \(token)"] }
        try Tool.run(
            "/usr/bin/taskset",
            [
                "-c", "0", "h2load", "-c", "1", "-m", "\(streams)", "-n", "\(Self.requests)", "-d",
                try mock.payload().path,
            ] + headers + ["https://127.0.0.1:\(port)/3/device/\(String(repeating: "ab", count: 32))"]
        )
        return (try figures.cpuSeconds() - before) * 1_000_000 / Double(Self.requests)
    }

    /// A provider token, signed now.
    private static func token(_ pem: String) throws -> String {
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
