import MartletProviders
import MartletTesting

/// P11: with a provider that is far away only streams × connections ÷ round trip time limits how much is sent.
///
/// The floor is that of all the connections that the server may have, however many it opened. The time goes from the
/// request to the notification's end, so that reading the audience and opening the connections one after the other is
/// in it.
struct RoundTrips {
    /// What the simulator grants a connection: so few that the way is what limits, not two cores.
    static let streams = 100
    static let endpoints = 100_000
    /// How many connections the program opens at most; it has no setting for it.
    static let connections = APNsSettings().connections

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
        try await simulator.script(#"{"delay": \#(milliseconds), "then": {"do": "proceed"}}"#)
        let start = ContinuousClock.now
        let id = try await server.send(to: #"{"all": true}"#)
        _ = try await server.untilDone(id)
        let perSecond = Double(Self.endpoints) / ((ContinuousClock.now - start) / .seconds(1))
        let seen = try await simulator.connections().count
        try await server.stop()
        let limitPerSecond = Double(Self.streams * Self.connections) / (Double(milliseconds) / 1000)
        return Row(
            "P11 round trip of \(milliseconds) ms, \(Self.endpoints) endpoints",
            ours: "\(perSecond.text(0))/s",
            floor: "\(limitPerSecond.text(0))/s",
            ratio: (perSecond / limitPerSecond).text(2),
            goal: "≥ 0.80",
            isMet: perSecond >= 0.8 * limitPerSecond,
            note: "\(seen) of \(Self.connections) connections; opening them is in the time"
        )
    }
}
