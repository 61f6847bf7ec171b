import MartletTesting
import MartletWire
import Testing

/// The whole way from a request to a real browser's notification and back: `martlet serve`, the simulated push services,
/// and Debian's Firefox and Chromium at the site of `examples/web`.
@Suite("Real browsers at the example's site", .timeLimit(.minutes(5)), .serialized)
struct BrowserTests {
    @Test("Firefox shows what is sent", .enabled(if: BrowserProcess.Kind.firefox.isInstalled, "no Firefox"))
    func firefox() async throws { try await shows(.firefox) }

    @Test("Chromium shows what is sent", .enabled(if: BrowserProcess.Kind.chromium.isInstalled, "no Chromium"))
    func chromium() async throws { try await shows(.chromium) }

    /// A push is shown, its delivery and its opening are recorded; the inbox and the choices are the user's own.
    private func shows(_ kind: BrowserProcess.Kind) async throws {
        let shop = try await Shop(kind)
        try await shop.untilPage("the page is there") { $0.title == "Shop" }
        try await shop.turnOn()
        try await shop.signIn()
        let order = try await shop.send("Your order", #", "body": "It is on its way", "category": "orders""#)
        #expect(try await shop.counts(of: order)["accepted"] == 1)
        try await shop.untilPage("it is shown") { $0.shown == ["Your order: It is on its way"] }
        try await shop.untilEvents(["delivery"], of: order)
        #expect(try await !shop.events(of: order).contains("open"))
        try await shop.visitor("click")
        try await shop.untilEvents(["delivery", "open"], of: order)

        try await shop.visitor("language en")
        try await shop.untilPage("the inbox has it") { $0.items == ["Your order It is on its way"] }
        try await shop.visitor("choose Offers push off")
        try await Eventually.is("the choice is stored", within: 30) {
            let stored = try await shop.server.call("GET", "/users/\(Shop.user)/preferences?app=shop")?.objectValue
            guard case .array(let categories)? = stored?["categories"] else { return false }
            let offers = categories.compactMap(\.objectValue).first { $0["key"] == "offers" }
            return offers?["push"]?.objectValue?["is_on"] == false
        }
        let offer = try await shop.send("Socks", #", "body": "Half the price", "category": "offers""#)
        #expect(try await shop.counts(of: offer)["suppressed"] == 1)
        try await shop.visitor("language ja")
        let page = try await shop.untilPage("both are in the inbox") { $0.items.count == 2 }
        #expect(page.title == "ショップ" && page.items.first == "Socks Half the price")
        #expect(page.unread >= 1 && page.shown.allSatisfy { !$0.hasPrefix("Socks") })
        try await shop.visitor("read-all")
        try await shop.untilPage("all are read") { $0.items.count == 2 && $0.unread == 0 }
        try await shop.close()
    }

    @Test(
        "Firefox loses its subscription, and registers the next one without its page",
        .enabled(if: BrowserProcess.Kind.firefox.isInstalled, "no Firefox")
    )
    func changed() async throws {
        let shop = try await Shop(.firefox)
        let before = try await shop.turnOn()
        try await shop.signIn()
        let browsers = try await shop.stage.simulator.call("GET", "/browsers")?.objectValue?["browsers"]
        guard case .array(let all)? = browsers, let name = all.first?.objectValue?["browser"]?.stringValue else {
            throw ProgramProcess.Failure(description: "no browser is connected")
        }
        try await shop.stage.simulator.call("DELETE", "/browsers/\(name)")
        try await Eventually.is("another address is registered", within: 90) {
            let devices = try await shop.devices()
            return devices.count == 1 && devices.first?["device_token"] != .string(before)
        }
        let sent = try await shop.send("Afterwards", #", "body": "It goes on""#)
        #expect(try await shop.counts(of: sent)["accepted"] == 1)
        try await shop.untilPage("it is shown") { $0.shown == ["Afterwards: It goes on"] }
        try await shop.close()
    }

    @Test(
        "Chromium's subscription ends without its knowing, and the next visit makes another",
        .enabled(if: BrowserProcess.Kind.chromium.isInstalled, "no Chromium")
    )
    func ended() async throws {
        let shop = try await Shop(.chromium)
        let before = try await shop.turnOn()
        try await shop.signIn()
        let id = before.split(separator: "/").last ?? ""
        try await shop.stage.simulator.call("DELETE", "/subscriptions/\(id)")
        let lost = try await shop.send("Lost", #", "body": "Nobody sees it""#)
        #expect(try await shop.counts(of: lost)["rejected"] == 1)
        #expect(try await shop.devices().first?["is_active"] == false)
        try await shop.visitor("reload")
        let page = try await shop.untilPage("there is another subscription") {
            $0.state == "Notifications are on." && !$0.endpoint.isEmpty && $0.endpoint != before
        }
        try await Eventually.is("it is registered", within: 60) {
            let devices = try await shop.devices()
            return devices.map { $0["device_token"] } == [.string(page.endpoint)] && devices[0]["is_active"] == true
        }
        let sent = try await shop.send("Found", #", "body": "Here again""#)
        #expect(try await shop.counts(of: sent)["accepted"] == 1)
        try await shop.untilPage("it is shown") { $0.shown == ["Found: Here again"] }
        try await shop.close()
    }

    @Test(
        "after another key of the app's the next visit subscribes with it, in place of what was registered",
        .enabled(if: BrowserProcess.Kind.chromium.isInstalled, "no Chromium")
    )
    func rotated() async throws {
        let shop = try await Shop(.chromium)
        let before = try await shop.turnOn()
        try await shop.signIn()
        let row = try #require(try await shop.devices().first?["id"])
        try await shop.server.call("PUT", "/apps/shop/credentials", #"{"platform": "webpush", "rotate": true}"#)
        // The key of before is kept: until the next visit its subscription is sent to.
        let early = try await shop.send("Early", #", "body": "As before""#)
        #expect(try await shop.counts(of: early)["accepted"] == 1)
        try await shop.untilPage("it is shown") { $0.shown == ["Early: As before"] }
        try await shop.visitor("reload")
        let page = try await shop.untilPage("there is another subscription") {
            $0.state == "Notifications are on." && !$0.endpoint.isEmpty && $0.endpoint != before
        }
        try await Eventually.is("it is registered", within: 60) {
            let devices = try await shop.devices()
            return devices.map { $0["device_token"] } == [.string(page.endpoint)] && devices[0]["id"] == row
        }
        let late = try await shop.send("Late", #", "body": "With another key""#)
        #expect(try await shop.counts(of: late)["accepted"] == 1)
        try await shop.untilPage("it is shown") { $0.shown.contains("Late: With another key") }
        try await shop.close()
    }
}
