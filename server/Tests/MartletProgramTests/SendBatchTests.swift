import Foundation
import MartletTesting
import MartletWire
import Testing

/// `martlet send --batch` against a running server.
@Suite("Sending the lines of a file")
struct SendBatchTests {
    private static func line(_ user: String, _ more: String = "") -> String {
        #"{"app":"\#(Stage.app)","audience":{"users":["\#(user)"]},"title":"Line T4"\#(more)}"#
    }

    @Test("every line is sent, those that are refused are named with the reason, and the command returns 1")
    func sendsLines() async throws {
        let stage = try await Stage()
        var lines = (0..<1_003).map { Self.line("user-\($0)") }
        lines[1] = ""
        lines[2] = "{"
        lines[600] = Self.line("amira", #","titel":"x""#)
        let file = try stage.folder.write(lines.joined(separator: "\n"), to: "many.jsonl")
        let sent = try await stage.server.run("send", "--batch", file)
        #expect(sent.status == 1, "\(sent.standardError)")
        let said = sent.standardOutput.split(separator: "\n").map(String.init)
        #expect(said.count == 3, "\(sent.standardOutput)")
        #expect(
            said.first == "line 3: The line is not JSON. A member's name is expected, at byte 1. [malformed_request]"
        )
        #expect(said.dropFirst().first == "line 601: There is no such field. [unknown_field] field: titel")
        #expect(said.last == "1000 accepted, 2 refused.")
    }

    @Test("with a prefix the same command sends nothing twice; without refusals it returns 0")
    func isResumable() async throws {
        let stage = try await Stage()
        let text = [Self.line("amira"), Self.line("bob", #","idempotency_key":"own""#)].joined(separator: "\n")
        let file = try stage.folder.write(text + "\n", to: "many.jsonl")
        let arguments = ["send", "--batch", file, "--idempotency-prefix", "march"]
        let first = try await ProgramProcess(arguments, environment: stage.server.environment).result()
        #expect(first.status == 0, "\(first.standardError)")
        #expect(first.standardOutput == "2 accepted, 0 refused.\n")
        let again = try await ProgramProcess(arguments, environment: stage.server.environment).result()
        #expect(again.status == 0)
        #expect(again.standardOutput == "2 accepted (2 of them before), 0 refused.\n")
        try await stage.register("amira")
        let single = try await stage.server.run("send", "-", "--idempotency-key", "march-1", input: Self.line("amira"))
        #expect(single.status == 0, "\(single.standardError)")
        let list = try await stage.server.run("notifications", "list", "--app", Stage.app)
        #expect(list.standardOutput.split(separator: "\n").count == 3, "\(list.standardOutput)")
    }

    @Test("flags stand over each line, and with --json each line has an object, the last one the counts")
    func printsJSON() async throws {
        let stage = try await Stage()
        let text = [#"{"audience":{"users":["amira"]}}"#, #"{"audience":{}}"#].joined(separator: "\r\n")
        let sent = try await stage.server.run(
            "send",
            "--batch",
            "-",
            "--app",
            Stage.app,
            "--title",
            "Line T4",
            "--json",
            input: text
        )
        #expect(sent.status == 1, "\(sent.standardError)")
        let lines = try sent.standardOutput.split(separator: "\n").map {
            try JSONValue(json: Data($0.utf8)).objectValue ?? [:]
        }
        try #require(lines.count == 3, "\(sent.standardOutput)")
        #expect(lines[0]["line"] == 1 && lines[0]["id"]?.stringValue != nil && lines[0]["status"] == "sending")
        #expect(lines[1]["line"] == 2)
        #expect(lines[1]["error"]?.objectValue?["code"] == "invalid_value")
        #expect(lines[1]["error"]?.objectValue?["field"] == "audience")
        #expect(lines[2] == ["data": ["accepted": 1, "refused": 1, "replayed": 0]])
    }

    @Test("a file that cannot be sent, and flags that do not go together, are refused before anything is sent")
    func refuses() async throws {
        let stage = try await Stage()
        let empty = try stage.folder.write("\n\n", to: "empty.jsonl")
        let long = try stage.folder.write(String(repeating: "x", count: 2 << 20), to: "long.jsonl")
        for (arguments, word) in [
            (["--batch", empty], "no notification"), (["--batch", long], "Line 1 has more than 1 MiB"),
            (["--batch", stage.folder.file("none.jsonl")], "There is no file"),
            (["--batch", empty, "--wait"], "--wait"), (["--batch", empty, "x.json"], "not both"),
            (["--batch", empty, "--idempotency-key", "k"], "--idempotency-prefix"),
            (["--batch", empty, "--cooldown", "5"], "--dedup-key"),
            (["--all", "--idempotency-prefix", "k"], "--batch"),
        ] {
            let process = try ProgramProcess(["send"] + arguments, environment: stage.server.environment)
            let result = try await process.result()
            #expect(result.status == 64, "\(arguments): \(result.standardError)")
            #expect(result.standardError.contains(word), "\(arguments): \(result.standardError)")
        }
    }

    @Test("where the server refuses everything, the command says how far it came and how to go on")
    func stops() async throws {
        let stage = try await Stage()
        let file = try stage.folder.write(Self.line("amira"), to: "many.jsonl")
        let key = try await stage.server.run("keys", "create", "--scope", "client", "--app", Stage.app, "--json")
        let made = try JSONDecoder().decode(Answer<KeyAnswer>.self, from: Data(key.standardOutput.utf8)).data
        let arguments = ["send", "--batch", file, "--server", stage.server.address]
        let refused = try await ProgramProcess(arguments, environment: ["MARTLET_KEY": made.key]).result()
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("[forbidden]"), "\(refused.standardError)")
        #expect(refused.standardError.contains("Before line 1: 0 accepted, 0 refused. Go on with line 1."))
    }
}
