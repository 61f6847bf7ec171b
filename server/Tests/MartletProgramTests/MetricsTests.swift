import Foundation
import MartletTesting
import Testing

/// `/metrics` of a running server, and what `docs/operations.md` says of it.
@Suite struct MetricsTests {
    private let guide: String

    init() throws {
        guide = try String(contentsOfFile: Program.root + "/docs/operations.md", encoding: .utf8)
    }

    @Test("every metric that a server shows is in the guide with its labels, and every one of the guide is shown")
    func documentsAll() async throws {
        let stage = try await DeliveryStage(app: "com.example.metrics")
        let server = try await stage.startServer()
        try await stage.connect(server)
        try await Self.register(1, of: "ann", app: stage.app, on: server)
        // One of each: sent, not made, our mistake, the provider's trouble, the operator's.
        try await Self.send(to: "ann", app: stage.app, on: server)
        try await Self.send(to: "nobody", app: stage.app, on: server)
        try await Self.until(server, #"martlet_deliveries_total{.*state="accepted"} 1"#)
        try await stage.simulator.script(#"{"times": 1, "then": {"do": "respond", "reason": "BadPriority"}}"#)
        try await Self.send(to: "ann", app: stage.app, on: server)
        try await Self.until(server, #"martlet_provider_defects_total{.*reason="BadPriority"} 1"#)
        try await stage.simulator.script(#"{"then": {"do": "respond", "reason": "ServiceUnavailable"}}"#)
        for _ in 0..<100 { try await Self.send(to: "ann", app: stage.app, on: server) }
        try await Self.until(server, #"martlet_breaker_reason{.*reason="ServiceUnavailable"} 1"#)
        try await stage.simulator.call("DELETE", "/rules")
        try await stage.simulator.script(#"{"then": {"do": "respond", "reason": "InvalidProviderToken"}}"#)
        try await Self.send(to: "ann", app: stage.app, on: server)
        let text = try await Self.until(server, #"martlet_queue_paused{.*reason="InvalidProviderToken"} 1"#)

        #expect(Self.shown(in: text) == documented)
    }

    @Test("every metric that a query of the guide names exists")
    func queriesNameMetrics() {
        let known = Set(documented.keys)
        for match in guide.matches(of: /martlet_[a-z_]+/) where !guide[match.range.upperBound...].hasPrefix("…") {
            let name = String(match.0)
            let family = name.replacing(/_(bucket|sum|count)$/, with: "")
            #expect(known.contains(name) || known.contains(family), "\(name)")
        }
    }

    @Test("of two apps the one whose provider is not there is told by the metrics alone, and that it cannot be reached")
    func tellsWhichApp() async throws {
        let stage = try await DeliveryStage(app: "com.example.well")
        let server = try await stage.startServer()
        try await stage.connect(server)
        try await server.call("POST", "/apps", #"{"name": "com.example.ill"}"#)
        let credential = [
            "platform": "apns", "p8": try stage.signingKey(), "key_id": DeliveryStage.keyID,
            "team_id": DeliveryStage.teamID, "bundle_id": "com.example.ill",
            // The port of tcpmux, where nobody listens.
            "url": "https://127.0.0.1:1",
        ]
        let body = String(decoding: try JSONEncoder().encode(credential), as: UTF8.self)
        try await server.call("PUT", "/apps/com.example.ill/credentials", body)
        let queue = #"environment="production",platform="apns""#
        try await Self.register(1, of: "ann", app: "com.example.well", on: server)
        try await Self.send(to: "ann", app: "com.example.well", on: server)
        try await Self.until(server, #"martlet_deliveries_total{app="com.example.well",.*state="accepted"} 1"#)
        try await Self.register(2, of: "ann", app: "com.example.ill", on: server)
        try await Self.send(to: "ann", app: "com.example.ill", on: server)
        let pattern = #"martlet_connection_failures_total{app="com.example.ill",.*phase="connect",.*} [1-9]"#
        let text = try await Self.until(server, pattern)

        #expect(text.contains("martlet_pushes_in_flight{app=\"com.example.ill\",\(queue)} 1"), "\(text)")
        #expect(text.contains("martlet_pushes_in_flight{app=\"com.example.well\",\(queue)} 0"), "\(text)")
        #expect(text.contains("martlet_connection_waiting_pushes{app=\"com.example.ill\",\(queue)} 1"), "\(text)")
        #expect(text.contains("martlet_connections{app=\"com.example.ill\",\(queue),state=\"open\"} 0"), "\(text)")
        #expect(text.contains("martlet_connections{app=\"com.example.well\",\(queue),state=\"open\"} 1"), "\(text)")
        #expect(text.contains("martlet_attempt_seconds_count{app=\"com.example.well\",\(queue)} 1"), "\(text)")
        let all = #"martlet_attempt_seconds_bucket{app="com.example.well",\#(queue),le="+Inf"} 1"#
        #expect(text.contains(all), "\(text)")
        #expect(text.contains("martlet_attempt_seconds_count{app=\"com.example.ill\",\(queue)} 0"), "\(text)")
        #expect(!text.contains(#"martlet_attempts_total{app="com.example.ill""#), "nothing was answered")
    }

    private static func register(_ number: Int, of user: String, app: String, on server: ServerProcess) async throws {
        let token = String(repeating: "0", count: 63) + String(number)
        let result = try await server.run("devices", "register", token, "--app", app, "--user", user)
        try #require(result.status == 0, "\(result.standardError)")
    }

    private static func send(to user: String, app: String, on server: ServerProcess) async throws {
        let body = #"{"app": "\#(app)", "audience": {"users": ["\#(user)"]}, "title": "Delay"}"#
        try await server.call("POST", "/notifications", body)
    }

    /// Returns the metrics when one of their lines is like this.
    @discardableResult
    private static func until(_ server: ServerProcess, _ pattern: String) async throws -> String {
        let line = try Regex(pattern.replacing("{", with: "\\{").replacing("}", with: "\\}"))
        var text = ""
        try await Eventually.is("there is \(pattern)", within: 60) {
            let answer = try await LocalCall.send("GET", server.address + "/metrics")
            text = String(decoding: answer.body, as: UTF8.self)
            return text.split(separator: "\n").contains { $0.firstMatch(of: line) != nil }
        }
        return text
    }

    /// The labels of each metric of the guide's table.
    private var documented: [String: Set<String>] {
        var metrics: [String: Set<String>] = [:]
        for row in guide.split(separator: "\n") {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            // No other table has three columns and a metric in the first.
            guard cells.count == 5, let name = cells[1].wholeMatch(of: /\ `(martlet_[a-z_]+)`\ /) else { continue }
            metrics[String(name.1)] = Set(cells[2].matches(of: /`([a-z]+)`/).map { String($0.1) })
        }
        return metrics
    }

    /// The labels of each metric of a text, without the buckets'.
    private static func shown(in text: String) -> [String: Set<String>] {
        var metrics: [String: Set<String>] = [:]
        var family = ""
        for line in text.split(separator: "\n") {
            if let help = line.firstMatch(of: /^\#\ HELP\ ([a-z_]+)\ /) {
                family = String(help.1)
                metrics[family] = []
            } else if !line.hasPrefix("#") {
                let labels = line.matches(of: /[{,]([a-z_]+)="/).map { String($0.1) }
                metrics[family, default: []].formUnion(labels.filter { $0 != "le" })
            }
        }
        return metrics
    }
}
