import Foundation
import MartletStore
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

@Suite("The overview") struct OverviewTests {
    @Test(
        "an app's word is the worst of what holds of it",
        arguments: [
            ([], .fine), ([.deadLetters, .quarantine, .credentialEnds], .fine), ([.backlog, .deadLetters], .slow),
            ([.noCredential], .unreachable), ([.notAnswering, .backlog], .silent), ([.paused, .notAnswering], .paused),
        ] as [([Problem.Kind], AppState)]
    )
    func state(kinds: [Problem.Kind], expected: AppState) {
        let problems = kinds.map { Problem($0, .problem, app: nil, "It is.", advice: "") }
        #expect(AppState(problems) == expected)
    }

    @Test(
        "a chart ends at a round number that its highest bar nearly fills",
        arguments: [
            (0, 1), (1, 1), (2, 2), (3, 3), (5, 5), (6, 6), (10, 10), (11, 12), (21, 25), (51, 60), (1_001, 1_200),
            (999_999, 1_000_000), (Int.max, Int.max),
        ]
    )
    func scale(most: Int, expected: Int) { #expect(Chart.scale(most) == expected) }

    @Test("a chart's picture has a bar for each count, and its title as text")
    func picture() {
        let point = ChartPoint(at: Timestamp(milliseconds: 0), accepted: 2, refused: 1, notMade: 0)
        let nothing = ChartPoint(at: Timestamp(milliseconds: 60_000), accepted: 0, refused: 0, notMade: 0)
        let svg = Chart(points: [point, nothing], step: .seconds(60)).svg(title: #"<i>"&"#)
        #expect(svg.matches(of: /<rect/).count == 2)
        #expect(
            svg.contains("aria-label=\"&lt;i&gt;&quot;&amp;\"") && svg.contains(">3</text>")
                && svg.contains(">00:00</text>")
        )
        #expect(!Chart(points: [], step: .seconds(60)).svg(title: "x").contains("nan"))
    }

    @Test("a narrow window has a picture of its own, with fewer times and none of them scaled away")
    func pictures() {
        let points = (0..<24).map {
            ChartPoint(at: Timestamp(milliseconds: $0 * 3_600_000), accepted: 1, refused: 0, notMade: 0)
        }
        let both = Chart.pictures(of: points, step: .seconds(3_600), title: "x")
        #expect(both.contains("wide-chart\" viewBox=\"0 0 760 ") && both.contains("narrow-chart\" viewBox=\"0 0 300 "))
        #expect(both.matches(of: /data-at/).count == 6 + 3)
    }

    // MARK: The page

    /// Three accepted, one refused, one given up, one expired, one not made, and one opened.
    private func send(_ harness: Harness) async throws {
        let world = harness.world
        let queue = try await world.makeQueue(harness.app)
        let users = (1...6).map { "user-\($0)" }
        for (index, user) in users.enumerated() { try await world.register(harness.app, index + 1, user: user) }
        let sent = try await world.send(harness.app, to: .users(users + ["nobody"]))
        let leased = try await world.leaseOne(queue)
        let states: [DeliveryResult.State] = [.accepted, .accepted, .accepted, .rejected, .dead, .expired]
        var settlement = leased.settlement
        settlement.results = zip(leased.batch.members, states).map { member, state in
            world.result(member, state, reason: state == .accepted ? nil : "BadToken")
        }
        try await world.store.settle(settlement)
        var open = EventDraft(type: .open, platform: .ios, clientTime: world.now)
        (open.messageID, open.user) = (sent.id.description, "user-1")
        let batch = EventBatch(app: harness.app.row, events: [open], retention: .seconds(86_400))
        _ = try await harness.store.record(batch)
    }

    private func figure(_ number: String, _ name: String) -> String { "<strong>\(number)</strong> \(name)" }

    @Test("its figures are what was sent, also a row of the table, and another app has none of them")
    func figures() async throws {
        try await Harness.run { harness in
            try await send(harness)
            // The clock stands at the beginning of an hour, which a span that ends there has not.
            harness.clock.advance(by: .seconds(1))
            let other = try await harness.store.createApp(name: "other", identity: Identity())
            let viewer = try await harness.visitor(.viewer)
            for query in ["", "?period=hour", "?period=day", "?period=month", "?app=\(harness.app.id)", "?app=shop"] {
                let page = try await viewer.get("/" + query)
                for (number, name) in [("3", "accepted"), ("2", "refused"), ("2", "not sent"), ("1", "opened")] {
                    #expect(page.text.contains(figure(number, name)), "\(query): \(number) \(name)")
                }
                #expect(page.text.contains("<td class=\"number\">3</td><td class=\"number\">2</td>"), "\(query)")
                #expect(page.text.contains("<rect class=\"accepted\""))
            }
            let span = CountSpan(
                app: nil,
                from: harness.clock.now() - .seconds(3_600),
                to: harness.clock.now(),
                step: .minute
            )
            let total = try await harness.store.counts(over: span).total
            #expect(total.accepted == 3 && total.rejected == 1 && total.dead == 1)
            #expect(total.expired == 1 && total.suppressed == 1)
            let none = try await viewer.get("/?app=\(other.id)")
            #expect(none.text.contains(figure("0", "accepted")))
            #expect(none.text.contains("Nothing was sent in this time.") && !none.text.contains("<rect"))
            #expect(try await viewer.get("/?app=gone").status == 404)
        }
    }

    @Test("what is over is not in the last hour, and is in the last day")
    func periods() async throws {
        try await Harness.run { harness in
            try await send(harness)
            harness.clock.advance(by: .seconds(2 * 3_600))
            let viewer = try await harness.visitor(.viewer)
            #expect(try await viewer.get("/?period=hour").text.contains(figure("0", "accepted")))
            #expect(try await viewer.get("/?period=day").text.contains(figure("3", "accepted")))
            #expect(try await viewer.get("/?period=nonsense").text.contains(figure("3", "accepted")))
        }
    }

    @Test("a console without an app teaches how to make one, and whom it does not concern is not asked to")
    func empty() async throws {
        try await Harness.run { harness in
            let (admin, viewer) = (try await harness.visitor(.admin), try await harness.visitor(.viewer))
            let unable = try await admin.get("/")
            #expect(unable.text.contains(">reaches nobody</span>") && unable.text.contains("This needs you"))
            #expect(!unable.text.contains(">fine</span>"))
            _ = try await harness.world.makeQueue(harness.app)
            let quiet = try await admin.get("/")
            #expect(
                quiet.text.contains("Nothing was sent in this time.") && quiet.text.contains("Write a notification")
            )
            #expect(quiet.text.contains(">fine</span>") && !quiet.text.contains("This needs you"))
            #expect(try await !viewer.get("/").text.contains("Write a notification"))
            try await harness.store.deleteApp(harness.app.row)
            let none = try await admin.get("/")
            #expect(none.text.contains("There is no app yet.") && none.text.contains("Create an app"))
            let seen = try await viewer.get("/")
            #expect(seen.text.contains("There is no app yet.") && !seen.text.contains("Create an app"))
        }
    }

    @Test("a card says what is wrong with its app, and the page what needs a person")
    func cards() async throws {
        try await Harness.run { harness in
            let world = harness.world
            let queue = try await world.makeQueue(harness.app)
            try await world.register(harness.app, 1, user: "ann")
            let viewer = try await harness.visitor(.viewer)
            _ = try await world.send(harness.app, to: .users(["ann"]))
            let waiting = try await viewer.get("/")
            #expect(waiting.text.contains(">fine</span>") && waiting.text.contains("1 delivery waits"))
            harness.clock.advance(by: Problem.longestWait + .seconds(1))
            #expect(try await viewer.get("/").text.contains(">slow</span>"))
            let refusals = repeatElement(
                Outcome.retry(.init(reason: "connection refused", kind: .connection)),
                count: 100
            )
            harness.console.breakers.note(refusals, in: queue, of: "", at: harness.clock.now())
            let silent = try await viewer.get("/").text
            #expect(
                silent.contains(">not answering</span> <code class=\"muted\">connection refused</code> since <time")
            )
            #expect(silent.contains("<code class=\"muted\">apns/production</code>"))
            #expect(silent.contains("href=\"/console/problems#problems\""), "\(silent)")
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.results = leased.batch.members.map { world.result($0, .dead, reason: "gone") }
            settlement.pause = Pause(queue: queue, reason: "InvalidProviderToken", advice: "Mend.", since: world.now)
            try await world.store.settle(settlement)
            harness.clock.advance(by: .seconds(10))
            let paused = try await viewer.get("/")
            #expect(
                paused.text.contains(">paused: Apple refuses the credential</span>") && paused.text.contains("Mend.")
            )
            #expect(paused.text.contains("This needs you") && paused.text.contains("1 delivery was given up"))
            #expect(paused.text.contains("href=\"/console/problems#letters\""))
            // What waits is counted every few seconds: that there is none says nothing beside a pause.
            #expect(!paused.text.contains("deliveries wait") && !paused.text.contains("/credentials/new"))
            let mend = "/console/apps/\(harness.app.id)/credentials/new?platform=\(queue.platform.rawValue)&amp;"
            #expect(try await harness.visitor(.admin).get("/").text.contains("href=\"\(mend)"))
        }
    }
}
