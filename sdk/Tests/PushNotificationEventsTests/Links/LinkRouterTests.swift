import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("The links of tapped notifications", .timeLimit(.minutes(1))) struct LinkRouterTests {
    private let platform = RecordingPlatform()
    private let events = RecordingEvents()
    private let handlers = Handlers(links: LinkHandling(ownSchemes: { LinkPolicy([.deepLink("own")]) }))
    private let errors = Journal<PushNotificationError>()
    private let opened = Journal<LinkHandling.Opened>()
    private let router: LinkRouter

    init() throws {
        handlers.links.policy = LinkPolicy([.web("example.com"), .deepLink("myapp")])
        let storage = MemoryStore()
        let clock = ManualClock()
        let transport = ScriptedTransport(.failure(.timedOut))
        let context = ClientContext(
            configuration: try SDKConfiguration(apiURL: URL(string: "https://api.example.com")!, apiKey: "client-key"),
            environment: PushEnvironment(platform: platform, transport: transport, storage: storage, clock: clock),
            identity: Identity(storage: storage, clock: clock),
            handlers: handlers,
            report: { [errors] in errors.add($0) },
            log: Log(level: { .off }, sink: { _, _ in })
        )
        router = LinkRouter(context, events: events)
    }

    private func handle() {
        handlers.links.deepLinks.handler = { [opened] in opened.add($0) }
    }

    @Test("a web link is recorded and shown in the app's browser", arguments: ["link", "url"])
    func web(key: String) async {
        router.open(Sample.notification("m1", custom: [key: "https://example.com/promo"]))
        let url = URL(string: "https://example.com/promo")!
        #expect(await platform.requests.wait(for: 1) == [.open(url, .inAppBrowser)])
        #expect(await events.recorded.wait(for: 1) == [.init(.linkOpen, "m1", value: "https://example.com/promo")])
        #expect(errors.entries.isEmpty)
    }

    @Test("a link into the app is recorded and handed to the app", arguments: ["deeplink", "deep_link", "link"])
    func deepLink(key: String) async {
        handle()
        let notification = Sample.notification("m1", custom: [key: "myapp://test"])
        router.open(notification)
        #expect(events.recorded.entries == [.init(.deeplinkOpen, "m1", value: "myapp://test")])
        let url = URL(string: "myapp://test")!
        #expect(await opened.wait(for: 1) == [.init(url: url, payload: notification.payload)])
        #expect(platform.requests.entries.isEmpty)
    }

    @Test("the newest link that the app's policy allows waits for a handler, and is handed over and counted once")
    func beforeTheHandler() async throws {
        let notifications = (1...3).map { Sample.notification("m\($0)", custom: ["deeplink": "myapp://\($0)"]) }
        for notification in notifications { router.open(notification) }
        handle()
        let url = try #require(URL(string: "myapp://3"))
        #expect(await opened.wait(for: 1) == [.init(url: url, payload: notifications[2].payload)])
        handle()
        router.open(Sample.notification("m4", custom: ["deeplink": "myapp://4"]))
        #expect(await opened.wait(for: 2).map(\.url.absoluteString) == ["myapp://3", "myapp://4"])
        #expect(events.recorded.entries.map(\.message) == ["m1", "m2", "m3", "m4"])
        #expect(platform.requests.entries.isEmpty && errors.entries.isEmpty)
    }

    @Test("without a handler web links are shown all the same, and do not wait") func webWithoutHandler() async {
        router.open(Sample.notification("m1", custom: ["link": "https://example.com/"]))
        let url = URL(string: "https://example.com/")!
        #expect(await platform.requests.wait(for: 1) == [.open(url, .inAppBrowser)])
        handle()
        router.open(Sample.notification("m2", custom: ["deeplink": "myapp://test"]))
        #expect(await opened.wait(for: 1).map(\.url.scheme) == ["myapp"])
    }

    @Test("an app that sets neither a policy nor a handler has its own links opened by the system")
    func neitherPolicyNorHandler() async {
        handlers.links.forgetPolicy()
        router.open(Sample.notification("m1", custom: ["deeplink": "own://test"]))
        #expect(await platform.requests.wait(for: 1) == [.open(URL(string: "own://test")!, .system)])
        // It went to the app's delegate: a handler that comes later is not told of it as well.
        handle()
        router.open(Sample.notification("m2", custom: ["deeplink": "own://later"]))
        #expect(await opened.wait(for: 1).map(\.url.absoluteString) == ["own://later"])
    }

    @Test("a link into the app goes before a web link") func both() async {
        handle()
        router.open(Sample.notification("m1", custom: ["deeplink": "myapp://test", "link": "https://example.com"]))
        #expect(events.recorded.entries.map(\.type) == [.deeplinkOpen])
    }

    @Test("a refused link is reported, not recorded, and leaves the other its chance") func refused() async {
        router.open(
            Sample.notification("m1", custom: ["deeplink": "javascript:alert(1)", "link": "https://example.com/"])
        )
        #expect(errors.entries == [.linkRefused(LinkRefusal.scheme.reason)])
        #expect(await events.recorded.wait(for: 1).map(\.type) == [.linkOpen])
    }

    @Test("the report of a refused link does not hold the link") func reportHoldsNoLink() throws {
        router.open(Sample.notification("m1", custom: ["link": "https://evil.test/secret"]))
        let error = try #require(errors.entries.first)
        #expect(error == .linkRefused(LinkRefusal.host.reason))
        #expect(!"\(error) \(error.localizedDescription)".contains("secret"))
        #expect(events.recorded.entries.isEmpty)
    }

    @Test("a web link that nothing opens is reported, and not recorded as opened") func unopened() async throws {
        platform.opens = false
        router.open(Sample.notification("m1", custom: ["link": "https://example.com/"]))
        _ = await platform.requests.wait(for: 1)
        #expect(await errors.wait(for: 1).count == 1)
        #expect(events.recorded.entries.isEmpty)
    }

    @Test("a notification without a link opens nothing") func none() {
        router.open(Sample.notification("m1", custom: ["link": 7, "deeplink": ""]))
        #expect(events.recorded.entries.isEmpty)
    }

    @Test("a link that the system hands over reaches the app, and is not counted") func system() async {
        handle()
        #expect(router.open(SystemLink(URL(string: "myapp://test/1")!)))
        #expect(await opened.wait(for: 1) == [.init(url: URL(string: "myapp://test/1")!, payload: nil)])
        #expect(events.recorded.entries.isEmpty)
    }

    @Test("a link names the scene that it came to, also where the app's policy or its handler is set later")
    func scenes() async throws {
        router.open(Sample.notification("m1", custom: ["deeplink": "myapp://1"]), in: "window 1")
        handle()
        router.open(Sample.notification("m2", custom: ["deeplink": "myapp://2"]))
        #expect(router.open(SystemLink(URL(string: "myapp://3")!, in: "window 2")))
        #expect(await opened.wait(for: 3).map(\.sceneID) == ["window 1", nil, "window 2"])
    }

    @Test("a page of the app's own site that comes as a universal link reaches the app, and opens no browser")
    func universal() async throws {
        handle()
        let url = try #require(URL(string: "https://example.com/shop"))
        var link = SystemLink(url, in: "window 1")
        #expect(!router.open(link))
        link.isUnsorted = true
        #expect(router.open(link))
        #expect(await opened.wait(for: 1) == [.init(url: url, payload: nil, sceneID: "window 1")])
        #expect(platform.requests.entries.isEmpty && errors.entries.isEmpty)
    }

    @Test("links of others that come the same way are left to the app, and are no error")
    func unsorted() throws {
        handle()
        for text in ["https://other.example/", "login://done", "https://example.com.evil.test/"] {
            var link = SystemLink(try #require(URL(string: text)))
            link.isUnsorted = true
            #expect(!router.open(link))
        }
        #expect(errors.entries.isEmpty && opened.entries.isEmpty)
    }

    @Test("a link that the system hands over and no rule allows is reported and not taken") func systemRefused() {
        handle()
        #expect(!router.open(SystemLink(URL(string: "other://x")!)))
        #expect(errors.entries == [.linkRefused(LinkRefusal.scheme.reason)])
    }

    @Test("without a handler the app keeps its links") func systemWithoutHandler() {
        #expect(!router.open(SystemLink(URL(string: "myapp://test")!)))
        #expect(errors.entries.isEmpty)
    }
}
