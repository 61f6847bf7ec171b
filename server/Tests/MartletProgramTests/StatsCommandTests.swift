import Foundation
import MartletTesting
import MartletWire
import Testing

/// Numbers over time from the command line.
@Suite struct StatsCommandTests {
    @Test("what was accepted and what was not made is in the last line and in its bar, for programs in the last point")
    func numbers() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let sent = try await stage.server.run(
            "send",
            "--app",
            Stage.app,
            "--user",
            "amira",
            "--user",
            "nobody",
            "--title",
            "Line T4",
            "--wait"
        )
        #expect(!sent.standardOutput.isEmpty, "\(sent.standardError)")
        let shown = try await stage.server.run("stats", "--app", Stage.app)
        #expect(shown.status == 0, "\(shown.standardError)")
        let lines = shown.standardOutput.split(separator: "\n")
        #expect((26...27).contains(lines.count), "\(shown.standardOutput)")
        #expect(lines.first?.hasPrefix("FROM") == true && lines.first?.contains("NOT MADE") == true)
        // The hour may have ended in between.
        #expect(lines.contains { $0.hasSuffix("██████████░░░░░░░░░░") || $0.hasSuffix("████████████████████") })
        let numbers = lines.last?.split(separator: " ").compactMap { Int($0) }
        #expect(lines.last?.hasPrefix("ALL") == true && numbers == [1, 0, 1, 0, 0], "\(shown.standardOutput)")
        let answer = try await stage.server.run("stats", "--last", "7d", "--platform", "apns", "--json")
        let statistics = try JSONDecoder().decode(Item<StatisticsResponse>.self, from: Data(answer.standardOutput.utf8))
            .data
        #expect(statistics.step == .day && statistics.platform == .apns && statistics.points.count == 8)
        #expect(statistics.points.reduce(0) { $0 + $1.counts.accepted } == 1)
        #expect(statistics.points.allSatisfy { $0.counts.suppressed == 0 })
    }

    @Test(
        "what cannot be meant is refused before any server is asked",
        arguments: [
            (["--last", "yesterday"], "24h"), (["--last", "0h"], "24h"), (["--last", "99999w"], "24h"),
            (["--step", "week"], "minute"), (["--platform", "fax"], "apns"),
        ]
    )
    func refusals(_ arguments: [String], _ says: String) async throws {
        let result = try await ProgramProcess(["stats"] + arguments).result()
        #expect(result.status == 64, "\(result.standardError)")
        #expect(result.standardError.contains(says), "\(result.standardError)")
        #expect(result.standardOutput.isEmpty)
    }
}
