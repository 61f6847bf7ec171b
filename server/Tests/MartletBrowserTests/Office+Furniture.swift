import Foundation
import MartletTesting
import MartletWire

/// A page of the console, as a person comes to it.
struct OfficePage: Sendable {
    /// What its pictures are called.
    var name: String
    /// Its path below `/console`, with a query.
    var path: String
    /// What is done there, where the page is the answer to a form.
    var then: @Sendable (WebDriver) async throws -> Void = { _ in }
    /// The answers that it is about, and of which the browser complains.
    var refusals: [Refusal] = []
}

extension Office {
    /// What there is to look at: ids, and a file.
    struct Things {
        var app = "", sent = "", charted = "", missed = "", later = "", waiting = ""
        var subscription = (topic: "", id: "")
        var list = ""
    }

    /// Everything that somebody who is signed in can look at, with something on it.
    func pages() async throws -> [OfficePage] {
        var things = Things()
        things.sent = try await announce()
        things.charted = try await trickle()
        things.missed = try await refused()
        things.later = try await send(
            #""audience": {"all": true}, "title": "Winter sale", "send_at": "\#(Self.tomorrow)""#
        )
        things.subscription = try await subscribe()
        try await giveUp()
        things.waiting = try await pause()
        things.app = try await appID()
        things.list = try list()
        return Self.pages(things)
    }

    static func pages(_ things: Things) -> [OfficePage] {
        sends(things.app, sent: things.sent, missed: things.missed)
            + answers(things.app, list: things.list, charted: things.charted) + people(things.app, things.sent)
            + rest(things.app, things.subscription)
            + [("notification-later", things.later), ("notification-waiting", things.waiting)].map { name, id in
                OfficePage(name: name, path: "/notifications/\(id)")
            }
    }

    /// Pages as they are after something was done on them, and where there is nothing.
    private static func answers(_ app: String, list: String, charted: String) -> [OfficePage] {
        let compose = "/compose?app=\(app)"
        return [
            OfficePage(name: "notifications-none", path: "/notifications?q=zzzz"),
            OfficePage(name: "notification-chart", path: "/notifications/\(charted)") { browser in
                try await browser.untilThere("#over-time")
            },
            OfficePage(
                name: "compose-refused",
                path: compose,
                then: { browser in
                    try await browser.click("button[name=do][value=review]:not([hidden])")
                    try await browser.untilThere("[name=body][aria-invalid=true]")
                },
                refusals: [Refusal(path: "/console/compose", status: 422)]
            ),
            OfficePage(name: "compose-list", path: compose) { browser in
                try await browser.click("[name=audience][value=users]")
                try await browser.choose(file: list, in: "[name=list]")
                try await browser.untilThere("[data-compose-list] .notice")
                // The line that names nobody.
                try await browser.until("5", in: "[data-compose-count]")
            },
            OfficePage(name: "compose-tested", path: compose) { browser in
                try await browser.write("Socks", into: "[name=title]")
                try await browser.write("ann", into: "[name=test_to]")
                try await browser.click("button[name=do][value=test]")
                try await browser.untilThere("main [role=status] a[href^='/console/notifications/']")
            },
            OfficePage(
                name: "kept-form",
                path: compose,
                then: { browser in
                    // As the token of an earlier session is.
                    try await browser.execute(
                        """
                        const form = document.querySelector('form[data-compose]');
                        form.elements.csrf.value = 'x';
                        form.querySelector('button[name=do][value=review]').click();
                        """
                    )
                    try await browser.untilThere("form[data-kept]")
                },
                refusals: [Refusal(path: "/console/compose", status: 403)]
            ),
            OfficePage(name: "access-key-made", path: "/access-keys") {
                try await $0.submit("boto", to: "/console/access-keys")
            },
        ]
    }

    private static func sends(_ app: String, sent: String, missed: String) -> [OfficePage] {
        [
            OfficePage(name: "overview", path: "/"), OfficePage(name: "overview-month", path: "/?period=month"),
            OfficePage(name: "compose", path: "/compose?app=\(app)"),
            OfficePage(name: "compose-review", path: "/compose?app=\(app)") { browser in
                try await browser.write("Socks", into: "[name=title]")
                try await browser.write("Half the price until Sunday", into: "[name=body]")
                try await browser.click("button[name=do][value=review]:not([hidden])")
                try await browser.untilThere("form[action='/console/compose/send']")
            },
            OfficePage(name: "notifications", path: "/notifications"),
            OfficePage(name: "notification", path: "/notifications/\(sent)"),
            OfficePage(name: "notification-refused", path: "/notifications/\(missed)"),
            OfficePage(name: "missed", path: "/notifications/\(missed)/missed"),
            OfficePage(name: "resend", path: "/notifications/\(missed)/resend"),
        ]
    }

    private static func people(_ app: String, _ sent: String) -> [OfficePage] {
        let (cleo, ann) = ("/people/\(app)/cleo", "/people/\(app)/ann")
        return [
            OfficePage(name: "people", path: "/people?q=ann"), OfficePage(name: "person", path: cleo),
            OfficePage(name: "person-ann", path: ann), OfficePage(name: "person-devices", path: "\(ann)/devices"),
            OfficePage(name: "person-preferences", path: "\(cleo)/preferences"),
            OfficePage(name: "person-inbox", path: "\(ann)/inbox"),
            OfficePage(name: "why", path: "\(cleo)/why/\(sent)"),
            OfficePage(name: "why-ann", path: "\(ann)/why/\(sent)"),
            OfficePage(name: "erase", path: "\(cleo)/erase"),
        ]
    }

    private static func rest(_ app: String, _ subscription: (topic: String, id: String)) -> [OfficePage] {
        let topic = "/topics/\(subscription.topic)"
        return [
            OfficePage(name: "topics", path: "/topics?app=\(app)"), OfficePage(name: "topic", path: topic),
            OfficePage(name: "subscription", path: "\(topic)/subscriptions/\(subscription.id)"),
            OfficePage(name: "categories", path: "/categories?app=\(app)"),
            OfficePage(name: "category", path: "/categories/\(app)/offers"),
            OfficePage(name: "problems", path: "/problems"), OfficePage(name: "apps", path: "/apps"),
            OfficePage(name: "app-new", path: "/apps/new"), OfficePage(name: "app", path: "/apps/\(app)"),
            OfficePage(name: "app-findings", path: "/apps/\(app)/findings"),
            OfficePage(
                name: "credential-new",
                path: "/apps/\(app)/credentials/new?platform=apns&environment=production"
            ),
            OfficePage(
                name: "credential-new-fcm",
                path: "/apps/\(app)/credentials/new?platform=fcm&environment=production"
            ),
            OfficePage(name: "keys", path: "/keys"), OfficePage(name: "access-keys", path: "/access-keys"),
            OfficePage(name: "key-made", path: "/keys") { try await $0.submit("ci", to: "/console/keys") },
            OfficePage(name: "operators", path: "/operators"),
            OfficePage(name: "operator-invited", path: "/operators") {
                try await $0.submit("dora", to: "/console/operators")
            }, OfficePage(name: "sessions", path: "/sessions"),
            OfficePage(name: "audit", path: "/audit"), OfficePage(name: "account", path: "/account"),
            OfficePage(name: "phones", path: "/phones"),
        ]
    }

    /// A page that is not there.
    static let lostPage = OfficePage(name: "error", path: "/notifications/\(UUID())")

    // MARK: What there is to see

    static var tomorrow: String { (Date() + 86_400).formatted(.iso8601) }

    /// Sends something.
    ///
    /// - Returns: the notification's id.
    func send(_ members: String) async throws -> String {
        let body = #"{"app": "shop", "body": "While there are any", "category": "offers", \#(members)}"#
        return try await server.call("POST", "/notifications", body)?.objectValue?["id"]?.stringValue ?? ""
    }

    func status(_ id: String) async throws -> String? {
        try await server.call("GET", "/notifications/\(id)")?.objectValue?["status"]?.stringValue
    }

    /// Sends what Apple refuses for bob.
    func refused() async throws -> String {
        try await stage.simulator.script(
            #"{"when": {"token": "\#(Self.token(2))"}, "then": {"do": "respond", "status": 413, "reason": "PayloadTooLarge"}}"#
        )
        let id = try await send(#""audience": {"all": true}, "title": "Hats""#)
        try await Eventually.is("it has ended", within: 60) { try await self.status(id) == "done" }
        return id
    }

    /// Sends what Apple takes for ann at once, and for bob seconds later.
    ///
    /// - Returns: the notification's id.
    private func trickle() async throws -> String {
        let busy = #""times": 1, "then": {"do": "respond", "reason": "TooManyRequests"}"#
        try await stage.simulator.script(#"{"when": {"token": "\#(Self.token(2))"}, \#(busy)}"#)
        let delays = #""minimum_delay_seconds": 2, "maximum_delay_seconds": 2, "rate_limited_delay_seconds": 2"#
        let id = try await send(
            #""audience": {"users": ["ann", "bob"]}, "title": "Scarves", "retry": {"max_attempts": 5, \#(delays)}"#
        )
        try await untilDone(id)
        return id
    }

    /// Sends to ann what is given up.
    private func giveUp() async throws {
        let busy = #""times": 1, "then": {"do": "respond", "reason": "TooManyRequests"}"#
        try await stage.simulator.script(#"{"when": {"token": "\#(Self.token(1))"}, \#(busy)}"#)
        let id = try await send(
            #""audience": {"users": ["ann"]}, "title": "Belts", "retry": {"max_attempts": 1}"#
        )
        try await untilDone(id)
    }

    /// The token of the first people's devices, by their number.
    static func token(_ number: Int) -> String { String(repeating: "0", count: 63) + String(number) }

    /// Makes a topic with a subscriber who wants some of it.
    private func subscribe() async throws -> (topic: String, id: String) {
        let topic = try await server.call("POST", "/topics", #"{"name": "weather", "app": "shop"}"#)?.objectValue
        let made = try await server.call(
            "POST",
            "/topics/weather/subscriptions?app=shop",
            #"{"user_id": "ann", "filter_policy": {"city": ["Kyoto", "Osaka"]}}"#
        )?.objectValue
        return (topic?["id"]?.stringValue ?? "", made?["id"]?.stringValue ?? "")
    }

    /// Has Apple refuse the key, so that the app's queue is paused.
    ///
    /// - Returns: the id of the notification that waits.
    func pause() async throws -> String {
        try await stage.simulator.script(
            #"{"then": {"do": "respond", "status": 403, "reason": "InvalidProviderToken"}}"#
        )
        return try await gloves()
    }

    /// Sends to ann what the provider refuses the key for.
    ///
    /// - Returns: the id of the notification that waits.
    func gloves() async throws -> String {
        let id = try await send(#""audience": {"users": ["ann"]}, "title": "Gloves""#)
        try await Eventually.is("the queue is paused", within: 60) {
            try await !self.list("/apps/\(Self.app)/pauses").isEmpty
        }
        return id
    }

    /// What the server lists.
    func list(_ path: String) async throws -> [JSONValue] {
        guard case .array(let all)? = try await server.call("GET", path) else { return [] }
        return all
    }

    /// Returns when the notification has ended.
    func untilDone(_ id: String) async throws {
        try await Eventually.is("it has ended", within: 60) { try await self.status(id) == "done" }
    }
}

extension WebDriver {
    /// Returns when there is such an element.
    fileprivate func untilThere(_ selector: String) async throws {
        try await Eventually.is("there is \(selector)", within: 20) { try await count(selector) > 0 }
    }

    /// Fills in the name on a form, sends it, and waits for what is shown once.
    fileprivate func submit(_ name: String, to address: String) async throws {
        try await write(name, into: "form[method=post][action='\(address)'] [name=name]")
        try await click("form[method=post][action='\(address)'] button")
        try await untilThere(".secret, #link")
    }
}
