import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

/// What the console says of those who did not get a notification.
@Suite struct MissedPageTests {
    /// A notification to three people: ann's second device takes it, bob's one refuses it, eve's takes it.
    private struct Scene {
        var world: World
        var app: App
        var sent: MartletCore.Notification
        var address: String { "/notifications/\(sent.id)" }

        init(_ harness: Harness) async throws {
            world = harness.world
            app = harness.app
            let queue = try await world.makeQueue(app)
            for (index, user) in ["ann", "ann", "bob", "eve"].enumerated() {
                try await world.register(app, index + 1, user: user)
            }
            sent = try await world.send(app)
            var settlement = try await world.leaseOne(queue).settlement
            let members = settlement.batch.members.sorted { $0.endpoint < $1.endpoint }
            settlement.results = members.enumerated().map { [world] index, member in
                index % 2 == 0 ? world.result(member, .rejected, reason: "BadTopic") : world.result(member)
            }
            try await world.store.settle(settlement)
        }

        /// Reports that a push arrived.
        func report(_ message: String) async throws {
            var event = EventDraft(type: .delivery, platform: .ios, clientTime: world.now)
            (event.messageID, event.user) = (message, "eve")
            let batch = EventBatch(app: app.row, events: [event], retention: .seconds(86_400))
            _ = try await world.store.record(batch)
        }
    }

    @Test("who has it on another device is left out, unless every device is asked for")
    func elsewhere() async throws {
        try await Harness.run { harness in
            let scene = try await Scene(harness)
            let viewer = try await harness.visitor(.viewer)
            let people = try await viewer.get(scene.address + "/missed").text
            #expect(people.contains(">bob</a>") && !people.contains(">ann</a>") && !people.contains(">eve</a>"))
            #expect(people.contains("missed?devices=people&amp;format=csv"))
            let devices = try await viewer.get(scene.address + "/missed?devices=every&reason=BadTopic").text
            #expect(devices.contains(">bob</a>") && devices.contains(">ann</a>") && !devices.contains(">eve</a>"))
            #expect(devices.matches(of: /Has it on another device/).count == 1)
            let file = try await viewer.get(scene.address + "/missed?devices=people&format=csv").text
            #expect(file.split(separator: "\r\n").count == 2 && file.contains("bob,"), "\(file)")
            let none = try await viewer.get(scene.address + "/missed?reason=expired").text
            #expect(none.contains("Nobody missed it on all of their devices."))
            #expect(none.contains("/missed?devices=every&amp;reason=expired"))
        }
    }

    @Test("who did not get it comes before sending it again")
    func order() async throws {
        try await Harness.run { harness in
            let scene = try await Scene(harness)
            let page = try await harness.visitor(.sender).get(scene.address).text
            #expect(page.contains("<a class=\"button\" href=\"/console\(scene.address)/missed\">"))
            #expect(page.contains("<a class=\"button quiet\" href=\"/console\(scene.address)/resend\">"))
            #expect(page.contains("/missed?devices=every&amp;reason=BadTopic"))
        }
    }

    @Test("a provider's refusal is explained once, with its word beside it")
    func meanings() async throws {
        try await Harness.run { harness in
            let scene = try await Scene(harness)
            let sender = try await harness.visitor(.sender)
            for path in [scene.address, scene.address + "/missed", scene.address + "/resend"] {
                let page = try await sender.open(path).text
                #expect(page.contains("does not allow this app&#39;s bundle id"), "\(page)")
                #expect(page.contains("<code class=\"muted\">BadTopic</code>"), "\(page)")
                #expect(!page.contains("(BadTopic)"), "\(page)")
            }
            // The word wraps with its sentence.
            let again = try await sender.open(scene.address + "/resend").text
            #expect(
                again.contains("> <span>The provider") && again.contains("BadTopic</code></span></label>"),
                "\(again)"
            )
        }
    }

    @Test("a reason to choose says what it means")
    func choices() async throws {
        try await Harness.run { harness in
            let scene = try await Scene(harness)
            let page = try await harness.visitor(.viewer).get(scene.address + "/missed").text
            let option = try #require(page.firstMatch(of: /<option value="BadTopic">([^<]*)<\/option>/), "\(page)").1
            #expect(option.hasPrefix("BadTopic – ") && option.contains("does not allow this app&#39;s bundle id"))
        }
    }

    @Test("where nobody is among the usual cases and reasons stand to be chosen, the page says to choose one")
    func choosing() async throws {
        try await Harness.run { harness in
            let scene = try await Scene(harness)
            let sender = try await harness.visitor(.sender)
            let path = scene.address + "/resend"
            let usual = try await sender.open(path).text
            #expect(usual.contains("Nobody is among the usual cases") && !usual.contains("Nobody is left"), "\(usual)")
            let chosen = try await sender.follow(sender.post(path, ["reason": "BadTopic", "do": "count"])).text
            #expect(chosen.contains("1 device would get it") && !chosen.contains("Nobody is"), "\(chosen)")
            let none = try await sender.follow(sender.post(path, ["reason": "expired", "do": "count"])).text
            #expect(none.contains("Nobody is left to send it to") && !none.contains("usual cases"), "\(none)")
        }
    }

    @Test("a page that has sent again leads to what it sent; the same within a minute is asked about")
    func sentAgain() async throws {
        try await Harness.run { harness in
            let scene = try await Scene(harness)
            let sender = try await harness.visitor(.sender)
            let begun = try await sender.get(scene.address + "/resend?reason=BadTopic&count=on")
            let place = try #require(begun.location).dropFirst("/console".count)
            let page = try await sender.get(String(place))
            #expect(page.text.contains("1 device would get it") && page.hidden("once").count == 22, "\(page.text)")
            func press(_ page: Visitor.Answer, _ more: String = "") async throws -> Visitor.Answer {
                let fields = "do=send&reason=BadTopic&counted=BadTopic&shown=1&csrf=\(sender.csrf)\(more)"
                return try await sender.send(.post, scene.address + "/resend", "once=\(page.hidden("once"))&\(fields)")
            }
            let sent = try await press(page)
            #expect(sent.status == 303, "\(sent.text)")
            // Back and reload.
            #expect(try await sender.get(String(place)).location == sent.location)
            #expect(try await press(page).location == sent.location)
            let other = try await sender.open(scene.address + "/resend?reason=BadTopic&count=on")
            let refused = try await press(other)
            #expect(refused.status == 422 && refused.text.contains("You sent this 1 s ago."), "\(refused.text)")
        }
    }

    @Test("what no device reported is counted where the app's devices report")
    func unreported() async throws {
        try await Harness.run { harness in
            let scene = try await Scene(harness)
            let viewer = try await harness.visitor(.viewer)
            func figure(_ number: Int) -> String { "<strong>\(number)</strong> accepted, delivery not reported" }
            #expect(!(try await viewer.get(scene.address).text.contains("delivery not reported")))
            try await scene.report("another")
            #expect(try await viewer.get(scene.address).text.contains(figure(2)))
            try await scene.report(scene.sent.id.description)
            #expect(try await viewer.get(scene.address).text.contains(figure(1)))
            try await scene.report(scene.sent.id.description)
            #expect(!(try await viewer.get(scene.address).text.contains("delivery not reported")))
        }
    }
}
