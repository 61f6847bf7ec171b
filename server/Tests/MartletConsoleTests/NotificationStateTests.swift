import MartletStore
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

@Suite("What a notification's page says of where it stands") struct NotificationStateTests {
    /// Sends to people of whom ann has a device, whose provider takes it.
    private func send(_ harness: Harness, to people: [String]) async throws -> MartletCore.Notification {
        let world = harness.world
        let queue = try await world.makeQueue(harness.app)
        try await world.register(harness.app, 1, user: "ann")
        let sent = try await world.send(harness.app, to: .users(people))
        try await world.deliver(queue)
        return sent
    }

    @Test("what is scheduled is not said to be sent, and can be cancelled and not taken back")
    func scheduled() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sender = try await harness.visitor(.sender)
            let review = try await sender.review([
                "form": "on", "do": "review", "title": "Later", "when": "later", "at": "2027-02-15T12:00",
                "zone": "UTC", "inbox": "on",
            ])
            let answer = try await sender.send(review)
            let place = try #require(answer.location, "\(answer.text)")
            let page = try await sender.get(String(place.dropFirst("/console".count))).text
            #expect(page.contains("It is scheduled for <time datetime=\"2027-02-15T12:00:00Z\""), "\(page)")
            #expect(!page.contains("It is sent.") && page.contains("What will be sent"))
            #expect(page.contains("Cancel the send") && page.contains("Once cancelled, nobody gets it."))
            #expect(!page.contains("Take it back"))
        }
    }

    @Test(
        "taking back asks first and names how many have it; then the page says so and offers neither it nor a new send"
    )
    func recalled() async throws {
        try await Harness.run { harness in
            let sent = try await send(harness, to: ["ann", "nobody"])
            let admin = try await harness.visitor(.admin)
            let path = "/notifications/\(sent.id)"
            let before = try await admin.get(path).text
            #expect(before.contains("<details class=\"card confirm\"><summary>Take it back"), "\(before)")
            #expect(before.contains("taken back from 1 device") && before.contains("Send again to those who missed it"))
            #expect(try await admin.post(path + "/recall").status == 303)
            let after = try await admin.get(path).text
            #expect(after.contains(">taken back</span> It was taken back: <time"), "\(after)")
            #expect(!after.contains("/recall\"") && !after.contains("\(path)/resend\""))
            #expect(try await admin.get("/notifications").text.contains(">taken back</span>"))
        }
    }

    @Test("progress is what providers accepted, and while they accept none no end is promised")
    func progress() async throws {
        try await Harness.run { harness in
            let world = harness.world
            let queue = try await world.makeQueue(harness.app)
            for number in 1...3 { try await world.register(harness.app, number, user: "user-\(number)") }
            let sent = try await world.send(harness.app, to: .users(["user-1", "user-2", "user-3", "nobody"]))
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.results = leased.batch.members.prefix(1).map { world.result($0, .rejected, reason: "BadToken") }
            settlement.remaining = Array(leased.batch.members.dropFirst())
            settlement.isLeaseReleased = true
            try await world.store.settle(settlement)
            harness.clock.advance(by: .seconds(10))
            let page = try await harness.visitor(.viewer).get("/notifications/\(sent.id)").text
            #expect(page.contains("0 of 3 deliveries were accepted by providers"), "\(page)")
            #expect(!page.contains(" a second") && !page.contains(" left<"))
        }
    }

    @Test("the list and the page call the same refused and not sent")
    func numbers() async throws {
        try await Harness.run { harness in
            let world = harness.world
            let queue = try await world.makeQueue(harness.app)
            for number in 1...4 { try await world.register(harness.app, number, user: "user\(number)") }
            let people = (1...4).map { "user\($0)" } + ["nobody"]
            let sent = try await world.send(harness.app, to: .users(people))
            var settlement = try await world.leaseOne(queue).settlement
            let states: [DeliveryResult.State] = [.accepted, .rejected, .dead, .expired]
            settlement.results = zip(settlement.batch.members, states).map { world.result($0, $1) }
            try await world.store.settle(settlement)
            let viewer = try await harness.visitor(.viewer)
            let page = try await viewer.get("/notifications/\(sent.id)").text
            for figure in ["1</strong> Accepted", "2</strong> Refused", "1</strong> of which given up"] {
                #expect(page.contains("<li><strong>\(figure)</li>"), "\(figure): \(page)")
            }
            for figure in ["2</strong> Not sent", "1</strong> of which expired", "0</strong> Waiting"] {
                #expect(page.contains("<li><strong>\(figure)</li>"), "\(figure): \(page)")
            }
            let list = try await viewer.get("/notifications").text
            for cell in ["Accepted\">1<", "Refused\">2<", "Not sent\">2<", "Waiting\">0<"] {
                #expect(list.contains("data-name=\"\(cell)/td>"), "\(cell): \(list)")
            }
        }
    }

    @Test("what phones reported is in the part that is live, as long as reports are waited for")
    func reports() async throws {
        try await Harness.run { harness in
            let sent = try await send(harness, to: ["ann"])
            let viewer = try await harness.visitor(.viewer)
            let path = "/notifications/\(sent.id)"
            let before = try await viewer.get(path).text
            #expect(before.contains("data-stale=\"These numbers are not updated any more. Reload the page.\""))
            #expect(before.contains("data-live=") && before.contains("<div data-part=\"events\"></div>"), "\(before)")
            var open = EventDraft(type: .open, platform: .ios, clientTime: harness.world.now)
            (open.messageID, open.user) = (sent.id.description, "ann")
            let batch = EventBatch(app: harness.app.row, events: [open], retention: .seconds(86_400))
            _ = try await harness.store.record(batch)
            #expect(try await viewer.get(path).text.contains("<strong>1</strong> opened"))
            harness.clock.advance(by: .seconds(3_700))
            #expect(!(try await viewer.get(path).text.contains("data-live=")))
            #expect(!(try await viewer.get(path).text.contains("data-stale=")))
        }
    }

    @Test("sizes are those that providers limit, and a test is marked in the list")
    func sizes() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sender = try await harness.visitor(.sender)
            async let tested = sender.post("/compose", ["form": "on", "do": "test", "title": "Try", "test_to": "ann"])
            await harness.clock.untilAsleep()
            harness.clock.advance(by: .seconds(3))
            let answer = try await tested
            #expect(answer.status == 303, "\(answer.text)")
            // Loaded again it is the same test, with all that was written.
            for _ in 0..<2 {
                let compose = try await sender.follow(answer).text
                #expect(compose.contains("The test has no answer yet.") && compose.contains("value=\"Try\""))
            }
            #expect(try await harness.sent().count == 1)
            let sent = try #require(try await harness.sent().first)
            #expect(sent.isTest && sent.collapseID == nil)
            #expect(try await sender.get("/notifications").text.contains(">test</span>"))
            let page = try await sender.get("/notifications/\(sent.id)").text
            #expect(page.contains("of 4,096 bytes") && page.contains("Shown at once"), "\(page)")
        }
    }
}
