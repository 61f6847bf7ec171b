import AsyncHTTPClient
import Foundation
import GRDB
import MartletTesting
import MartletWire
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// The real program, with a database on disk, sending to a provider of the benchmark's.
final class ServerUnderTest {
    static let app = "com.example.bench"

    /// Where the app's pushes go.
    struct Provider {
        var url: String
        /// The file with the certificate to trust.
        var trust: String
        var signingKey: String
        var keyID = "KEY4567890"
        var teamID = "TEAM567890"
    }

    let folder: TemporaryFolder
    let data: String
    /// The PostgreSQL server whose database has the rows; without one SQLite has them.
    private let cluster: PostgresCluster?
    /// The address of that database.
    let database: String?
    private var server: ServerProcess?
    /// When it last began to listen.
    private(set) var readyAt = ContinuousClock.now

    /// A database, of SQLite unless a PostgreSQL server is given, with the app, its credential, and so many endpoints of 7/10 as many users: every user has one, and
    /// three in seven have a second one, which was registered after all the first ones.
    init(endpoints: Int, provider: Provider, on cluster: PostgresCluster? = nil) async throws {
        folder = try TemporaryFolder()
        data = folder.file("data")
        self.cluster = cluster
        database = try cluster?.server.makeDatabase()
        let server = try await ServerProcess(data: data, arguments: databaseArguments)
        try await Self.createApp(Self.app, provider: provider, on: server)
        _ = try await server.stop()
        if let database {
            try PostgresSeed.write(endpoints, in: database)
        } else {
            try seed(endpoints)
        }
    }

    private var databaseArguments: [String] { database.map { ["--database", $0] } ?? [] }

    /// Adds an app while the server runs, sends to so many tokens of it, and returns when all of them wait to be sent.
    func addApp(_ name: String, provider: Provider, waiting: Int) async throws {
        guard let server else { throw BenchmarkError("no server") }
        try await Self.createApp(name, provider: provider, on: server)
        for start in stride(from: 0, to: waiting, by: 1_000) {
            let tokens = (start..<min(start + 1_000, waiting)).map { "\"\(Self.token($0))\"" }
            let id = try await send(to: #"{"tokens": [\#(tokens.joined(separator: ","))]}"#, app: name)
            try await untilPlanned(id, tokens.count)
        }
    }

    private static func createApp(_ name: String, provider: Provider, on server: ServerProcess) async throws {
        try await must(server.run("apps", "create", name))
        try await must(
            server.run(
                "apps",
                "credentials",
                "set",
                name,
                "--p8",
                provider.signingKey,
                "--key-id",
                provider.keyID,
                "--team-id",
                provider.teamID,
                "--apns-url",
                provider.url,
                "--apns-trust",
                provider.trust
            )
        )
    }

    /// Starts it on one core and lets it send one push, so that the connection is there.
    ///
    /// - Parameter hasLog: whether it writes its log as it does by default; otherwise errors alone.
    func start(environment: [String: String] = [:], hasLog: Bool = false) async throws {
        let server = try await ServerProcess(
            data: data,
            arguments: (hasLog ? [] : ["--log-level", "error"]) + databaseArguments,
            environment: environment
        )
        readyAt = .now
        self.server = server
        try figures.pin(toCores: "0")
        _ = try await untilDone(try await send(to: #"{"tokens": ["\#(Self.token(0))"]}"#))
    }

    func stop() async throws {
        _ = try await server?.stop()
        server = nil
    }

    /// The link by which the console's first operator signs in, as it prints it when it starts.
    func invitation() async throws -> String {
        guard let server else { throw BenchmarkError("no server") }
        let line = try await server.process.line(containing: "/console/invitations/")
        return String(line.split(separator: " ").last ?? "")
    }

    /// Writes into its database while it is stopped.
    func write(_ sql: String) throws {
        if let database {
            try PostgresServer.run(sql, in: database, within: 600)
            return
        }
        let database = try DatabaseQueue(path: data + "/martlet.sqlite")
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    /// What the operating system says of it.
    var figures: ProcessFigures { ProcessFigures(id: server?.process.id ?? 0) }

    /// CPU seconds of the PostgreSQL server, if there is one.
    func databaseSeconds() throws -> Double {
        guard let cluster else { return 0 }
        return try ProcessFigures(id: try cluster.processID()).cpuSecondsWithChildren()
    }

    /// Its address.
    var address: String { server?.address ?? "" }

    /// Its first admin key.
    func key() throws -> String {
        try String(contentsOfFile: data + "/admin.key", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A request to send 184 bytes of payload to an audience, given as JSON; with a category it leaves an inbox item, and
    /// the badge is each person's own.
    static func body(
        to audience: String,
        dedup: String? = nil,
        app: String = app,
        sendAt: String? = nil,
        class: String? = nil,
        category: String? = nil
    )
        -> String
    {
        let people = category.map { #""badge": "unread", "category": "\#($0)""# } ?? #""badge": 1"#
        let rule =
            (`class`.map { #", "class": "\#($0)""# } ?? "") + (dedup.map { #", "dedup": {"key": "\#($0)"}"# } ?? "")
            + (sendAt.map { #", "send_at": "\#($0)""# } ?? "")
        let text = String(repeating: "x", count: 92)
        return """
            {"app": "\(app)", "audience": \(audience), "title": "Line 4", "body": "\(text)", "sound": "default", \
            \(people)\(rule)}
            """
    }

    /// Sends; returns the notification's id.
    func send(
        to audience: String,
        dedup: String? = nil,
        app: String = app,
        class: String? = nil,
        category: String? = nil
    ) async throws -> String {
        let body = Self.body(to: audience, dedup: dedup, app: app, class: `class`, category: category)
        let answer = try await call(.POST, "/api/v1/notifications", body)
        guard let id = answer["id"]?.stringValue else { throw BenchmarkError("no id in the answer") }
        return id
    }

    /// Waits for a notification's end, asking so often; returns how many deliveries have their answer.
    func untilDone(_ id: String, askingEvery pause: Duration = .milliseconds(100)) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < deadline {
            let notification = try await call(.GET, "/api/v1/notifications/\(id)")
            if notification["status"]?.stringValue == "done" {
                let counts = notification["counts"]?.objectValue ?? [:]
                return ["accepted", "rejected"].reduce(0) { $0 + Int(counts[$1]?.integerValue ?? 0) }
            }
            try await Task.sleep(for: pause)
        }
        throw BenchmarkError("notification \(id) did not end")
    }

    /// Whether a notification is over.
    func isDone(_ id: String) async throws -> Bool {
        try await call(.GET, "/api/v1/notifications/\(id)")["status"]?.stringValue == "done"
    }

    /// Resumes the queue of a pause.
    func resume(_ path: String) async throws {
        let answer = try await LocalCall.send("DELETE", address + path, key: try key())
        guard answer.status == 204 else { throw BenchmarkError("the queue was not resumed: \(answer.status)") }
    }

    /// Waits until nothing waits to be sent any more.
    func untilNothingWaits(within seconds: Int = 60) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        // The numbers may be five seconds old: before that they are of the load's beginning.
        try await Task.sleep(for: .seconds(6))
        while ContinuousClock.now < deadline {
            let metrics = String(decoding: try await LocalCall.send("GET", address + "/metrics").body, as: UTF8.self)
            let waiting = metrics.split(separator: "\n").filter { $0.hasPrefix("martlet_backlog_deliveries{") }
            if waiting.allSatisfy({ $0.hasSuffix(" 0") || $0.hasSuffix(" 0.0") }) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BenchmarkError("some deliveries still wait")
    }

    /// Waits until a notification's audience has been read.
    private func untilPlanned(_ id: String, _ deliveries: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let counts = try await call(.GET, "/api/v1/notifications/\(id)")["counts"]?.objectValue ?? [:]
            if counts.values.compactMap(\.integerValue).reduce(0, +) == deliveries { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw BenchmarkError("the audience of \(id) was not read")
    }

    /// How many pushes of an app are with its provider's connections and have no answer.
    func pushesInFlight(of app: String) async throws -> Int {
        let metrics = try await LocalCall.send("GET", address + "/metrics").body
        let lines = String(decoding: metrics, as: UTF8.self).split(separator: "\n")
        return lines.reduce(0) { sum, line in
            guard line.hasPrefix("martlet_pushes_in_flight{"), line.contains("app=\"\(app)\"") else { return sum }
            return sum + (line.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) } ?? 0)
        }
    }

    /// Calls the API as its administrator; returns what stands under `data`.
    func call(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async throws -> [String: JSONValue] {
        guard let data = try await data(method, path, body).objectValue else { throw BenchmarkError("no object") }
        return data
    }

    /// Reads a list of the API as its administrator; returns what stands under `data`.
    func list(_ path: String) async throws -> [JSONValue] {
        guard case .array(let items) = try await data(.GET, path, nil) else { throw BenchmarkError("no list") }
        return items
    }

    private func data(_ method: HTTPMethod, _ path: String, _ body: String?) async throws -> JSONValue {
        var request = HTTPClientRequest(url: address + path)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer " + (try key()))
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        let document = try JSONValue(json: Data(buffer: bytes)).objectValue
        guard let data = document?["data"] else { throw BenchmarkError(String(buffer: bytes)) }
        return data
    }

    private static func must(_ result: ProgramProcess.Result) throws {
        guard result.status == 0 else { throw BenchmarkError(result.standardError) }
    }

    static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    /// How many rows the inboxes of all people have together.
    func inboxRows() throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: data + "/martlet.sqlite", configuration: configuration)
        return try database.read { database in
            try ["inbox_items", "inbox_entries", "inbox_sets"].reduce(0) { sum, table in
                try sum + (Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0)
            }
        }
    }

    /// Writes users and endpoints as the server would have, only faster.
    private func seed(_ count: Int) throws {
        let database = try DatabaseQueue(path: data + "/martlet.sqlite")
        let users = max(1, count * 7 / 10)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        try database.write { database in
            let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
            try database.execute(
                sql: """
                    \(numbers) INSERT INTO users (app_id, external_id)
                    SELECT (SELECT id FROM apps), 'user-' || i FROM n
                    """,
                arguments: [users]
            )
            try database.execute(
                sql: """
                    \(numbers) INSERT INTO endpoints (app_id, user_id, status, platform, environment, token, public_id,
                        status_at, created_at, registered_at, is_registered)
                    SELECT (SELECT id FROM apps), 1 + (i - 1) % ?, 0, 1, 2, lower(hex(randomblob(32))), randomblob(16),
                        ?, ?, ?, 1 FROM n
                    """,
                arguments: [count, users, now, now, now]
            )
        }
        try database.close()
    }
}
