import Foundation
import MartletTesting
import Testing

/// What a person reads when something is wrong on the way to a server or a provider, or with the command itself.
@Suite("Errors in plain words", .timeLimit(.minutes(3)))
struct PlainWordsTests {
    /// Words of a library or of its build, which nobody can act on.
    private static let libraryWords = ["NIO", "SSL", "HTTPClient", "SocketAddress", "errno", "Sources/"]

    @Test("an https server at an http port, a server that is not there, and a name that is none are said once")
    func serverIsElsewhere() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.file("data"))
        let port = try #require(server.address.split(separator: ":").last)
        let cases = [
            ("https://127.0.0.1:\(port)", "the port does not speak TLS"), ("http://127.0.0.1:1", "connection refused"),
            ("http://nowhere.invalid", "the name nowhere.invalid cannot be resolved"),
        ]
        for (address, words) in cases {
            let listed = try await Program.run("apps", "list", "--server", address, "--key", "k")
            #expect(listed.status == 69)
            #expect(listed.standardError.hasPrefix("error: No answer from \(address): \(words). ["))
            let found = Self.libraryWords.filter { listed.standardError.contains($0) }
            #expect(found.isEmpty, "\(listed.standardError)")
        }
    }

    @Test("a port that is taken, an address of another machine and a file that cannot be written are said in words")
    func cannotStart() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.file("data"))
        let port = String(try #require(server.address.split(separator: ":").last))
        let serve = ["serve", "--data", folder.file("other")]
        let simulate = ["simulate", "--ca", folder.file("ca.pem")]
        let elsewhere = ["--host", "192.0.2.1"]  // RFC 5737: no machine's
        let cases: [([String], String, String)] = [
            (serve + ["--port", port], "address already in use.", "--port 0"),
            (serve + ["--port", "0"] + elsewhere, "cannot assign requested address.", "--host is an address"),
            (simulate + ["--port", port, "--control-port", "0"], "address already in use.", "--port 0"),
            (simulate + ["--port", "0", "--control-port", port], "address already in use.", "--control-port 0"),
            (simulate + ["--port", "0", "--control-port", "0"] + elsewhere, "cannot assign", "--host is an address"),
        ]
        for (arguments, message, hint) in cases {
            let refused = try await ProgramProcess(arguments).result()
            #expect(refused.status == 1)
            #expect(refused.standardError.contains(message), "\(arguments): \(refused.standardError)")
            #expect(refused.standardError.contains(hint), "\(arguments): \(refused.standardError)")
            let found = Self.libraryWords.filter { refused.standardError.contains($0) }
            #expect(found.isEmpty, "\(arguments): \(refused.standardError)")
        }
        let lost = try await Program.run("simulate", "--port", "0", "--control-port", "0", "--ca", "/nowhere/ca.pem")
        #expect(lost.status == 1 && lost.standardError.contains("The file /nowhere/ca.pem cannot be written."))
    }

    @Test("doctor says what is wrong on the way to a provider, and names the command that mends it")
    func doctorIsPlain() async throws {
        let stage = try await Stage()
        let port = try #require(stage.server.address.split(separator: ":").last)
        let urls = ["https://127.0.0.1:\(port)", "https://127.0.0.1:1", "https://nowhere.invalid"]
        for (index, url) in urls.enumerated() {
            let app = "app\(index)"
            let made = try await stage.server.run("apps", "create", app)
            let stored = try await stage.server.run(
                "apps",
                "credentials",
                "set",
                app,
                "--p8",
                stage.folder.file("simulator.p8"),
                "--key-id",
                "SIMULATED1",
                "--team-id",
                "SIMULATED1",
                "--environment",
                "production",
                "--apns-url",
                url
            )
            try #require(made.status == 0 && stored.status == 0, "\(stored.standardError)")
        }
        _ = try await stage.server.run("apps", "create", "bare")
        let checked = try await stage.server.run("doctor")
        #expect(checked.status == 1)
        for words in [
            "127.0.0.1:\(port): tls: the port does not speak TLS.", "127.0.0.1:1: connect: connection refused.",
            "nowhere.invalid:443: resolve: the name nowhere.invalid cannot be resolved.",
            "martlet apps credentials set bare",
        ] {
            #expect(checked.standardOutput.contains(words), "\(words): \(checked.standardOutput)")
        }
        let found = Self.libraryWords.filter { checked.standardOutput.contains($0) }
        #expect(found.isEmpty, "\(checked.standardOutput)")
    }

    @Test("a server that refuses HTTP/2 while it shakes hands is said to")
    func refusesALPN() async throws {
        let stage = try await Stage()
        let tls = try ProgramProcess(
            [
                "-c",
                """
                openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
                -addext subjectAltName=IP:127.0.0.1 2>/dev/null
                exec openssl s_server -accept 0 -cert cert.pem -key key.pem -alpn http/1.1 -www
                """,
            ],
            executable: "/bin/sh",
            folder: stage.folder.path
        )
        let line = try await tls.line(containing: "ACCEPT ")
        let port = try #require(line.split(separator: ":").last)
        let stored = try await stage.server.run(
            "apps",
            "credentials",
            "set",
            Stage.app,
            "--p8",
            stage.folder.file("simulator.p8"),
            "--key-id",
            "SIMULATED1",
            "--team-id",
            "SIMULATED1",
            "--apns-url",
            "https://127.0.0.1:\(port)",
            "--apns-trust",
            stage.folder.file("cert.pem")
        )
        try #require(stored.status == 0, "\(stored.standardError)")
        let checked = try await stage.server.run("doctor")
        #expect(checked.standardOutput.contains("the server refuses HTTP/2 (ALPN)"), "\(checked.standardOutput)")
        tls.send(signal: SIGKILL)
    }

    @Test(
        "a command that does not exist is refused with the one that was meant",
        arguments: [
            (["sned"], "There is no command 'martlet sned'.", "'martlet send'"),
            (
                ["devices", "regster", "x"], "There is no command 'martlet devices regster'.",
                "'martlet devices register'"
            ),
            (["help", "foo"], "There is no command 'martlet foo'.", "'martlet --help' lists all"),
            (["help", "apps", "craete"], "There is no command 'martlet apps craete'.", "'martlet apps create'"),
            (["apps", "credentials", "sat", "x", "y"], "There is no command 'martlet apps credentials sat'.", "set'"),
        ]
    )
    func suggests(arguments: [String], message: String, hint: String) async throws {
        let refused = try await ProgramProcess(arguments).result()
        #expect(refused.status == 64)
        #expect(refused.standardError.contains(message) && refused.standardError.contains(hint), "\(refused)")
    }

    @Test("help of commands that there are is shown")
    func helps() async throws {
        for arguments in [["help"], ["help", "apps", "credentials", "set"], ["send", "--help"]] {
            let shown = try await ProgramProcess(arguments).result()
            #expect(shown.status == 0 && shown.standardOutput.contains("USAGE"), "\(arguments)")
        }
        // Where standard input is the request, nobody can be asked whether it really goes to everybody.
        let help = try await Program.run("send", "--help").standardOutput
        #expect(help.contains("martlet send - --yes"), "\(help)")
    }

    @Test("a refusal names what to type, and no path of the REST interface")
    func namesCommands() async throws {
        let stage = try await Stage()
        func run(_ arguments: [String]) async throws -> ProgramProcess.Result {
            try await ProgramProcess(arguments, environment: stage.server.environment).result()
        }
        let app = ["--app", Stage.app]
        let things: [[String]] = [
            ["apps", "create", "bare"], ["categories", "create", "old"] + app, ["categories", "archive", "old"] + app,
            ["topics", "create", "t4"] + app, ["subscriptions", "add", "t4", "--user", "amira"] + app,
        ]
        for arguments in things {
            let made = try await run(arguments)
            try #require(made.status == 0, "\(arguments): \(made.standardError)")
        }
        let browser = #"{"endpoint": "https://fcm.googleapis.com/fcm/send/x", "keys": {"p256dh": "BA", "auth": "AA"}}"#
        let file = try stage.folder.write(browser, to: "subscription.json")
        let send = ["send", "--user", "amira", "--title", "x"]
        let cases: [([String], String)] = [
            (send + app + ["--category", "no"], "'martlet categories create' makes one"),
            (["announce", "--user", "amira", "--body", "x", "--category", "no"] + app, "'martlet categories list'"),
            (send + app + ["--category", "old"], "'martlet categories update old --restore'"),
            (["topics", "create", "t4", "--tag", "a=b"] + app, "'martlet topics show "),
            (
                ["subscriptions", "add", "t4", "--user", "amira", "--filter", #"{"a": ["b"]}"#] + app,
                "martlet subscriptions remove "
            ),
            (["subscriptions", "add", "t4"] + app, "--user or --endpoint"),
            (send + ["--app", "bare"], "martlet apps credentials set bare"),
            (["devices", "register", "--subscription", file, "--user", "u"] + app, "credentials set APP --webpush"),
            (["devices", "list", "--user", "u1"], "Give --app"),
        ]
        for (arguments, words) in cases {
            let refused = try await run(arguments)
            #expect(refused.status == 1, "\(arguments): \(refused.standardError)")
            #expect(refused.standardError.contains(words), "\(arguments): \(refused.standardError)")
            #expect(!refused.standardError.contains("/api/v1"), "\(arguments): \(refused.standardError)")
        }
    }

    @Test("a file that no server would read is refused before it is sent")
    func refusesLargeFiles() async throws {
        let stage = try await Stage()
        let file = stage.folder.file("large.p12")
        try Data(count: 5_000_000).write(to: URL(filePath: file))
        let refused = try await stage.server.run("apps", "credentials", "set", Stage.app, "--p12", file)
        #expect(refused.status == 64)
        #expect(refused.standardError.contains("at most"), "\(refused.standardError)")
    }

    @Test("on a terminal a table fits it, with --wide and in a pipe it has whole ids")
    func tablesFit() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let id = try #require(
            try await stage.server.run("devices", "list", "--app", Stage.app).standardOutput
                .firstMatch(of: /[0-9a-f]{8}-[0-9a-f-]{27}/)
        ).output
        for (flag, isWhole) in [("", false), (" --wide", true)] {
            let inside = "stty cols 80 rows 24; '\(Program.path)' devices list --app \(Stage.app)\(flag)"
            let shown = try await ProgramProcess(
                ["-q", "-c", inside, "/dev/null"],
                executable: "/usr/bin/script",
                environment: stage.server.environment.merging(["SHELL": "/bin/sh", "TERM": "xterm"]) { $1 }
            ).result()
            let lines = shown.standardOutput.split(whereSeparator: \.isNewline)
            #expect(lines.contains { $0.contains("amira") }, "\(shown.standardOutput)")
            #expect(shown.standardOutput.contains(id) == isWhole)
            #expect(lines.allSatisfy { $0.count <= 80 } == !isWhole, "\(shown.standardOutput)")
            #expect(shown.standardOutput.contains("…" + id.suffix(12)) == !isWhole)
        }
        let sent = try await stage.server.run("send", "--app", Stage.app, "--user", "amira", "--title", "x", "--wait")
        let notification = try #require(sent.standardOutput.firstMatch(of: /[0-9a-f]{8}-[0-9a-f-]{27}/)).output
        let app = "--app \(Stage.app)"
        for (command, word) in [
            ("apps show \(Stage.app)", "PLATFORM"), ("apps credentials list \(Stage.app)", "PLATFORM"),
            ("why \(notification) amira", "no category"), ("stats \(app)", "ALL"),
            ("preferences show amira \(app)", "everything"), ("doctor", "LEVEL"),
        ] {
            let shown = try await ProgramProcess(
                ["-q", "-c", "stty cols 80 rows 24; '\(Program.path)' \(command)", "/dev/null"],
                executable: "/usr/bin/script",
                environment: stage.server.environment.merging(["SHELL": "/bin/sh", "TERM": "xterm"]) { $1 }
            ).result()
            #expect(shown.standardOutput.contains(word), "\(shown.standardOutput)")
            let wide = shown.standardOutput.split(whereSeparator: \.isNewline).filter { $0.count > 80 }
            #expect(wide.isEmpty, "\(command): \(wide)")
        }
    }

    @Test("announce shows an image")
    func announcesAnImage() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let sent = try await stage.server.run(
            "announce",
            "--app",
            Stage.app,
            "--title",
            "T",
            "--image",
            "https://example.com/a.png",
            "--yes"
        )
        #expect(sent.status == 0, "\(sent.standardError)")
        let id = try #require(sent.standardOutput.firstMatch(of: /[0-9a-f-]{36}/)).output
        let shown = try await stage.server.run("notifications", "show", String(id), "--json")
        #expect(shown.status == 0)
        _ = try await stage.server.run("send", "--app", Stage.app, "--user", "amira", "--title", "last", "--wait")
        #expect(try await Program.received(stage).contains("a.png"))
    }
}
