import MartletTesting

extension FaultCase {
    /// Connections whose window is never opened again (RFC 9113, section 6.9): they answer PING, and take no body.
    static let windows = [
        window("window of one connection never updated") { scene in
            let withhold = #"{"do": "withholdWindow"}"#
            try await scene.simulator.script(#"{"when": {"connection": 1}, "times": 1, "then": \#(withhold)}"#)
            try await scene.send(body: longText)
        },
        window("window never updated") { scene in
            let skip = scene.share(4)
            try await scene.simulator.script(#"{"skip": \#(skip), "then": {"do": "withholdWindow"}}"#)
            try await scene.send(body: longText)
            try await scene.untilReceived(skip + 1)
            // Longer than a push waits for its answer: those that are opened in their place have no window either.
            try await scene.last(scene.form.silence)
            try await scene.endRules()
        },
    ]

    /// Connections with the window that every one begins with (RFC 9113, section 6.9.2): twenty pushes with
    /// ``longText``.
    private static func window(
        _ name: String,
        _ trouble: @escaping @Sendable (FaultScene) async throws -> Void
    ) -> FaultCase {
        FaultCase(name: name, isRecorded: true, simulator: ["--connection-window", "65535"], trouble: trouble)
    }
}
