import Foundation
import MartletTesting
import NIOHTTP1

/// P13: what a category, an inbox item and the badge of the inbox cost a send to all, beside the same send without; and how
/// much of an announcement to a million people is stored.
struct People {
    let provider: ServerUnderTest.Provider

    private static let category = "news"
    private static let most = 1_000_000
    private static let compared = 100_000
    private static let pairs = 5

    func rows() async throws -> [Row] {
        let (ratio, peak) = try await comparison()
        let large = try await server(of: Self.most)
        let before = try large.inboxRows()
        let run = try await DurablePath.once(large, endpoints: Self.most, category: Self.category)
        let stored = try large.inboxRows() - before
        try await large.stop()
        return [
            ratio,
            Row(
                "P13 rows of an announcement to 1 M devices",
                ours: "\(stored)",
                goal: "≤ 300",
                isMet: stored > 0 && stored <= 300,
                note: "\(run.perSecond.text(0)) pushes/s"
            ),
            Row(
                "P13 peak memory, 1 M against 100,000",
                ours: "\(run.peakMegabytes.text(0)) MB",
                floor: "\(peak.text(0)) MB",
                ratio: run.peakMegabytes / peak,
                goal: 1.1,
                note: ""
            ),
        ]
    }

    private func server(of endpoints: Int) async throws -> ServerUnderTest {
        let server = try await ServerUnderTest(endpoints: endpoints, provider: provider)
        try await server.start()
        let category = #"{"app": "\#(ServerUnderTest.app)", "key": "\#(Self.category)"}"#
        _ = try await server.call(.POST, "/api/v1/categories", category)
        return server
    }

    private func comparison() async throws -> (Row, peak: Double) {
        let server = try await server(of: Self.compared)
        var (plain, with): ([DurablePath.Run], [DurablePath.Run]) = ([], [])
        for _ in 0..<Self.pairs {
            plain.append(try await DurablePath.once(server, endpoints: Self.compared))
            with.append(try await DurablePath.once(server, endpoints: Self.compared, category: Self.category))
        }
        try await server.stop()
        let (ours, floor) = (with.map(\.microseconds).median, plain.map(\.microseconds).median)
        let row = Row(
            "P13 category, inbox, badge to 100,000",
            ours: "\(ours.text(2)) µs",
            floor: "\(floor.text(2)) µs",
            ratio: zip(with, plain).map { $0.microseconds / $1.microseconds }.median,
            goal: 1.3,
            note: "beside the same without; \(with.map(\.perSecond).median.text(0)) pushes/s"
        )
        return (row, with.map(\.peakMegabytes).max() ?? 0)
    }
}
