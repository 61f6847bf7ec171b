import Foundation
import MartletTesting
import MartletWire
import Testing

@Suite("martlet events", .timeLimit(.minutes(2)))
struct EventCommandTests {
    private static let app = "com.example.app"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A running server with events of one app: two hours old, and ten minutes.
    private func server() async throws -> ServerProcess {
        let server = try await ServerProcess(data: folder.path)
        try await server.call("POST", "/apps", #"{"name": "\#(Self.app)"}"#)
        let now = Int64(Date().timeIntervalSince1970)
        try await ingest(
            [
                [
                    "time": .integer(now - 7_200), "type": "delivery", "platform": "ios", "message_id": "m1",
                    "td_campaign_id": "spring", "user_id": "=1+1", "device_model": "a;=1",
                ],
                [
                    "time": .integer(now - 600), "type": "link_open", "platform": "ios", "message_id": "m2",
                    "td_campaign_id": "summer", "user_id": "ann", "value": #"https://example.com/?a="b",c"#,
                ],
            ],
            server
        )
        return server
    }

    private func ingest(_ events: [JSONValue], _ server: ServerProcess) async throws {
        let made = try await server.call("POST", "/keys", #"{"scope": "client", "app": "\#(Self.app)", "name": "ios"}"#)
        let key = try #require(made?.objectValue?["key"]?.stringValue)
        let body = String(decoding: try JSONValue.object(["events": .array(events)]).json(), as: UTF8.self)
        try await LocalCall.json("POST", server.address + "/td/v1/mobile/push_events", body, key: key)
    }

    private func rows(_ server: ServerProcess, _ arguments: String...) async throws -> [String] {
        let all = ["events", "export", "--csv"] + arguments
        let result = try await ProgramProcess(all, environment: server.environment).result()
        try #require(result.status == 0, "\(result.standardError)")
        return result.standardOutput.components(separatedBy: "\r\n").dropFirst().dropLast()
    }

    @Test("CSV is as RFC 4180 has it, and a text that a spreadsheet would run has an apostrophe, unless --raw")
    func csv() async throws {
        let server = try await server()
        let result = try await server.run("events", "export", "--csv", "--app", Self.app)
        let lines = result.standardOutput.components(separatedBy: "\r\n")
        #expect(lines.count == 4 && lines.last == "")
        #expect(
            lines.first == "time,type,campaign_id,message_id,platform,user_id,value,fcm_token,apns_token,"
                + "installation_id,event_id,device_model,os_version,app_version,received_at,client_time,app_id"
        )
        #expect(lines[1].contains(",delivery,spring,m1,ios,'=1+1,,"))
        // Where a program takes a semicolon for the end of a field, another would begin here.
        #expect(lines[1].contains(#","a;=1","#))
        #expect(lines[2].contains(#",link_open,summer,m2,ios,ann,"https://example.com/?a=""b"",c","#))
        #expect(try await rows(server, "--raw").first?.contains(",ios,=1+1,,") == true)
        #expect(try await server.stop().status == 0)
    }

    @Test("as JSON, export writes one object a line")
    func jsonLines() async throws {
        let server = try await server()
        let result = try await server.run("events", "export", "--json")
        let lines = result.standardOutput.split(separator: "\n")
        let events = try lines.map { try JSONDecoder().decode(EventItem.self, from: Data($0.utf8)) }
        #expect(events.map(\.messageID) == ["m1", "m2"])
        #expect(try await server.stop().status == 0)
    }

    @Test("--since and --until take times and how long ago, and the other filters what they say")
    func filters() async throws {
        let server = try await server()
        let now = Int64(Date().timeIntervalSince1970) * 1_000
        for (arguments, messages) in [
            (["--since", "1h"], ["m2"]), (["--since", "61m"], ["m2"]), (["--since", "3600s"], ["m2"]),
            (["--since", "1d"], ["m1", "m2"]), (["--since", "2w"], ["m1", "m2"]), (["--since", "0s"], []),
            (["--until", "1h"], ["m1"]), (["--since", "3h", "--until", "1h"], ["m1"]),
            (["--since", UTCTime(milliseconds: now - 3_600_000).description], ["m2"]),
            (["--until", "2026-03-01T00:00:00+09:00"], []), (["--type", "link_open"], ["m2"]),
            (["--message", "m1"], ["m1"]), (["--user", "ann"], ["m2"]), (["--user", "nobody"], []),
        ] {
            let result = try await ProgramProcess(
                ["events", "export", "--json"] + arguments,
                environment: server.environment
            )
            .result()
            let found = try result.standardOutput.split(separator: "\n").map {
                try JSONDecoder().decode(EventItem.self, from: Data($0.utf8)).messageID
            }
            #expect(result.status == 0 && found == messages, "\(arguments): \(found) \(result.standardError)")
        }
        #expect(try await server.stop().status == 0)
    }

    @Test(
        "what is no time is refused by its flag, before anything is asked",
        arguments: [
            "yesterday", "-1h", "1", "h", "7x", "1.5h", "99999999999w", "9999999999w", "2026-13-01T00:00:00Z",
        ]
    )
    func badTimes(text: String) async throws {
        // Nobody listens at tcpmux's port.
        let environment = ["MARTLET_SERVER": "http://127.0.0.1:1", "MARTLET_KEY": "mk_admin_x"]
        let flag = text.hasSuffix("h") ? "--until" : "--since"
        let result = try await Program.run("events", "export", "\(flag)=\(text)", environment: environment)
        #expect(result.status != 0 && result.standardError.contains("\(flag) must be"), "\(result.standardError)")
        #expect(result.standardOutput.isEmpty)
    }

    @Test("the specified queries run unchanged, as a table, as CSV, as JSON, and from standard input")
    func queries() async throws {
        let server = try await server()
        let table = try await server.run("events", "query", SpecifiedQueries.newest)
        #expect(table.standardOutput.contains("campaign_id") && table.standardOutput.contains("spring"))
        let csv = try await server.run("events", "query", "--csv", "-", input: SpecifiedQueries.lastHour)
        #expect(csv.standardOutput.hasPrefix("time,type,campaign_id,message_id,platform,user_id\r\n"))
        #expect(csv.standardOutput.hasSuffix(",link_open,summer,m2,ios,ann\r\n"))
        #expect(csv.standardOutput.components(separatedBy: "\r\n").count == 3)
        let json = try await server.run("events", "query", "--json", SpecifiedQueries.newest)
        let answer = try JSONDecoder().decode(Item<EventTable>.self, from: Data(json.standardOutput.utf8)).data
        #expect(answer.columns == ["time", "type", "campaign_id", "message_id", "platform"])
        #expect(answer.rows.map { $0[2] } == ["summer", "spring"])
        #expect(!answer.isTruncated)
        #expect(try await server.stop().status == 0)
    }

    @Test("a query that is none, or asks for more than it may see, says so")
    func badQueries() async throws {
        let server = try await server()
        for (sql, word) in [
            ("SELEC 1", "syntax"), ("DELETE FROM mobile.push_events", "sql"), ("SELECT * FROM apps", "apps"),
            ("SELECT nothing FROM mobile.push_events", "nothing"),
        ] {
            let result = try await server.run("events", "query", sql)
            #expect(result.status == 1 && result.standardError.contains(word), "\(sql): \(result.standardError)")
            #expect(result.standardOutput.isEmpty)
        }
        let cut = try await server.run("events", "query", "--limit", "1", "SELECT type FROM mobile.push_events")
        #expect(cut.status == 0 && cut.standardError.contains("There is more: 1 rows are shown"))
        let none = try await server.run("events", "query", "SELECT type FROM mobile.push_events WHERE time < 0")
        #expect(none.standardOutput == "There are no rows.\n")
        let limit = try await server.run("events", "query", "--limit", "0", "SELECT 1")
        #expect(limit.status == 64 && limit.standardError.contains("--limit is from 1 to 10000."))
        #expect(try await server.stop().status == 0)
    }

    @Test("tail shows the newest, and with --follow what comes while it waits")
    func tail() async throws {
        let server = try await server()
        let last = try await server.run("events", "tail", "-n", "1")
        #expect(last.standardOutput.contains("link_open") && !last.standardOutput.contains("delivery"))
        try await ingest([["type": "open", "platform": "ios", "user_id": "a\u{202E}b\u{2066}c"]], server)
        let turned = try await server.run("events", "tail", "-n", "1")
        #expect(turned.standardOutput.contains("a\u{FFFD}b\u{FFFD}c"))
        let bad = try await server.run("events", "tail", "-n", "0")
        #expect(bad.status == 64 && bad.standardError.contains("--number is from 1 to 1000."))
        let following = try ProgramProcess(
            ["events", "tail", "--follow", "--json", "--type", "open"],
            environment: server.environment
        )
        try await ingest([["type": "open", "platform": "android", "message_id": "m3"]], server)
        let line = try await following.line(containing: "m3")
        #expect(try JSONDecoder().decode(EventItem.self, from: Data(line.utf8)).platform == .android)
        following.send(signal: SIGTERM)
        #expect(try await server.stop().status == 0)
    }
}
