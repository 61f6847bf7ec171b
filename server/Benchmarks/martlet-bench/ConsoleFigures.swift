import Foundation
import MartletTesting
import MartletWire
import NIOHTTP1

/// The console's pages over a full database: how long the server takes for each, and how large it is.
///
/// The database is filled by the server itself, with sends to all devices; counts over time of ten apps for 400 days and
/// 100,000 rows of the audit log are written beside it. How long that takes is mostly how long the sends take: some twenty
/// seconds for a million.
struct ConsoleFigures {
    let provider: ServerUnderTest.Provider
    let simulator: SimulatorProcess

    private static let (time, size) = (100.0, 100.0)
    private static let readings = 20
    private static let apps = 10

    /// How many devices and deliveries there are; the environment says otherwise.
    static let devices = number("MARTLET_BENCH_DEVICES", or: 1_000_000)
    private static let deliveries = number("MARTLET_BENCH_DELIVERIES", or: 10_000_000)

    private static func number(_ name: String, or usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.map { max(1, $0) } ?? usual
    }

    /// The phones that the console shows are those of the simulator that the pushes go to.
    private var environment: [String: String] { ["MARTLET_CONSOLE_SIMULATOR": simulator.control] }

    func rows() async throws -> [Row] {
        let server = try await ServerUnderTest(endpoints: Self.devices, provider: provider)
        try await server.start(environment: environment)
        let notification = try await fill(server)
        let reader = try ConsoleReader.invited(by: try await server.invitation())
        let app = try await Self.appID(of: server)
        let before = try server.figures.peakMegabytes()
        var rows: [Row] = []
        for page in Self.pages(app, notification) + (try await topicPages(server)) {
            rows.append(try await row(page) { try await reader.page(page) })
        }
        for form in ["/compose/count", "/compose"] {
            let fields = ["app": app, "audience": "all", "title": "Socks", "body": "Half the price", "do": "review"]
            rows.append(try await row("\(form), sent") { try await reader.send(fields, to: form) })
        }
        let after = try server.figures.peakMegabytes()
        try await server.stop()
        let note = "\(before.text(0)) MB before the pages; \(Self.devices) devices, \(Self.deliveries) deliveries"
        return rows + [Row("Console, peak memory", ours: "\(after.text(0)) MB", goal: "", isMet: nil, note: note)]
    }

    private func row(_ page: String, _ read: () async throws -> Int) async throws -> Row {
        var (times, bytes): ([Double], Int) = ([], 0)
        // One more, which is not counted: it compiles statements and reads what no page has read before.
        for number in 0...Self.readings {
            let begin = ContinuousClock.now
            bytes = try await read()
            if number > 0 { times.append((.now - begin) / .milliseconds(1)) }
        }
        let kilobytes = Double(bytes) / 1_000
        let shown = page.replacingOccurrences(of: "[0-9a-f]{8}-[0-9a-f-]{27}", with: "…", options: .regularExpression)
        return Row(
            "Console \(shown)",
            ours: "\(times.median.text(1)) ms",
            floor: "\(kilobytes.text(1)) KB",
            goal: "100 ms, KB",
            isMet: times.median < Self.time && kilobytes < Self.size,
            note: "slowest \((times.max() ?? 0).text(1)) ms"
        )
    }

    // MARK: The pages

    private static func pages(_ app: String, _ notification: String) -> [String] {
        let one = "/notifications/\(notification)"
        let person = "/people/\(app)/user-1"
        return [
            "", "?period=hour", "?period=day", "?period=month", "?period=month&app=\(app)", "/compose?app=\(app)",
            "/notifications", "/notifications?state=cancelled", "/notifications?state=done&app=\(app)",
            "/notifications?q=nothing+has+this", one, one + "/missed", one + "/missed?reason=PayloadTooLarge",
            one + "/resend", "/people", "/people?q=user-1&app=\(app)", person, person + "/devices",
            person + "/preferences", person + "/inbox", person + "/why/\(notification)", person + "/erase",
            "/topics?app=\(app)", "/categories?app=\(app)", "/categories/\(app)/\(category)", "/apps/\(app)/findings",
            "/problems", "/apps", "/apps/new", "/apps/\(app)",
            "/apps/\(app)/credentials/new?platform=apns&environment=production", "/phones", "/keys", "/access-keys",
            "/operators", "/sessions", "/audit", "/audit?app=\(app)", "/account",
        ]
    }

    private static let (topic, category) = ("news", "offers")

    /// The page of a topic that every user is subscribed to, and of one subscription.
    private func topicPages(_ server: ServerUnderTest) async throws -> [String] {
        let path = "/api/v1/topics/\(Self.topic)"
        let scope = "?app=\(ServerUnderTest.app)"
        let topic = try await server.call(.GET, path + scope)["id"]?.stringValue ?? ""
        let first = try await server.list("\(path)/subscriptions\(scope)&limit=1").first?.objectValue
        return ["/topics/\(topic)", "/topics/\(topic)/subscriptions/\(first?["id"]?.stringValue ?? "")"]
    }

    /// The id of the app that sends, which the addresses of pages have.
    private static func appID(of server: ServerUnderTest) async throws -> String {
        guard let id = try await server.call(.GET, "/api/v1/apps/\(ServerUnderTest.app)")["id"]?.stringValue else {
            throw BenchmarkError("the app has no id")
        }
        return id
    }

    // MARK: The database

    /// Fills it; returns the notification that nobody got, of which every device has a row of its own.
    private func fill(_ server: ServerUnderTest) async throws -> String {
        for number in 1..<Self.apps {
            _ = try await server.call(.POST, "/api/v1/apps", #"{"name": "com.example.other\#(number)"}"#)
        }
        let app = #""app": "\#(ServerUnderTest.app)""#
        _ = try await server.call(.POST, "/api/v1/topics", #"{\#(app), "name": "\#(Self.topic)"}"#)
        _ = try await server.call(.POST, "/api/v1/categories", #"{\#(app), "key": "\#(Self.category)"}"#)
        let refusal = #"{"do": "respond", "status": 413, "reason": "PayloadTooLarge"}"#
        try await simulator.script(#"{"then": \#(refusal)}"#)
        let refused = try await server.send(to: #"{"all": true}"#)
        _ = try await server.untilDone(refused)
        try await simulator.call("DELETE", "/rules")
        for _ in 1..<max(2, Self.deliveries / Self.devices) {
            _ = try await server.untilDone(try await server.send(to: #"{"all": true}"#))
        }
        try await server.stop()
        try server.write(Self.counts(at: Int64(Date().timeIntervalSince1970 * 1000)) + Self.audit + Self.subscriptions)
        try await server.start(environment: environment)
        return refused
    }

    /// Counts of all apps and platforms: three hours by the minute and writer, two days by the minute, 400 days by the hour.
    private static func counts(at now: Int64) -> String {
        func table(_ name: String, _ steps: ClosedRange<Int>, of length: Int64, key: String = "", value: String = "")
            -> String
        {
            """
            WITH RECURSIVE
                n(i) AS (SELECT \(steps.lowerBound) UNION ALL SELECT i + 1 FROM n WHERE i < \(steps.upperBound)),
                p(platform) AS (VALUES (1), (2), (3))
            INSERT OR IGNORE INTO \(name) (app_id, begins_at, platform\(key), accepted, rejected, opens)
            SELECT a.id, (\(now / length) - i) * \(length), p.platform\(value), 100, 1, 10 FROM apps a, n, p;

            """
        }
        return table("minute_counts", 1...180, of: 60_000, key: ", slot", value: ", -1")
            + table("past_minute_counts", 181...2_880, of: 60_000) + table("hour_counts", 3...9_600, of: 3_600_000)
    }

    /// All users to one topic.
    private static let subscriptions = """
        INSERT INTO subscriptions
            (public_id, topic_id, kind, app_id, subject_id, address, is_confirmed, attributes, created_at)
        SELECT randomblob(16), t.id, 2, u.app_id, u.id, u.external_id, 1, '{}', t.created_at
        FROM users u JOIN topics t ON t.app_id = u.app_id WHERE u.external_id IS NOT NULL;
        UPDATE topics SET confirmed = (SELECT count(*) FROM subscriptions s WHERE s.topic_id = topics.id);

        """

    /// A thousand times what the log has, up to 100 rows of it.
    private static let audit: String = {
        let columns =
            "actor_kind, actor_id, actor_name, action, subject_kind, subject_id, app_id, before, after"
        return """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO audit_log (at, \(columns))
            SELECT at - i, \(columns) FROM n, (SELECT * FROM audit_log ORDER BY id LIMIT 100);
            """
    }()
}
