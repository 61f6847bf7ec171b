import Foundation
import MartletTesting
import MartletWire
import Testing

@Suite("Sending beside a paused queue", .serialized)
struct PausedQueueTests {
    /// The stage with its queue paused, and what `send` is told.
    private func pause(_ stage: Stage) async throws -> [String] {
        try await stage.register("amira")
        try await stage.simulator.script(
            #"{"scope": "all", "then": {"do": "respond", "reason": "InvalidProviderToken"}}"#
        )
        return ["send", "--app", Stage.app, "--user", "amira", "--title", "Line T4", "--wait", "--timeout", "3"]
    }

    @Test("send --wait says at once that the queue is paused, why, and what ends it")
    func tells() async throws {
        let stage = try await Stage()
        let arguments = try await pause(stage)
        let process = try ProgramProcess(arguments, environment: stage.server.environment)
        let sent = try await process.result()
        #expect(sent.status == 1)
        let lines = sent.standardError.split(separator: "\n").filter { $0.contains("is paused since") }
        #expect(lines.count == 1, "\(sent.standardError)")
        for word in [
            "apns/production", "InvalidProviderToken", "SIMULATED1", "when a credential is stored",
            "martlet apps resume",
        ] {
            #expect(lines.first?.contains(word) == true, "\(word): \(sent.standardError)")
        }
    }

    @Test("the id is said at once, and an interrupt says that the notification continues and how to cancel it")
    func isInterrupted() async throws {
        let stage = try await Stage()
        let arguments = try await pause(stage).dropLast(2)
        let process = try ProgramProcess(Array(arguments), environment: stage.server.environment)
        let accepted = try await process.line(containing: "Accepted: ")
        try await process.errorLine(containing: "is paused since")
        process.send(signal: SIGINT)
        let sent = try await process.result()
        #expect(sent.status == 130)
        let id = try #require(accepted.firstMatch(of: /[0-9a-f-]{36}/)).output
        #expect(sent.standardError.contains("\(id) continues"), "\(sent.standardError)")
        let cancelled = try await stage.server.run("notifications", "cancel", String(id))
        #expect(cancelled.status == 0 && sent.standardError.contains("martlet notifications cancel \(id)"))
    }

    @Test("with --json the same is one line of JSON on standard error")
    func tellsPrograms() async throws {
        let stage = try await Stage()
        let arguments = try await pause(stage) + ["--json"]
        let sent = try await ProgramProcess(arguments, environment: stage.server.environment).result()
        #expect(sent.status == 1)
        let lines = sent.standardError.split(separator: "\n")
        let accepted = try JSONValue(json: Data(try #require(lines.first).utf8)).objectValue
        #expect(accepted?["accepted"]?.objectValue?["id"]?.stringValue?.isEmpty == false)
        let first = try #require(lines.dropFirst().first)
        let notice = try JSONValue(json: Data(first.utf8)).objectValue
        guard case .array(let pauses)? = notice?["pauses"] else { return #expect(Bool(false), "\(first)") }
        #expect(pauses.first?.objectValue?["reason"] == "InvalidProviderToken")
        #expect(pauses.first?.objectValue?["advice"]?.stringValue?.isEmpty == false)
        #expect(sent.standardOutput.isEmpty)
    }

    @Test("send --wait says once what a provider answers that refuses for now, and notifications show says it too")
    func tellsOfRetries() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        try await stage.simulator.script(
            #"{"scope": "all", "then": {"do": "respond", "reason": "ServiceUnavailable"}}"#
        )
        let arguments = ["send", "--app", Stage.app, "--user", "amira", "--title", "x", "--wait", "--timeout", "3"]
        let sent = try await ProgramProcess(arguments, environment: stage.server.environment).result()
        let line = "1 pending: It waits to be sent (ServiceUnavailable)."
        #expect(sent.status == 1)
        #expect(sent.standardError.components(separatedBy: line).count == 2, "\(sent.standardError)")
        let id = try #require(sent.standardOutput.firstMatch(of: /[0-9a-f-]{36}/)).output
        let shown = try await stage.server.run("notifications", "show", String(id))
        #expect(shown.standardOutput.contains("\n\n\(line)\n"), "\(shown.standardOutput)\(shown.standardError)")
    }

    @Test("--version is the version and nothing else")
    func version() async throws {
        let asked = try await Program.run("--version")
        #expect(asked.status == 0)
        #expect(asked.standardOutput.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(asked.standardOutput)")
        #expect(asked.standardError.isEmpty)
    }
}
