import Foundation
import Testing
import TransitWeek

/// The whole system, in short. What runs beside it are the programs that users run.
@Suite struct WeekTests {
    private static let martlet = ProcessInfo.processInfo.environment["MARTLET_PROGRAM"]

    @Test(
        "two days of the city with matcher and server killed three times: 0 and 0",
        .enabled(if: martlet != nil, "MARTLET_PROGRAM names the release program"),
        .timeLimit(.minutes(2))
    )
    func week() async throws {
        let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("transit-week-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = WeekOptions(martlet: try #require(Self.martlet), programs: programs, folder: folder.path)
        options.days = 2
        options.seconds = 40
        options.riders = 24
        options.alerts = 24
        let result = try await WeekRun(options) { _ in }.play()
        let text = result.lines.joined(separator: "\n")
        #expect(result.audit.due > 100, "\(text)")
        #expect(result.audit.never == 0 && result.audit.twice == 0 && result.audit.wrongly == 0, "\(text)")
        #expect(result.wire.byStatus[410, default: 0] > 0 && result.wire.byStatus[429, default: 0] == 1, "\(text)")
        #expect(result.kills.matcher == 3 && result.kills.server == 3, "\(text)")
        #expect(result.taps.opened > 0 && result.banners > 0, "\(text)")
        #expect(result.audit.leftShowing == 0, "\(text)")
        #expect(result.feedProblems.count >= 13, "\(text)")
        print(
            "MEASURED: published to wire, p99 \(Int(result.wire.quantile(0.99) * 1_000)) ms of \(result.wire.seconds.count)"
        )
    }
}
