import Foundation
import MartletTesting

/// P5: what personal notifications cost the server, durable, sent and recorded, over 64 connections: CPU of each, beside a
/// bare HTTP server that reads the same request and answers a constant.
struct Accept {
    let server: ServerUnderTest

    static let single = 20_000
    static let batches = 400
    /// Requests that make 20,000 notifications, as a feed writes them after its own event.
    static let burst = 200
    /// Notifications in one request.
    static let perBatch = 100
    /// Answers of a constant.
    private static let constants = 40_000

    func rows() async throws -> [Row] {
        let bare = try bare()
        let constant = try await cost(of: Self.constants) { try Load(server, "/healthz", requests: Self.constants) }
        let single = try await cost(of: Self.single) {
            try server.load("/api/v1/notifications", ServerUnderTest.body(to: Self.audience), Self.single)
        }
        let batch = try await cost(of: Self.batches * Self.perBatch) { try server.loadHundreds(Self.batches) }
        let burst = try await cost(of: Self.burst * Self.perBatch) {
            try server.loadHundreds(Self.burst, connections: 8)
        }
        // Of what is for tomorrow nothing is sent meanwhile, and nothing waits before it.
        let tomorrow = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)
        let alone = try server.load(
            "/api/v1/notifications",
            ServerUnderTest.body(to: Self.audience, sendAt: tomorrow),
            Self.single
        )
        let spread = single.load.p99 - single.load.p50
        try await server.stop()
        try await server.start(hasLog: true)
        let logged = try await cost(of: Self.constants) { try Load(server, "/healthz", requests: Self.constants) }
        return [
            row("P5 /healthz with the default log", logged, bare, goal: 2.5, each: 1),
            row("P5 /healthz without a log", constant, bare, goal: 2.5, each: 1),
            row("P5 one a request, 64 connections", single, bare, goal: 9, each: 1),
            row("P5 a hundred a request, each", batch, bare, goal: 5, each: Self.perBatch),
            row("P5 the same, 20,000 at once over 8", burst, bare, goal: 5, each: Self.perBatch),
            Row(
                "P5 one a request, p99 beyond p50",
                ours: "\(spread.text(1)) ms",
                goal: "≤ 10 ms",
                isMet: spread <= 10,
                note: "p50 \(single.load.p50.text(1)) ms, p99 \(single.load.p99.text(1)) ms"
            ),
            Row(
                "P5 accepted alone, for tomorrow",
                ours: "\(alone.perSecond.text(0))/s",
                goal: "",
                isMet: nil,
                note: "p50 \(alone.p50.text(1)) ms, p99 \(alone.p99.text(1)) ms"
            ),
        ]
    }

    /// The same with the rows in PostgreSQL, whose own processes have the other core.
    func rowsOnPostgres() async throws -> [Row] {
        let before = try server.databaseSeconds()
        let single = try await cost(of: Self.single) {
            try server.load("/api/v1/notifications", ServerUnderTest.body(to: Self.audience), Self.single)
        }
        let between = try server.databaseSeconds()
        let batch = try await cost(of: Self.batches * Self.perBatch) { try server.loadHundreds(Self.batches) }
        let after = try server.databaseSeconds()
        return [
            rowOnPostgres("one a request", single, between - before, of: Self.single, each: 1),
            rowOnPostgres(
                "a hundred a request, each",
                batch,
                after - between,
                of: Self.batches * Self.perBatch,
                each: Self.perBatch
            ),
        ]
    }

    private func rowOnPostgres(_ name: String, _ cost: Cost, _ seconds: Double, of count: Int, each: Int) -> Row {
        Row(
            "P5 PostgreSQL, \(name)",
            ours: "\(cost.microseconds.text(2)) µs",
            goal: "",
            isMet: nil,
            note: """
                and \((seconds * 1_000_000 / Double(count)).text(2)) µs in the database; \
                \((cost.load.perSecond * Double(each)).text(0))/s, p50 \(cost.load.p50.text(1)) ms, \
                p99 \(cost.load.p99.text(1)) ms
                """
        )
    }

    static let audience = #"{"users": ["user-7"]}"#

    /// What a load cost the server.
    private struct Cost {
        var load: Load
        /// CPU of each, with what is sent and recorded after the answer.
        var microseconds: Double
    }

    /// Of a server that does nothing but HTTP.
    private func bare() throws -> Cost {
        let bare = try BareServer()
        let file = server.folder.file("bare.json")
        try Data(ServerUnderTest.body(to: Self.audience).utf8).write(to: URL(fileURLWithPath: file))
        let fields = ["-d", file, "-H", "Content-Type: application/json"]
        let load = { try Load(bare.address, in: server.folder, requests: Self.constants, fields) }
        // The first ones make the connections' buffers.
        _ = try load()
        let before = try bare.figures.cpuSeconds()
        let second = try load()
        let seconds = try bare.figures.cpuSeconds() - before
        return Cost(load: second, microseconds: seconds * 1_000_000 / Double(Self.constants))
    }

    private func cost(of count: Int, _ load: () throws -> Load) async throws -> Cost {
        let before = try server.figures.cpuSeconds()
        let load = try load()
        try await server.untilNothingWaits()
        return Cost(load: load, microseconds: (try server.figures.cpuSeconds() - before) * 1_000_000 / Double(count))
    }

    private func row(_ name: String, _ cost: Cost, _ constant: Cost, goal: Double, each: Int) -> Row {
        Row(
            name,
            ours: cost.microseconds,
            floor: constant.microseconds,
            goal: goal,
            note: "\((cost.load.perSecond * Double(each)).text(0))/s"
        )
    }
}

extension ServerUnderTest {
    /// Loads a path with the same body again and again.
    func load(
        _ path: String,
        _ body: String,
        _ requests: Int,
        connections: Int = Load.connections
    ) throws -> Load {
        let file = folder.file("accept.json")
        try Data(body.utf8).write(to: URL(fileURLWithPath: file))
        let fields = ["Authorization: Bearer \(try key())", "Content-Type: application/json"]
        return try Load(
            self,
            path,
            requests: requests,
            connections: connections,
            ["-d", file] + fields.flatMap { ["-H", $0] }
        )
    }

    /// Sends a hundred notifications a request, each to one person.
    func loadHundreds(_ requests: Int, connections: Int = Load.connections) throws -> Load {
        let each = Self.body(to: Accept.audience)
        let all = #"{"notifications": ["# + Array(repeating: each, count: Accept.perBatch).joined(separator: ",") + "]}"
        return try load("/api/v1/notifications/batch", all, requests, connections: connections)
    }
}
