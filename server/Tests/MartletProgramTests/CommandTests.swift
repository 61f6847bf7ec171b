import Crypto
import Foundation
import MartletTesting
import Testing

/// A server, a simulated APNs and an app that sends to it, for the commands to work on.
final class Stage: Sendable {
    static let app = "com.example.transit"
    static let token = String(repeating: "0a", count: 32)

    let folder: TemporaryFolder
    let server: ServerProcess
    let simulator: SimulatorProcess

    init() async throws {
        folder = try TemporaryFolder()
        let key = folder.file("simulator.p8")
        simulator = try await SimulatorProcess(folder: folder, arguments: ["--topic", Self.app, "--new-key", key])
        server = try await ServerProcess(data: folder.file("data"))
        let made = try await server.run(
            "apps",
            "create",
            "--from-env",
            "--apns-url",
            simulator.apns,
            "--apns-trust",
            simulator.ca,
            environment: [
                "APNS_KEY_ID": "SIMULATED1", "APNS_TEAM_ID": "SIMULATED1", "APNS_BUNDLE_ID": Self.app,
                "APNS_PRIVATE_KEY_PATH": key,
            ]
        )
        try #require(made.status == 0, "\(made.standardError)")
    }

    /// Registers a device.
    func register(_ user: String, token: String = Stage.token) async throws {
        let result = try await server.run("devices", "register", token, "--app", Self.app, "--user", user)
        try #require(result.status == 0, "\(result.standardError)")
    }
}

/// Commands against a running server.
@Suite struct CommandTests {
    @Test("apps create --from-env makes the app of the bundle id with its key, and again brings in another key")
    func createsFromTheEnvironment() async throws {
        let stage = try await Stage()
        let shown = try await stage.server.run("apps", "show", Stage.app)
        #expect(shown.standardOutput.contains("SIMULATED1"))
        #expect(shown.standardOutput.contains(stage.simulator.apns))
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let environment = [
            "APNS_KEY_ID": "ABC123DEFG", "APNS_TEAM_ID": "TEAM123456", "APNS_BUNDLE_ID": Stage.app,
            "APNS_PRIVATE_KEY_PATH": try stage.folder.write(pem, to: "other.p8"),
        ]
        let again = try await stage.server.run("apps", "create", "--from-env", environment: environment)
        #expect(again.status == 0, "\(again.standardError)")
        #expect(again.standardOutput.contains("ABC123DEFG"))
        let body = pem.split(separator: "\n")[1]
        #expect(!(again.standardOutput + again.standardError).contains(body))
    }

    @Test(
        "credentials set has the key's id from its file's name, keeps bundle id and team, and says which address goes"
    )
    func readsKeyID() async throws {
        let stage = try await Stage()
        func set(_ file: String, _ more: String...) async throws -> ProgramProcess.Result {
            let arguments = ["apps", "credentials", "set", Stage.app, "--p8", file] + more
            return try await ProgramProcess(arguments, environment: stage.server.environment).result()
        }
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let file = try stage.folder.write(pem, to: "AuthKey_ABCDE12345 (1).p8")
        let differs = try await set(file, "--key-id", "ABCDE12346")
        #expect(differs.status == 64 && differs.standardError.contains("ABCDE12345"), "\(differs.standardError)")
        let stored = try await set(file, "--team-id", "TEAM123456", "--bundle-id", "com.example.other")
        #expect(stored.status == 0 && stored.standardOutput.contains("ABCDE12345"), "\(stored.standardError)")
        #expect(stored.standardError.contains("--apns-url \(stage.simulator.apns)"), "\(stored.standardError)")
        let short = try await set(stage.folder.file("simulator.p8"), "--key-id", "ABCDEFGH")
        #expect(short.status == 0 && short.standardError.contains("10 characters"), "\(short.standardError)")
        #expect(!short.standardError.contains("--apns-url"))
        let kept = ["com.example.other", "TEAM123456"]
        #expect(kept.allSatisfy(short.standardOutput.contains), "\(short.standardOutput)")
        _ = try await set(file, "--bundle-id", "com.example.app.dev", "--environment", "sandbox")
        let both = try await set(file)
        #expect(both.status == 64 && both.standardError.contains("--environment"), "\(both.standardError)")
    }

    @Test("apps create --from-env names all variables that are missing, and leaves no app behind a refused key")
    func refusesAnUnfitEnvironment() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.file("data"))
        let nothing = try await server.run("apps", "create", "--from-env")
        #expect(nothing.status == 64)
        for name in ["APNS_KEY_ID", "APNS_TEAM_ID", "APNS_BUNDLE_ID", "APNS_PRIVATE_KEY_PATH"] {
            #expect(nothing.standardError.contains(name))
        }
        let wrong = P384.Signing.PrivateKey().pemRepresentation
        let environment = [
            "APNS_KEY_ID": "ABC123DEFG", "APNS_TEAM_ID": "TEAM123456", "APNS_BUNDLE_ID": "com.example.app",
            "APNS_PRIVATE_KEY_PATH": try folder.write(wrong, to: "wrong.p8"),
        ]
        let refused = try await server.run("apps", "create", "--from-env", environment: environment)
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("[invalid_credential]"))
        #expect(refused.standardError.contains("hint:"))
        let apps = try await server.run("apps", "list")
        #expect(apps.standardOutput.contains("There are no apps yet"))
    }

    @Test("send --wait shows what became of every device and returns 0 when all of it was accepted")
    func sendsAndWaits() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let sent = try await stage.server.run(
            "send",
            "--app",
            Stage.app,
            "--user",
            "amira",
            "--title",
            "Line T4",
            "--data",
            "line=T4",
            "--data",
            "delay:=20",
            "--wait"
        )
        #expect(sent.status == 0, "\(sent.standardError)")
        #expect(sent.standardOutput.contains("1 accepted"))
        let received = try await Program.received(stage)
        #expect(received.contains("\"line\":\"T4\"") && received.contains("\"delay\":20"))
        let nobody = try await stage.server.run(
            "send",
            "--app",
            Stage.app,
            "--user",
            "nobody",
            "--title",
            "x",
            "--wait"
        )
        #expect(nobody.status == 1)
        #expect(nobody.standardOutput.contains("1 suppressed (1 no_endpoint)"))
    }

    @Test("send --wait has rows for what failed, and none for what was accepted")
    func showsFailures() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let token = String(repeating: "5e", count: 32)
        try await stage.register("ben", token: token)
        try await stage.simulator.script(
            #"{"when": {"token": "\#(token)"}, "then": {"do": "respond", "reason": "Unregistered"}}"#
        )
        let sent = try await stage.server.run(
            "send",
            "--app",
            Stage.app,
            "--user",
            "amira",
            "--user",
            "ben",
            "--title",
            "x",
            "--wait"
        )
        #expect(sent.status == 1)
        #expect(sent.standardOutput.contains("ben") && !sent.standardOutput.contains("amira"), "\(sent.standardOutput)")
        #expect(sent.standardOutput.contains("1 accepted, 1 rejected."))
    }

    @Test("an Xcode simulator's push goes to the app that it names, as it is")
    func sendsAnXcodePush() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let push = """
            {"Simulator Target Bundle": "\(Stage.app)", "aps": {"alert": {"title": "From Xcode"}}, "ride": 7}
            """
        let file = try stage.folder.write(push, to: "push.apns")
        let sent = try await stage.server.run("send", file, "--user", "amira", "--wait", "--json")
        #expect(sent.status == 0, "\(sent.standardError)")
        #expect(sent.standardOutput.contains("\"accepted\" : 1"))
        let received = try await Program.received(stage)
        #expect(received.contains("\"From Xcode\"") && received.contains("\"ride\":7"))
        #expect(!received.contains("Simulator Target Bundle"))
        let foreign = try stage.folder.write(
            #"{"Simulator Target Bundle":"com.example.other","aps":{"alert":"x"}}"#,
            to: "other.apns"
        )
        let refused = try await stage.server.run("send", foreign, "--user", "amira")
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("com.example.other"))
    }

    @Test("a request on standard input goes to the server as it is, and the server names what is wrong in it")
    func sendsStandardInput() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let good = #"{"app":"\#(Stage.app)","audience":{"users":["amira"]},"title":"Hello"}"#
        let sent = try await stage.server.run("send", "-", "--wait", input: good)
        #expect(sent.status == 0, "\(sent.standardError)")
        let unknown = good.replacingOccurrences(of: "title", with: "titel")
        let refused = try await stage.server.run("send", "-", input: unknown)
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("[unknown_field]") && refused.standardError.contains("field: titel"))
        let broken = try await stage.server.run("send", "-", input: "{")
        #expect(broken.status == 64)
        #expect(broken.standardError.contains("Standard input is not JSON. A member's name is expected, at byte 1."))
    }

    @Test("JSON is read as strictly as by the server, and the error says where it is broken")
    func readsStrictly() async throws {
        let stage = try await Stage()
        for (text, place) in [
            ("{\n\"title\":\"a\",\n\"title\":\"b\"}", "A member is duplicated in an object, in line 3, at byte 15."),
            (#"{"title":"a",}"#, "A member's name is expected, at byte 13."),
        ] {
            let file = try stage.folder.write(text, to: "request.json")
            let refused = try await stage.server.run("send", file, "--user", "amira", "--app", Stage.app)
            #expect(refused.status == 64 && refused.standardError.contains("request.json is not JSON. \(place)"))
        }
        for flags in [["--override", "fcm={"], ["--data", "k:=1.x"], ["--attribute", "k:=[1,]"]] {
            let refused = try await ProgramProcess(
                ["send", "--user", "amira", "--app", Stage.app, "--title", "T"] + flags,
                environment: stage.server.environment
            )
            .result()
            #expect(refused.status == 64, "\(refused.standardError)")
            #expect(refused.standardError.contains("\(flags[0]) \(flags[1].prefix { $0.isLetter }) is not JSON."))
        }
    }

    @Test("--data takes text, and JSON behind :=, and neither is changed")
    func sendsData() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let sent = try await stage.server.run(
            "send",
            "--app",
            Stage.app,
            "--user",
            "amira",
            "--data",
            "version=1.10",
            "--data",
            "order:=17055628018016613580",
            "--data",
            "url=a:=b",
            "--wait"
        )
        #expect(sent.status == 0, "\(sent.standardError)")
        let received = try await Program.received(stage)
        for member in [#""order":17055628018016613580"#, #""version":"1.10""#, #""url":"a:=b""#] {
            #expect(received.contains(member), "\(received)")
        }
    }

    @Test("what goes to everybody is not sent without a yes, from a flag, a file and a line of a file")
    func asks() async throws {
        let stage = try await Stage()
        let request = #"{"app":"\#(Stage.app)","audience":{"all":true},"title":"Hello"}"#
        let file = try stage.folder.write(request, to: "all.json")
        let flags = ["--app", Stage.app, "--all", "--title", "Hello"]
        for arguments in [flags, [file], ["--batch", file]] {
            let environment = stage.server.environment
            let asked = try await ProgramProcess(["send"] + arguments, environment: environment).result()
            #expect(asked.status != 0 && (asked.standardError + asked.standardOutput).contains("--yes"), "\(asked)")
            let sent = try await ProgramProcess(["send", "--yes"] + arguments, environment: environment).result()
            #expect(sent.status == 0, "\(sent.standardError)")
        }
    }

    @Test("a refusal shows code, message, field and hint; with --json it is the server's own document")
    func showsRefusals() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let missing = try await server.run("apps", "show", "com.example.nothing")
        #expect(missing.status == 1)
        #expect(missing.standardError.hasPrefix("error: ") && missing.standardError.contains("[not_found]"))
        #expect(missing.standardOutput.isEmpty)
        let named = try await server.run("apps", "create", "not a name", "--json")
        #expect(named.status == 1)
        let body = try JSONDecoder().decode(ErrorAnswer.self, from: Data(named.standardError.utf8))
        #expect(body.error.code == "invalid_value" && body.error.field == "name" && body.error.hint != nil)
    }

    @Test("without a server, a key, or sense, a command says what to do and returns 69, 1 and 64")
    func saysWhatToDo() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let noKey = try await ProgramProcess(["apps", "list", "--server", server.address], folder: folder.path).result()
        #expect(noKey.status == 1)
        #expect(noKey.standardError.contains("[unauthorized]") && noKey.standardError.contains("MARTLET_KEY"))
        _ = try await server.stop()
        let noServer = try await Program.run("apps", "list", "--server", server.address)
        #expect(noServer.status == 69)
        #expect(noServer.standardError.contains("martlet serve"))
        for arguments in [
            ["send", "--user", "a", "--all"], ["apps", "list", "--limit", "0"], ["sned"], ["apps", "show"],
        ] {
            let result = try await ProgramProcess(arguments).result()
            #expect(result.status == 64, "\(arguments): \(result.standardError)")
            #expect(!result.standardError.isEmpty)
        }
    }

    @Test("keys are shown once, listed by their first characters, and open nothing after they were revoked")
    func managesKeys() async throws {
        let stage = try await Stage()
        let made = try await stage.server.run("keys", "create", "--scope", "send", "--app", Stage.app, "--json")
        let key = try JSONDecoder().decode(Answer<KeyAnswer>.self, from: Data(made.standardOutput.utf8)).data
        let list = try await stage.server.run("keys", "list")
        #expect(list.standardOutput.contains(key.prefix) && !list.standardOutput.contains(key.key))
        let arguments = ["notifications", "list", "--server", stage.server.address]
        let environment = ["MARTLET_KEY": key.key]
        #expect(try await ProgramProcess(arguments, environment: environment).result().status == 0)
        #expect(try await stage.server.run("keys", "revoke", key.id).status == 0)
        let revoked = try await ProgramProcess(arguments, environment: environment).result()
        #expect(revoked.status == 1 && revoked.standardError.contains("[unauthorized]"))
    }

    @Test("an admin key is made in the data directory itself, beside a running server")
    func makesAnAdminKeyInPlace() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let made = try await Program.run("keys", "create", "--admin", "--data", folder.path, "--name", "spare")
        #expect(made.status == 0, "\(made.standardError)")
        let key = made.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(key.hasPrefix("mk_admin_"))
        let list = try await Program.run("keys", "list", "--server", server.address, "--key", key)
        #expect(list.status == 0 && list.standardOutput.contains("spare"), "\(list.standardError)")
    }

    @Test("the last admin key is revoked with --force only")
    func revokesTheLastAdminKey() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let list = try await server.run("keys", "list")
        let id = String(list.standardOutput.split(separator: "\n")[1].split(separator: " ").last ?? "")
        let refused = try await server.run("keys", "revoke", id)
        #expect(refused.status == 1 && refused.standardError.contains("[conflict]"), "\(refused.standardError)")
        #expect(refused.standardError.contains("--force"))
        #expect(try await server.run("keys", "list").status == 0)
        #expect(try await server.run("keys", "revoke", "--force", id).status == 0)
        #expect(try await server.run("keys", "list").status == 1)
    }

    @Test("devices are registered, shown, listed without their whole token, and removed")
    func managesDevices() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let list = try await stage.server.run("devices", "list", "--app", Stage.app, "--user", "amira")
        #expect(list.standardOutput.contains("0a0a0a0a…") && !list.standardOutput.contains(Stage.token))
        let id = String(list.standardOutput.split(separator: "\n")[1].split(separator: " ").last ?? "")
        let shown = try await stage.server.run("devices", "show", id, "--app", Stage.app)
        #expect(shown.standardOutput.contains(Stage.token))
        #expect(try await stage.server.run("devices", "delete", id, "--app", Stage.app).status == 0)
        let gone = try await stage.server.run("devices", "show", id, "--app", Stage.app)
        #expect(gone.status == 1 && gone.standardError.contains("[not_found]"))
    }

    @Test("a notification for later is listed, shown and cancelled")
    func cancelsWhatIsScheduled() async throws {
        let stage = try await Stage()
        let tomorrow = Date(timeIntervalSinceNow: 86_400).ISO8601Format()
        let sent = try await stage.server.run(
            "send",
            "--app",
            Stage.app,
            "--user",
            "amira",
            "--title",
            "Later",
            "--send-at",
            tomorrow,
            "--json"
        )
        let id = try JSONDecoder().decode(Answer<IDAnswer>.self, from: Data(sent.standardOutput.utf8)).data.id
        let list = try await stage.server.run("notifications", "list", "--app", Stage.app, "--status", "scheduled")
        #expect(list.standardOutput.contains(id))
        let cancelled = try await stage.server.run("notifications", "cancel", id)
        #expect(cancelled.status == 0 && cancelled.standardOutput.contains("cancelled"), "\(cancelled.standardError)")
        let shown = try await stage.server.run("notifications", "show", id)
        #expect(shown.standardOutput.contains("cancelled"))
        let dead = try await stage.server.run("dead-letters", "list")
        #expect(dead.standardOutput.contains("There are no dead letters."))
        let webhooks = try await stage.server.run("webhook-dead-letters", "list")
        #expect(webhooks.standardOutput.contains("There are no dead letters of webhook URLs."))
        let none = try await stage.server.run("webhook-dead-letters", "retry", id)
        #expect(none.status == 1 && none.standardError.contains("dead letter"), "\(none.standardError)")
    }

    @Test("tables are straight with wide characters, and what others wrote does not steer the terminal")
    func drawsStraightTables() async throws {
        let stage = try await Stage()
        let wide = String(repeating: "電", count: 9)
        let narrow = String(repeating: "x", count: 18)
        for title in [wide, narrow, "\u{1B}[31mred"] {
            let sent = try await stage.server.run("send", "--app", Stage.app, "--user", "nobody", "--title", title)
            #expect(sent.status == 0, "\(sent.standardError)")
        }
        let list = try await stage.server.run("notifications", "list", "--app", Stage.app)
        let lines = list.standardOutput.split(separator: "\n")
        let rows = [wide, narrow].map { title in lines.first { $0.contains(title) } ?? "" }
        #expect(rows[0].count + 9 == rows[1].count)
        #expect(!list.standardOutput.contains("\u{1B}"))
    }

    @Test("doctor returns 0 with warnings and 1 with a problem, and says what to change")
    func diagnoses() async throws {
        let stage = try await Stage()
        let well = try await stage.server.run("doctor")
        #expect(well.status == 0, "\(well.standardOutput)\(well.standardError)")
        #expect(well.standardOutput.contains("0 problems"))
        #expect(well.standardOutput.contains("MARTLET_ENCRYPTION_KEY"), "the key lies beside the database")
        chmod(stage.server.data + "/encryption.key", 0o644)
        let open = try await stage.server.run("doctor", "--json")
        #expect(open.status == 1)
        #expect(open.standardOutput.contains("chmod 600"))
        chmod(stage.server.data + "/encryption.key", 0o600)
        stage.simulator.process.send(signal: SIGKILL)
        _ = try await stage.simulator.process.result()
        let unreachable = try await stage.server.run("doctor", "--app", Stage.app)
        #expect(unreachable.status == 1)
        #expect(unreachable.standardOutput.contains(Stage.app))
        let address = stage.server.address
        _ = try await stage.server.stop()
        let alone = try await Program.run("doctor", "--server", address, "--data", stage.server.data)
        #expect(alone.status == 1 && alone.standardOutput.contains("martlet serve"))
    }
}

extension Program {
    /// Everything that the stage's simulator received, as compact JSON text.
    static func received(_ stage: Stage) async throws -> String {
        let url = stage.simulator.control + "/received"
        let result = try await ProgramProcess(["-sS", url], executable: "/usr/bin/curl").result()
        return result.standardOutput
    }
}

struct ErrorAnswer: Decodable {
    struct Detail: Decodable {
        var code: String
        var field: String?
        var hint: String?
    }

    var error: Detail
}

struct KeyAnswer: Decodable {
    var id: String
    var key: String
    var prefix: String
}

struct IDAnswer: Decodable {
    var id: String
}
