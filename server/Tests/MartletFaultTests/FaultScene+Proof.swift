import Foundation
import MartletTesting
import MartletWire

extension FaultScene {
    /// Ends what the simulator was told to do.
    func endRules() async throws {
        try await checkRules()
        try await simulator.call("DELETE", "/rules")
    }

    /// Looks whether every rule in force was at work.
    func checkRules() async throws {
        guard case .array(let rules)? = try await simulator.call("GET", "/rules")?.objectValue?["rules"] else {
            return note("the simulator tells no rules")
        }
        for rule in rules.compactMap(\.objectValue) where rule["fired"]?.integerValue ?? 0 == 0 {
            let words = try rule["rule"]?.json() ?? Data()
            note("a rule never fired: \(String(decoding: words, as: UTF8.self))")
        }
    }

    /// Returns when the server has counted a connection that could not be opened: how far it came.
    func untilConnectionsFail(in phase: String) async throws {
        try await untilCounted("martlet_connection_failures_total", [#"phase="\#(phase)""#])
    }

    /// Returns when the server has counted something since its start, so often at least.
    func untilCounted(_ metric: String, _ labels: [String], atLeast least: Int = 1) async throws {
        try await until("\(metric) counts \(labels)") {
            let text = try await LocalCall.send("GET", server.address + "/metrics", in: stage.network).body
            return String(decoding: text, as: UTF8.self).split(separator: "\n").contains { line in
                line.hasPrefix(metric + "{") && labels.allSatisfy { line.contains($0) }
                    && (line.split(separator: " ").last.flatMap { Int($0) } ?? 0) >= least
            }
        }
    }

    /// Allows no stream on any connection, and looks whether pushes stop arriving.
    func allowNoStreams(for duration: Duration) async throws {
        var count = received
        var latest = ContinuousClock.now
        let end = latest + duration
        try await until("no stream has been allowed for a while") {
            // Again and again, because others are opened in place of those that stand still.
            try await simulator.call("POST", "/connections/max-streams", #"{"value": 0}"#)
            if received != count { (count, latest) = (received, .now) }
            return ContinuousClock.now >= end
        }
        if latest > end - duration / 2 { note("pushes came while no stream was allowed") }
        if count >= form.deliveries { note("all pushes had come before no stream was allowed") }
    }
}
