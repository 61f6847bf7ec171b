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
            "apns/production", "InvalidProviderToken", "SIMULATED1", "when a credential is stored", "DELETE /api",
        ] {
            #expect(lines.first?.contains(word) == true, "\(word): \(sent.standardError)")
        }
    }

    @Test("with --json the same is one line of JSON on standard error")
    func tellsPrograms() async throws {
        let stage = try await Stage()
        let arguments = try await pause(stage) + ["--json"]
        let sent = try await ProgramProcess(arguments, environment: stage.server.environment).result()
        #expect(sent.status == 1)
        let first = try #require(sent.standardError.split(separator: "\n").first)
        let notice = try JSONValue(json: Data(first.utf8)).objectValue
        guard case .array(let pauses)? = notice?["pauses"] else { return #expect(Bool(false), "\(first)") }
        #expect(pauses.first?.objectValue?["reason"] == "InvalidProviderToken")
        #expect(pauses.first?.objectValue?["advice"]?.stringValue?.isEmpty == false)
        #expect(sent.standardOutput.isEmpty)
    }

    @Test("--version is the version and nothing else")
    func version() async throws {
        let asked = try await Program.run("--version")
        #expect(asked.status == 0)
        #expect(asked.standardOutput.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(asked.standardOutput)")
        #expect(asked.standardError.isEmpty)
    }
}
