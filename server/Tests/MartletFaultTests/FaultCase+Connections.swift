import Foundation
import MartletTesting
import Testing

extension FaultCase {
    /// What connections do.
    static let connections = [
        FaultCase(name: "GOAWAY, not processed") { scene in
            let every = scene.share(10)
            let goAway = #"{"do": "goAway", "reason": "Shutdown", "processed": false}"#
            try await scene.simulator.script(#"{"every": \#(every), "then": \#(goAway)}"#)
            try await scene.send()
        },
        FaultCase(name: "GOAWAY, processed") { scene in
            let every = scene.share(10)
            let goAway = #"{"do": "goAway", "reason": "Shutdown", "processed": true}"#
            try await scene.simulator.script(#"{"every": \#(every), "then": \#(goAway)}"#)
            try await scene.send()
        },
        // With one attempt for each delivery: what is disowned is none. As many streams as requests: with a thousand of them
        // six times as many pushes came as are processed, and the simulator forgot them before they were read.
        FaultCase(name: "a graceful close after every 100th", simulator: ["--max-streams", "100"]) { scene in
            let goAway = #"{"do": "goAway", "reason": "Shutdown", "processed": true}"#
            try await scene.simulator.script(#"{"every": 100, "then": \#(goAway)}"#)
            try await scene.send(attempts: 1)
        },
        FaultCase(name: "RST_STREAM on every 7th, refused every 11th") { scene in
            // RFC 9113, section 7: CANCEL and REFUSED_STREAM.
            try await scene.simulator.script(#"{"every": 7, "then": {"do": "reset", "code": 8}}"#)
            try await scene.simulator.script(#"{"every": 11, "then": {"do": "reset", "code": 7}}"#)
            try await scene.send()
        },
        FaultCase(name: "TCP reset four times", mayRepeat: true) { scene in
            try await scene.simulator.script(
                #"{"every": \#(scene.share(5)), "times": 4, "then": {"do": "abort"}}"#
            )
            try await scene.send()
        },
        FaultCase(name: "one connection hangs", isRecorded: true) { scene in
            try await scene.simulator.script(
                #"{"when": {"connection": 1}, "skip": \#(scene.share(10)), "then": {"do": "hang"}}"#
            )
            try await scene.send()
        },
        FaultCase(name: "all connections hang", isRecorded: true) { scene in
            try await scene.simulator.script(#"{"skip": \#(scene.share(4)), "then": {"do": "hang"}}"#)
            try await scene.send()
            try await scene.untilReceived(scene.share(4) + 500)
            try await scene.last(scene.form.trouble)
            try await scene.endRules()
        },
        FaultCase(name: "the provider stands still", isRecorded: true, mayRepeat: true, simulator: fewStreams) {
            scene in
            try await scene.slowDown()
            try await scene.send()
            try await scene.untilReceived(scene.share(4))
            let process = scene.simulator.process
            try await scene.standStill(
                { process.send(signal: SIGSTOP) },
                { process.send(signal: SIGCONT) },
                for: scene.form.silence
            )
        },
        FaultCase(
            name: "half-open TCP",
            needsOwnNetwork: true,
            isRecorded: true,
            mayRepeat: true,
            simulator: fewStreams
        ) { scene in
            try await scene.slowDown()
            try await scene.send()
            try await scene.untilReceived(scene.share(4))
            let network = try #require(scene.stage.network)
            try await scene.standStill(network.cut, network.mend, for: scene.form.silence)
        },
        FaultCase(name: "slow reader", answerSeconds: 10) { scene in
            let every = scene.share(8)
            try await scene.simulator.script(
                #"{"every": \#(every), "times": 3, "then": {"do": "pauseReading", "milliseconds": 2000}}"#
            )
            // A connection's thousand streams carry more than the kernel takes on for a reader that does not read.
            try await scene.send(body: longText)
        },
        FaultCase(name: "MAX_CONCURRENT_STREAMS 1, 0, and back", simulator: fewStreams) { scene in
            try await scene.slowDown()
            try await scene.send()
            try await scene.untilReceived(scene.share(4))
            try await scene.simulator.call("POST", "/connections/max-streams", #"{"value": 1}"#)
            // All may have come by then.
            try await scene.untilReceived(min(scene.received + 5, scene.share(1)))
            try await scene.allowNoStreams(for: .seconds(2))
            try await scene.simulator.call("POST", "/connections/max-streams", #"{"value": 250}"#)
        },
        // Connections end for it with answers on their way.
        FaultCase(name: "TLS handshakes fail", mayRepeat: true, simulator: fewStreams) { scene in
            try await outage(scene, "failTLS", scene.form.trouble, failsIn: "tls")
        },
        FaultCase(name: "nobody listens", mayRepeat: true, simulator: fewStreams) { scene in
            try await outage(scene, "refuse", scene.form.outage, failsIn: "connect")
        },
        FaultCase(name: "the name does not resolve") { scene in
            // RFC 6761, section 6.4: a name that never does.
            try await scene.stage.setCredential(scene.server, url: "https://apns.invalid:443")
            try await scene.send()
            try await scene.last(scene.form.trouble)
            try await scene.untilConnectionsFail(in: "resolve")
            try await scene.stage.setCredential(scene.server)
        },
    ]

    /// Arguments of the simulator with which not everything of the short form is on its way at once, as it is with the
    /// usual thousand streams a connection.
    static let fewStreams = ["--max-streams", "250"]

    /// A text of which twenty pushes fill a connection's first window.
    static let longText = String(repeating: "x", count: 3_000)

    private static func outage(
        _ scene: FaultScene,
        _ mode: String,
        _ duration: Duration,
        failsIn phase: String
    ) async throws {
        try await scene.slowDown()
        try await scene.send()
        try await scene.untilReceived(scene.share(4))
        try await scene.simulator.call("POST", "/listener/stop", #"{"mode": "\#(mode)"}"#)
        let end = ContinuousClock.now + duration
        try await scene.until("the time is over") {
            // Again and again: one that was being opened when the listener stopped would carry all the rest.
            try await scene.simulator.call("POST", "/connections/abort", "{}")
            return ContinuousClock.now >= end
        }
        try await scene.untilConnectionsFail(in: phase)
        try await scene.simulator.call("POST", "/listener/start", "{}")
    }
}

extension FaultScene {
    /// Has every answer wait for a moment, so that there is time for trouble before everything is sent: four connections of
    /// 250 streams (``FaultCase/fewStreams``) take four seconds for the short form, and fifty for the long one.
    func slowDown() async throws { try await slowDown(by: form == .short ? 1_000 : 500) }

    /// Has every answer wait for so many milliseconds.
    func slowDown(by milliseconds: Int) async throws {
        try await simulator.script(#"{"delay": \#(milliseconds), "then": {"do": "proceed"}}"#)
    }
}
