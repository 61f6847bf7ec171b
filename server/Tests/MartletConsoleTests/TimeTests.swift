import Foundation
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

@Suite("Times on pages") struct TimeTests {
    private static let moment = Timestamp(milliseconds: 1_796_000_461_000)

    private static func text(_ zone: String?) throws -> String? {
        let zone = try zone.map { try #require(ViewerZone.named($0)) } ?? ViewerZone.utc
        return ViewerZone.$current.withValue(zone) { PageValues.time(moment)["text"] as? String }
    }

    @Test("a time has its seconds and its zone, which is the reader's")
    func text() throws {
        #expect(try Self.text(nil) == "2026-11-30 01:01:01 UTC")
        #expect(try Self.text("Asia/Tokyo") == "2026-11-30 10:01:01 GMT+9")
    }

    @Test(
        "a day is the reader's, also one that has 23 hours",
        arguments: [
            ("Asia/Tokyo", "2026-11-29T15:00:00Z", 24.0), ("Europe/Berlin", "2026-11-29T23:00:00Z", 24),
            ("UTC", "2026-11-30T00:00:00Z", 24),
        ]
    )
    func day(zone: String, begin: String, hours: Double) throws {
        let named = try #require(ViewerZone.named(zone))
        let day = try #require(ViewerZone.$current.withValue(named) { ViewerZone.day("2026-11-30") })
        #expect(day.begin.formatted(.iso8601) == begin && day.end.timeIntervalSince(day.begin) == hours * 3_600)
        let short = ViewerZone.$current.withValue(try #require(ViewerZone.named("Europe/Berlin"))) {
            ViewerZone.day("2026-03-29")
        }
        #expect(try #require(short).end.timeIntervalSince(try #require(short).begin) == 23 * 3_600)
        #expect(ViewerZone.day("yesterday") == nil && ViewerZone.named("Mars/Base") == nil)
        #expect(ViewerZone.named("../etc/passwd") == nil)
    }

    @Test(
        "the list's days are in the reader's zone, which the cookie says and the footer names; it is chosen without a script too"
    )
    func filters() async throws {
        try await Harness.run { harness in
            // The clock stands at 2027-01-15T08:00Z, which is 17:00 in Tokyo.
            _ = try await harness.world.makeQueue(harness.app)
            harness.clock.advance(by: .seconds(8 * 3_600))
            let late = try await harness.world.send(harness.app, to: .users(["ann"]))
            var viewer = try await harness.visitor(.viewer)
            let link = "/console/notifications/\(late.id)"
            #expect(try await viewer.get("/notifications?until=2027-01-15").text.contains(link))
            #expect(try await !viewer.get("/notifications?since=2027-01-16").text.contains(link))
            let chosen = try await viewer.get("/account?times_in=Asia%2FTokyo")
            #expect(chosen.cookie == "martlet_zone=Asia%2FTokyo; Path=/console; Max-Age=31536000; SameSite=Lax")
            viewer.cookies.append("martlet_zone=Asia%2FTokyo")
            let list = try await viewer.get("/notifications?since=2027-01-16").text
            #expect(list.contains(link) && list.contains("2027-01-16 01:00:00 GMT+9") && list.contains(">Asia/Tokyo<"))
            #expect(try await !viewer.get("/notifications?until=2027-01-15").text.contains(link))
        }
    }

    @Test("the list shows the time that it is in the order of, and what has no visible title can be opened")
    func list() async throws {
        try await Harness.run { harness in
            _ = try await harness.world.makeQueue(harness.app)
            let invisible = " \u{200B}\u{3164} "
            #expect(!invisible.isVisible && "a".isVisible && "🙂".isVisible && "日".isVisible)
            var draft = harness.world.draft(harness.app, to: .users(["ann"]))
            (draft.content.title, draft.content.body) = (invisible, nil)
            let blank = try await harness.world.submit(draft)
            let page = try await harness.visitor(.admin).get("/notifications").text
            #expect(page.contains("href=\"/console/notifications/\(blank.id)\">(without a text)</a>"), "\(page)")
        }
    }
}
