import Foundation
import MartletCore
import MartletPhone
import MartletTesting
import MartletWire
import PushNotificationSDK
import Testing

@Suite("Trouble between the phone and the server", .serialized, .timeLimit(.minutes(3)))
@MainActor
struct TroubleTests {
    private static let day: Int64 = 86_400_000
    /// What the phone had before the network went away: three events of each.
    private static let pushes = 500

    @Test("a day without a network: of 1,500 events the 500 oldest are dropped and counted, the others come once each")
    func dayOffline() async throws {
        let loop = try await Loop()
        let today = Int64(Date().timeIntervalSince1970 * 1000)
        let clock = ManualClock(Timestamp(milliseconds: today - Self.day))
        // An extension that leaves its deliveries to the app.
        let (app, phone) = try loop.phone(of: "player-1", clock: clock) { $0.extensionUploads = false }
        await phone.launch()
        _ = try await loop.registered(phone, app)
        await phone.goHome()
        await phone.kill()
        try await loop.send(to: "player-1", #","deep_link":"game://mission/7""#, times: Self.pushes)
        try await Eventually.is("all of them show") { phone.notifications.count == Self.pushes }

        loop.network.turn(on: false)
        let before = loop.box.statuses("events").count
        await phone.launch()
        try await Eventually.is("the deliveries are written down") { app.waitingEvents == Self.pushes }
        for (number, notification) in phone.notifications.enumerated() {
            if number == Self.pushes / 2 {
                await phone.kill()
                await phone.launch()
            }
            // Ten of them at a time, fifty times in the day.
            if number.isMultiple(of: 10) { clock.advance(by: .milliseconds(Self.day / 50)) }
            try await phone.tap(notification.id)
        }
        #expect(app.waitingEvents == 1_000)
        #expect(app.droppedEvents == 500)
        #expect(loop.box.statuses("events").count == before)

        loop.network.turn(on: true)
        try await Eventually.is("everything is uploaded") {
            await app.flush()
            return app.waitingEvents == 0
        }
        // What was left of a batch that had been tried offline, and the rest in two.
        let answers = loop.box.statuses("events").dropFirst(before)
        #expect(answers.allSatisfy { $0 == 200 } && answers.count <= 3)
        let rows = try await loop.ask(
            """
            SELECT type, count(*), count(DISTINCT event_id), count(DISTINCT message_id), count(DISTINCT time),
                count(client_time_ms), min(user_id), max(user_id)
            FROM mobile.push_events WHERE message_id IS NOT NULL GROUP BY type ORDER BY type
            """
        )
        // Each at its own time of the day that has passed, and none for the deliveries, which were the oldest.
        let all: [JSONValue] = [500, 500, 500, 50, 0, "player-1", "player-1"]
        #expect(rows == [["deeplink_open"] + all, ["open"] + all])
        #expect(app.droppedEvents == 500)
        #expect(app.errors.allSatisfy { if case .networkError = $0 { true } else { false } })
        try await loop.end()
    }

    @Test("500, then 429 with a time to wait, then receipts for a part: every event is kept once, a bad one reported")
    func badAnswers() async throws {
        let loop = try await Loop()
        let clock = ManualClock(Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)))
        // An extension that leaves its deliveries to the app.
        let (app, phone) = try loop.phone(of: "player-1", clock: clock) { $0.extensionUploads = false }
        await phone.launch()
        _ = try await loop.registered(phone, app)
        try await Eventually.is("the queue is empty") { app.waitingEvents == 0 }
        let before = loop.box.statuses("events").count
        var answers: [Int] { Array(loop.box.statuses("events").dropFirst(before)) }

        loop.box.next("events", .refuse(500), .refuse(429, retryAfter: 120), .keepBack(receipts: 2))
        let sale = try await loop.send(to: "player-1", #","data":{"link":"https://shop.example.com/sale"}"#)
        try await phone.tap(try await loop.shown(phone).id)
        // Another sender's push: its campaign's id is longer than the server takes, and so it refuses that delivery.
        let campaign = String(repeating: "c", count: 300)
        await phone.receive(Push(#"{"aps":{"alert":"x"},"message_id":"theirs","td_campaign_id":"\#(campaign)"}"#))
        // The link counts once the system has opened it, after the tap.
        try await Eventually.is("four events wait") { app.waitingEvents == 4 }

        await app.flush()
        #expect(answers == [500])
        await app.flush()
        #expect(answers == [500, 429])
        clock.advance(by: .seconds(119))
        await app.flush()
        #expect(answers == [500, 429])
        #expect(app.waitingEvents == 4)
        clock.advance(by: .seconds(1))
        try await Eventually.is("what was asked for is over") { answers.count == 3 }
        try await Eventually.is("everything is uploaded") {
            await app.flush()
            return app.waitingEvents == 0
        }
        #expect(answers == [500, 429, 200, 200])

        let rows = try await loop.events().filter { $0.messageID != nil }
        #expect(rows.map(\.type.rawValue).sorted() == ["delivery", "link_open", "open"])
        #expect(rows.allSatisfy { $0.messageID == sale.description && $0.userID == "player-1" })
        #expect(try await loop.notification(sale).events == EventCountsResponse(deliveries: 1, opens: 1, links: 1))
        #expect(app.droppedEvents == 0)
        #expect(app.errors.count == 1)
        guard case .eventsRejected(count: 1, let message)? = app.errors.first else {
            Issue.record("\(app.errors)")
            return
        }
        #expect(message == EventReceipt.Failure.invalidPropertyValue)
        try await loop.end()
    }

    @Test("a registration takes the server's second and none of its own: within 3 s also when a first attempt failed")
    func registrationTime() async throws {
        let loop = try await Loop()
        let clock = ManualClock()
        let (_, phone) = try loop.phone(of: "player-1", clock: clock)
        let start = clock.now()
        loop.box.next("tokens", .refuse(503), .hold)
        await phone.launch()
        // Two sleep: the pause before the second attempt, and the limit of 3 s, which is later.
        await clock.untilAsleep(2)
        clock.advance(to: try #require(clock.nextDeadline))
        try await Eventually.is("the server has the request") { loop.box.heldCount == 1 }
        clock.advance(by: .seconds(1))
        loop.box.letGo()
        try await loop.owns("player-1")
        // The server has it before its answer has come back.
        try await Eventually.is("it was answered") { loop.box.statuses("tokens").count == 2 }
        #expect(loop.box.statuses("tokens") == [503, 201])
        // The first attempt's second is counted too.
        #expect(clock.now() - start + .seconds(1) <= .seconds(3))
        try await loop.end()
    }

    @Test("a token is registered through 500 and 429, in the time that the server asks for; the app hears after 3 s")
    func registrationRetries() async throws {
        let loop = try await Loop()
        let clock = ManualClock()
        let (app, phone) = try loop.phone(of: "player-1", clock: clock)
        loop.box.next("tokens", .refuse(500), .refuse(429, retryAfter: 7))
        await phone.launch()
        await clock.untilAsleep(2)
        let first = try #require(clock.nextDeadline)
        #expect(first - clock.now() == .milliseconds(375))
        clock.advance(to: first)
        try await Eventually.is("the second attempt failed") { loop.box.statuses("tokens").count == 2 }
        await clock.untilAsleep(2)
        let limit = try #require(clock.nextDeadline)
        #expect(limit - clock.now() == .milliseconds(2_625))
        clock.advance(to: limit)
        try await Eventually.is("the app hears that it has not ended") { app.errors.count == 1 }
        let second = try #require(clock.nextDeadline)
        #expect(second - clock.now() == .milliseconds(4_875))
        clock.advance(to: second)
        try await loop.owns("player-1")
        // The server has it before its answer has come back.
        try await Eventually.is("it was answered") { loop.box.statuses("tokens").count == 3 }
        #expect(loop.box.statuses("tokens") == [500, 429, 201])
        // And not a second time.
        #expect(app.errors.map(\.errorCode) == [4])
        try await loop.end()
    }
}
