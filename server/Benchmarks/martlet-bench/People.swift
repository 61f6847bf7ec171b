import Foundation
import MartletTesting
import MartletWire
import NIOHTTP1

/// P13: what a category, an inbox item and the badge of the inbox cost a send to all, beside the same send without; how
/// much of an announcement to a million people is stored, and the memory that it takes beside one to 10,000; and how long
/// a full inbox takes to be read.
struct People {
    let provider: ServerUnderTest.Provider

    private static let category = "news"
    private static let most = 1_000_000
    private static let compared = 100_000
    private static let few = 10_000
    private static let pairs = 5
    /// What a full inbox has, of the specification: the most items of one person alone, and the most announcements.
    private static let inbox = (items: 1_000, announcements: 2_000)
    private static let feedGoal = 5.0
    /// How often the inbox is read, for a median.
    private static let readings = 200

    func rows() async throws -> [Row] {
        let ratio = try await comparison()
        let peak = try await smallPeak()
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
                "P13 peak memory, 1 M against 10,000",
                ours: "\(run.peakMegabytes.text(0)) MB",
                floor: "\(peak.text(0)) MB",
                ratio: run.peakMegabytes / peak,
                goal: 1.1,
                note: ""
            ),
        ] + (try await feed())
    }

    /// The most memory that an announcement to few took.
    private func smallPeak() async throws -> Double {
        let server = try await server(of: Self.few)
        var peaks: [Double] = []
        // As many pushes as one to 100,000: buffers that grow with time have grown then.
        for _ in 0..<Self.compared / Self.few {
            let run = try await DurablePath.once(server, endpoints: Self.few, category: Self.category)
            peaks.append(run.peakMegabytes)
        }
        try await server.stop()
        return peaks.max() ?? 0
    }

    /// How long a page and the counts of a full inbox take, from the request to the last byte of the answer.
    private func feed() async throws -> [Row] {
        let server = try await server(of: 1)
        for number in 0..<Self.inbox.items + Self.inbox.announcements {
            let audience = number % 3 == 0 ? #"{"users": ["user-1"]}"# : #"{"all": true}"#
            _ = try await server.send(to: audience, category: Self.category)
        }
        try await server.untilNothingWaits()
        let query = "app=\(ServerUnderTest.app)"
        let (page, counts) = (
            "/api/v1/users/user-1/inbox?limit=100&\(query)", "/api/v1/users/user-1/inbox/counts?\(query)"
        )
        let unread = try await server.call(.GET, counts)["unread"]?.integerValue ?? 0
        guard unread == Int64(Self.inbox.items + Self.inbox.announcements) else {
            throw BenchmarkError("the inbox has \(unread) unread items")
        }
        let times = try await (
            median { _ = try await server.list(page) }, median { _ = try await server.call(.GET, counts) }
        )
        try await server.stop()
        return [("page of 100", times.0), ("counts", times.1)].map { name, time in
            Row(
                "P13 feed, \(name): 1,000 items, 2,000 shared",
                ours: "\(time.text(2)) ms",
                goal: "< \(Self.feedGoal.text(0)) ms",
                isMet: time < Self.feedGoal,
                note: "median of \(Self.readings), over HTTP"
            )
        }
    }

    /// The median of some calls, in milliseconds.
    private func median(_ call: () async throws -> Void) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<Self.readings {
            let begin = ContinuousClock.now
            try await call()
            times.append((.now - begin) / .milliseconds(1))
        }
        return times.median
    }

    private func server(of endpoints: Int) async throws -> ServerUnderTest {
        let server = try await ServerUnderTest(endpoints: endpoints, provider: provider)
        try await server.start()
        let category = #"{"app": "\#(ServerUnderTest.app)", "key": "\#(Self.category)"}"#
        _ = try await server.call(.POST, "/api/v1/categories", category)
        return server
    }

    private func comparison() async throws -> Row {
        let server = try await server(of: Self.compared)
        var (plain, with): ([DurablePath.Run], [DurablePath.Run]) = ([], [])
        for _ in 0..<Self.pairs {
            plain.append(try await DurablePath.once(server, endpoints: Self.compared))
            with.append(try await DurablePath.once(server, endpoints: Self.compared, category: Self.category))
        }
        try await server.stop()
        let (ours, floor) = (with.map(\.microseconds).median, plain.map(\.microseconds).median)
        return Row(
            "P13 category, inbox, badge to 100,000",
            ours: "\(ours.text(2)) µs",
            floor: "\(floor.text(2)) µs",
            ratio: zip(with, plain).map { $0.microseconds / $1.microseconds }.median,
            goal: 1.3,
            note: "beside the same without; \(with.map(\.perSecond).median.text(0)) pushes/s"
        )
    }
}
