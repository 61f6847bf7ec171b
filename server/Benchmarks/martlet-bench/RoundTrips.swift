import AsyncHTTPClient
import Foundation
import MartletTesting
import MartletWire
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// P11: with a provider that is far away only streams × connections ÷ round trip time limits how much is sent.
struct RoundTrips {
    /// What the simulator grants a connection: so few that the way is what limits, not two cores.
    static let streams = 100
    static let endpoints = 100_000

    func rows() async throws -> [Row] {
        var rows: [Row] = []
        for milliseconds in [40, 150] { rows.append(try await row(milliseconds)) }
        return rows
    }

    private func row(_ milliseconds: Int) async throws -> Row {
        let folder = try TemporaryFolder()
        let simulator = try await SimulatorProcess(
            folder: folder,
            arguments: [
                "--topic", ServerUnderTest.app, "--new-key", "key.p8", "--key-id", "KEY4567890", "--team-id",
                "TEAM567890", "--max-streams", "\(Self.streams)", "--log-level", "error",
            ]
        )
        let provider = ServerUnderTest.Provider(
            url: simulator.apns,
            trust: simulator.ca,
            signingKey: folder.file("key.p8")
        )
        let server = try await ServerUnderTest(endpoints: Self.endpoints, provider: provider)
        try await server.start()
        try await script(simulator, #"{"delay": \#(milliseconds), "then": {"do": "proceed"}}"#)
        let start = ContinuousClock.now
        let id = try await server.send(to: #"{"all": true}"#)
        _ = try await server.untilDone(id)
        let perSecond = Double(Self.endpoints) / ((ContinuousClock.now - start) / .seconds(1))
        let connections = try await connections(simulator)
        try await server.stop()
        let limitPerSecond = Double(Self.streams * connections) / (Double(milliseconds) / 1000)
        return Row(
            "P11 round trip of \(milliseconds) ms, \(Self.endpoints) endpoints",
            ours: "\(perSecond.text(0))/s",
            floor: "\(limitPerSecond.text(0))/s",
            ratio: (perSecond / limitPerSecond).text(2),
            goal: "≥ 0.80",
            isMet: perSecond >= 0.8 * limitPerSecond,
            note: "\(connections) connections"
        )
    }

    private func script(_ simulator: SimulatorProcess, _ rule: String) async throws {
        var request = HTTPClientRequest(url: simulator.control + "/rules")
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: rule))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        guard response.status == .created else { throw BenchmarkError("the rule was refused: \(response.status)") }
    }

    private func connections(_ simulator: SimulatorProcess) async throws -> Int {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: simulator.control + "/state"),
            timeout: .seconds(30)
        )
        let state = try JSONValue(json: Data(buffer: try await response.body.collect(upTo: 1 << 24))).objectValue
        guard case .array(let connections)? = state?["connections"] else { throw BenchmarkError("no connections") }
        return connections.count
    }
}
