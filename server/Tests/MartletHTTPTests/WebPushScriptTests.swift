import Foundation
import MartletTesting
import MartletWire
import Testing

/// What a site's two scripts do, where a real browser would have to be told otherwise: Node runs them, with doubles of what
/// a browser gives them.
@Suite("Scripts for sites in Node", .timeLimit(.minutes(4)))
struct WebPushScriptTests {
    private func run(_ program: String, _ script: String) async throws -> [String: JSONValue] {
        let programs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "javascript")
        let scripts = Program.root + "/server/Sources/MartletHTTP/WebPush/Scripts/"
        let process = try ProgramProcess(
            ["node", programs.appending(path: program).path, scripts + script],
            executable: "/usr/bin/env"
        )
        let result = try await process.result()
        try #require(result.status == 0, "\(result.standardError)")
        return try #require(try JSONValue(json: Data(result.standardOutput.utf8)).objectValue)
    }

    private func workers() async throws -> [String: [String: JSONValue]] {
        try await run("worker.js", "worker.js").compactMapValues(\.objectValue)
    }

    @Test("a browser is told by its state: unsupported, needs-install, prompt, granted, denied")
    func states() async throws {
        let found = try await run("states.js", "martlet.js")
        let expected: [String: JSONValue] = [
            "old": "unsupported", "phone": "needs-install", "tablet": "needs-install", "mac": "unsupported",
            "oldOnHomeScreen": "unsupported", "onHomeScreen": "prompt", "asking": "prompt", "allowed": "granted",
            "refused": "denied",
        ]
        #expect(found.filter { expected[$0.key] != nil } == expected)
    }

    @Test("the permission is asked for from a click alone, and never after a refusal")
    func asks() async throws {
        let found = try await run("states.js", "martlet.js")
        #expect(found["unclicked"] == "needs_click")
        #expect(found["afterRefusal"] == "denied")
        #expect(found["asked"] == [0, 0, 1])
    }

    @Test("a page subscribes with a worker of another scope as soon as it is active, and waits in bounds")
    func waitsForWorker() async throws {
        let found = try await run("page.js", "martlet.js")
        let registered: JSONValue = [["registered", "https://push.example.org/1"]]
        for name in ["active", "installing", "waiting", "late"] {
            #expect(found[name] == ["granted", registered], "\(name)")
        }
        #expect(found["failed"] == ["worker_failed", []])
        #expect(found["stuck"] == ["timeout", []])
    }

    @Test("who unsubscribes is switched off at the server too, and on again with the next subscription")
    func switchesPush() async throws {
        let found = try await run("page.js", "martlet.js")
        let registered: JSONValue = ["registered", "https://push.example.org/1"]
        func changed(_ push: Bool) -> JSONValue {
            ["https://push.example.com/api/v1/installations/ID?app=shop", ["push": .bool(push)], "s"]
        }
        #expect(found["ended"] == [registered, "unsubscribed", changed(false)])
        #expect(found["again"] == [registered, changed(true), registered])
        // A server that is not reached keeps nobody subscribed; that it must be switched on again is not forgotten.
        #expect(found["offline"] == [.null, "no network"])
        #expect(found["online"] == [registered, changed(true)])
        // Nothing is told of who never registered.
        #expect(found["stranger"] == [])
    }

    @Test("every push is shown, whatever is in it, and its delivery reported")
    func shows() async throws {
        let found = try await workers()
        let cases: [(name: String, shown: JSONValue, message: JSONValue)] = [
            ("shown", ["T", "B"], "m"), ("unreadable", ["Shop", .null], .null),
            ("unreadableWithoutTitle", ["shop.example.com", .null], .null),
            ("empty", ["shop.example.com", .null], .null), ("refusedOnce", ["T", .null], .null),
            ("declarative", ["T", "B"], "m"), ("declarativeElsewhere", ["T", .null], "m"),
        ]
        for (name, shown, message) in cases {
            #expect(found[name]?["shown"] == [shown], "\(name)")
            #expect(found[name]?["events"] == [["delivery", message, "web", "s"]], "\(name)")
        }
    }

    @Test("a declarative push that Safari hands over without data keeps all that the notification says, and its badge")
    func takesDeclarative() async throws {
        let found = try await workers()
        let shown: JSONValue = [
            "body": "B", "dir": "auto", "icon": "https://shop.example.com/i.png", "tag": "order-7", "renotify": true,
            "navigate": "https://shop.example.com/a",
            "data": [
                "message_id": "m", "delivery_id": "d", "martlet": ["navigate": "https://shop.example.com/a"],
            ],
        ]
        #expect(found["declarative"]?["options"] == [shown])
        #expect(found["declarative"]?["badges"] == [3])
        // Safari opens what is shown, and so only what the site allows.
        let elsewhere: JSONValue = [
            "dir": "auto", "navigate": "https://shop.example.com/",
            "data": ["message_id": "m", "martlet": ["navigate": "https://evil.example.com/"]],
        ]
        #expect(found["declarativeElsewhere"]?["options"] == [elsewhere])
        #expect(found["declarativeElsewhere"]?["badges"] == [])
        // Safari shows it as it came.
        #expect(found["declarativeRefused"]?["shown"] == [])
        #expect(found["declarativeRefused"]?["events"] == [["delivery", "m", "web", "s"]])
    }

    @Test("a subscription that the browser has renewed is registered where it has the app's key; else another is made")
    func renews() async throws {
        let found = try await workers()
        let origin = "https://push.example.org/"
        let kept: JSONValue = [.string(origin + "renewed"), "v2", .string(origin + "before")]
        let made: JSONValue = [.string(origin + "made"), "v2", .string(origin + "before")]
        let cases: [(name: String, registered: JSONValue, unsubscribed: JSONValue)] = [
            ("renewed", kept, []), ("renewedWithOldKey", made, [.string(origin + "renewed")]),
            ("foundWithOldKey", made, [.string(origin + "found")]),
            ("foundWithoutKey", made, [.string(origin + "found")]), ("ended", made, []),
        ]
        for (name, registered, unsubscribed) in cases {
            #expect(found[name]?["registered"] == [registered], "\(name)")
            #expect(found[name]?["unsubscribed"] == unsubscribed, "\(name)")
        }
    }

    @Test("a notification that is put away is reported")
    func dismisses() async throws {
        let found = try await workers()
        #expect(found["dismissed"]?["events"] == [["dismiss", "m", "web", "s"]])
        #expect(found["dismissed"]?["opened"] == [])
    }

    @Test("a notification opens the site's own pages and what the site allows, and of all else the site's start")
    func opens() async throws {
        let found = try await workers()
        #expect(found["ownPage"]?["opened"] == ["https://shop.example.com/a?b=c"])
        #expect(found["action"]?["opened"] == ["https://shop.example.com/b"])
        #expect(found["allowedPage"]?["opened"] == ["https://help.example.com/faq/1"])
        let elsewhere = found.filter { $0.key.hasPrefix("elsewhere") }
        #expect(elsewhere.count == 9)
        for (name, one) in elsewhere {
            #expect(one["opened"] == ["https://shop.example.com/"], "\(name)")
            #expect(one["events"] == [["open", "m", "web", "s"]], "\(name)")
        }
    }
}
