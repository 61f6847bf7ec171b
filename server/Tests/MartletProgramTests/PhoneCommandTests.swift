import Foundation
import MartletTesting
import Testing

/// `martlet phone`, driven line by line as a script does.
@Suite(.timeLimit(.minutes(3))) struct PhoneCommandTests {
    @Test("the page about phones has every option that the help lists")
    func page() async throws {
        let help = try await Program.run("phone", "--help").standardOutput
        let page = try String(contentsOfFile: Program.root + "/docs/phone.md", encoding: .utf8)
        let options = help.split(separator: "\n").compactMap { $0.prefixMatch(of: #/  (--[a-z-]+)/#)?.output.1 }
        #expect(options.count > 15)
        for option in options where option != "--version" { #expect(page.contains(option), "\(option)") }
    }

    @Test("phones show what the server sent, are tapped, and report; then nothing is left of them")
    func receivesAndReports() async throws {
        let stage = try await Stage()
        let folder = try TemporaryFolder()
        let script = [
            "# both have a device", "wait shown", "show", "tap", "wait deep_link", "report", "2: wait shown", "phone 2",
            "button no", "report",
        ]
        let phones = try stage.phones(
            ["--user", "amira", "--user", "ben", "--link", "transit:", "--category", "invite=yes:Accept,no:Decline"],
            script,
            folder: folder.path
        )
        for user in ["amira", "ben"] { try await phones.line(containing: #""user":"\#(user)","what":"registered""#) }
        let notification = try await stage.send(
            "--user",
            "amira",
            "--user",
            "ben",
            "--title",
            "Line T4",
            "--body",
            "Late",
            "--action-category",
            "invite",
            "--deep-link",
            "transit://alerts/4"
        )
        let result = try await phones.result()
        #expect(result.status == 0, "\(result.standardError)")
        let happened = try Event.all(in: result.standardOutput)

        let shown = try #require(happened.first { $0.phone == 1 && $0.what == "shown" })
        #expect(shown.title == "Line T4" && shown.body == "Late" && shown.buttons == ["yes", "no"])
        let ofAmira = happened.filter { $0.phone == 1 }.map(\.what)
        #expect(ofAmira.filter { ["shown", "tapped", "received", "deep_link"].contains($0) }.count == 4)
        #expect(happened.contains { $0.what == "deep_link" && $0.value == "transit://alerts/4" })
        #expect(happened.contains { $0.phone == 2 && $0.what == "action" && $0.value == "no" })
        #expect(result.standardOutput.contains(#"{"screen":{"#))
        #expect(happened.allSatisfy { !["fault", "error", "refused"].contains($0.what) })

        #expect(try await stage.counts(of: notification) == ["deliveries": 2, "opens": 2, "deeplinks": 1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        let keys = try await stage.server.run("keys", "list", "--app", Stage.app, "--json")
        #expect(keys.standardOutput.contains("martlet phone") && keys.standardOutput.contains("revoked_at"))
        let again = try await stage.server.run(
            "send",
            "--app",
            Stage.app,
            "--user",
            "amira",
            "--title",
            "Gone",
            "--wait"
        )
        #expect(again.status == 1 && again.standardOutput.contains("Unregistered"))
    }

    @Test("a killed app is started by the tap, an offline phone catches up, and another user takes the device over")
    func livesThroughADay() async throws {
        let stage = try await Stage()
        let script = [
            "wait registered", "kill", "offline", "wait ended", "online", "wait shown", "tap", "wait received",
            "login ben", "wait registered", "home", "wait shown", "dismiss", "report",
        ]
        let phone = try stage.phones(["--user", "amira"], script)
        try await phone.line(containing: #""what":"ended""#)
        let first = try await stage.send("--user", "amira", "--title", "For amira")
        try await phone.line(containing: #""user":"ben","what":"registered""#)
        let second = try await stage.send("--user", "ben", "--title", "For ben")
        let result = try await phone.result()
        #expect(result.status == 0, "\(result.standardError)")
        let happened = try Event.all(in: result.standardOutput)
        #expect(happened.filter { $0.what == "started" }.map(\.value) == ["in front", "in front"])
        #expect(happened.filter { $0.what == "shown" }.map(\.title) == ["For amira", "For ben"])
        #expect(try await stage.counts(of: first) == ["deliveries": 1, "opens": 1])
        #expect(try await stage.counts(of: second) == ["deliveries": 1, "dismissals": 1])
    }

    @Test("a device that is forgotten is deleted at the server, and registered anew by a login")
    func forgets() async throws {
        let stage = try await Stage()
        let script = ["wait registered", "forget", "wait updated", "login ben", "wait registered"]
        let phone = try stage.phones(["--user", "amira"], script)
        let result = try await phone.result()
        #expect(result.status == 0, "\(result.standardError)")
        let happened = try Event.all(in: result.standardOutput)
        #expect(happened.contains { $0.what == "updated" })
        #expect(happened.allSatisfy { !["fault", "error", "refused"].contains($0.what) })
    }

    @Test("without --json people read one line each, and a prompt waits for its answer")
    func readsWell() async throws {
        let stage = try await Stage()
        let script = ["wait asked", "show", "allow", "wait registered"]
        let phone = try stage.phones(["--user", "太郎", "--permission", "ask"], script, json: false)
        let result = try await phone.result()
        #expect(result.status == 0, "\(result.standardError)")
        let lines = result.standardOutput.split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix("  1 太郎      asks: may the app send notifications?") })
        #expect(lines.contains { $0.hasSuffix("  1 太郎      the server knows the device") })
        #expect(lines.contains { $0.hasPrefix("│ “The app” would like to send you") })
        #expect(!result.standardOutput.contains("\u{1B}"), "no terminal, no colours")
    }

    @Test("a script ends at the line that cannot be done, which is named")
    func saysWhatIsWrong() async throws {
        let stage = try await Stage()
        for (script, message) in [
            ("fly", "Line 1: 'fly' is not an order"), ("\ntap 0", "Line 2: A notification's number"),
            ("tap 2", "Line 1: There is no notification 2"), ("3: home", "Line 1: There is no phone 3"),
            ("kill\nlogin ben", "Line 2: The app does not run"),
            ("wait sunshine", "'sunshine' is not an event"),
            ("wait shown 1", "'shown' did not happen on phone 1 within 1 s"), ("wait shown 601", "600 seconds"),
            ("link no link", "The form is: link URL"), ("button", "The form is: button"),
        ] {
            let result = try await stage.phones([], [script]).result()
            #expect(result.status == 1, "\(script)")
            #expect(result.standardError.contains(message), "\(script): \(result.standardError)")
        }
        // A line without an end is cut.
        let long = try await stage.phones([], [String(repeating: "x", count: 40_000)]).result()
        #expect(long.status == 1 && long.standardError.contains("Line 1: 'xxx"))
        #expect(long.standardError.count < 1_000)
    }

    @Test("wrong flags are answered before any phone is switched on")
    func refusesFlags() async throws {
        let stage = try await Stage()
        for (flags, status, message) in [
            (["--count", "0"], Int32(64), "--count is from 1 to 64"),
            (["--count", "1", "--user", "a", "--user", "b"], 64, "users"),
            (["--simulator", "nowhere"], 64, "not a server's address"),
            (["--simulator", "http://127.0.0.1:1"], 69, "simulated APNs"),
            (["--simulator", stage.server.address], 1, "not the control interface"),
            (["--api-key", "short"], 64, "apiKey"), (["--time-zone", "Mars/Base"], 64, "not a time zone"),
            (["--category", "invite"], 64, "has no name"), (["--category", "a=b"], 64, "not a button"),
            (["--link", "http://x/"], 64, "'http://x/' would allow"), (["--link", "https:"], 64, "--link game:"),
            (["--host", "http://x/"], 64, "does not name a host"), (["--app", "com.example.other"], 1, "no such app"),
        ] {
            let result = try await stage.phones(flags, ["help"], json: false).result()
            #expect(result.status == status, "\(flags)")
            #expect(result.standardError.contains(message), "\(flags): \(result.standardError)")
            #expect(result.standardOutput.isEmpty, "\(flags)")
        }
    }
}

extension Stage {
    /// Starts phones with the stage's app.
    func phones(
        _ arguments: [String],
        _ script: [String],
        json: Bool = true,
        folder: String? = nil
    ) throws -> ProgramProcess {
        let base = ["phone", "--app", Self.app, "--simulator", simulator.control] + (json ? ["--json"] : [])
        var environment = server.environment
        environment["TMPDIR"] = folder
        return try ProgramProcess(
            base + arguments,
            input: script.map { $0 + "\n" }.joined(),
            environment: environment
        )
    }

    /// Sends and returns the notification's id.
    func send(_ arguments: String...) async throws -> String {
        let process = try ProgramProcess(
            ["send", "--app", Self.app, "--json"] + arguments,
            environment: server.environment
        )
        let result = try await process.result()
        struct Accepted: Decodable { var id: String }
        return try JSONDecoder().decode(Answer<Accepted>.self, from: Data(result.standardOutput.utf8)).data.id
    }

    /// The counts of what was reported that are not zero.
    func counts(of notification: String) async throws -> [String: Int] {
        let result = try await server.run("notifications", "show", notification, "--json")
        struct Shown: Decodable { var events: [String: Int] }
        let shown = try JSONDecoder().decode(Answer<Shown>.self, from: Data(result.standardOutput.utf8))
        return shown.data.events.filter { $0.value > 0 }
    }
}

/// A line of `martlet phone --json`.
struct Event: Decodable {
    var phone: Int
    var what: String
    var title: String?
    var body: String?
    var buttons: [String]?
    var value: String?

    /// Every line that is one; the screens are others.
    static func all(in output: String) throws -> [Event] {
        try output.split(separator: "\n").filter { !$0.hasPrefix(#"{"screen""#) }.map {
            try JSONDecoder().decode(Event.self, from: Data($0.utf8))
        }
    }
}
