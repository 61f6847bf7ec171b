import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("Refreshing", .timeLimit(.minutes(1))) struct RefreshTests {
    private let platform = RecordingPlatform()
    private let storage = MemoryStore()
    private let clock = ManualClock()
    private let handlers = Handlers()
    private let requests = Journal<RefreshRequest>()

    private var environment: PushEnvironment {
        let transport = ScriptedTransport(.failure(.timedOut))
        return PushEnvironment(platform: platform, transport: transport, storage: storage, clock: clock)
    }

    private func launch(in zone: TimeZone? = nil) throws -> RefreshRouter {
        var environment = environment
        if let zone { environment.timeZone = { zone } }
        let context = ClientContext(
            configuration: try SDKConfiguration(apiURL: URL(string: "https://api.example.com")!, apiKey: "client-key"),
            environment: environment,
            identity: Identity(storage: storage, clock: clock),
            handlers: handlers,
            report: { _ in },
            log: Log(level: { .off }, sink: { _, _ in })
        )
        handlers.refresh.handler = { [requests] in requests.add($0) }
        return RefreshRouter(context)
    }

    private func notification(
        _ message: String = "m1",
        device: String = "cam-1",
        date: String = "2026-03-01"
    ) -> ReceivedNotification {
        Sample.notification(message, custom: ["action": "refresh_dashboard", "device_id": device, "date": date])
    }

    @Test("the process's notification RefreshDashboard is posted beside the handler, with the device and the day")
    func processNotification() async throws {
        let heard = Journal<[String: String]>()
        let token = NotificationCenter.default.addObserver(forName: .refreshDashboard, object: nil, queue: nil) {
            let info = $0.userInfo as? [String: String] ?? [:]
            if info["device_id"] == "posted-cam" { heard.add(info) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        clock.set(Self.milliseconds("2026-03-02T12:00:00Z"))
        let router = try launch(in: TimeZone(identifier: "UTC"))
        handlers.refresh.handler = nil
        router.received(notification(device: "posted-cam"), in: .active)
        #expect(
            await heard.wait(for: 1) == [
                [
                    "action": "refresh_dashboard", "device_id": "posted-cam", "date": "2026-03-01",
                    "cache_key": "posted-cam_2026-03-02",
                ]
            ]
        )
        #expect(Notification.Name.refreshDashboard.rawValue == "RefreshDashboard")
    }

    @Test("a tap with only a device and a date reloads where the app says so, and nowhere else")
    func tapWithoutAction() async throws {
        let router = try launch()
        platform.application = .active
        let tapped = Sample.notification("t1", custom: ["device_id": "cam-1", "date": "2026-03-01"])
        router.tapped(tapped)
        handlers.refresh.isActionOptional = true
        router.received(Sample.notification("t2", custom: ["device_id": "cam-2", "date": "2026-03-01"]), in: .active)
        router.tapped(Sample.notification("t3", custom: ["device_id": "cam-3", "date": "2026-03-01"]))
        #expect(await requests.wait(for: 1).map(\.deviceID) == ["cam-3"])
        #expect(requests.entries.first?.action == "")
    }

    private static func milliseconds(_ text: String) -> Int64 {
        let format = ISO8601DateFormatter()
        return Int64((format.date(from: text)?.timeIntervalSince1970 ?? 0) * 1000)
    }

    @Test(
        "the day is the observed device's, a minute before midnight there and a minute after",
        arguments: [
            ("2026-03-01T23:59:00+09:00", "Asia/Tokyo", "2026-03-01"),
            ("2026-03-02T00:01:00+09:00", "Asia/Tokyo", "2026-03-02"),
            ("2026-03-01T23:59:00-08:00", "America/Los_Angeles", "2026-03-01"),
            ("2026-03-02T00:01:00-08:00", "America/Los_Angeles", "2026-03-02"),
            // The same moments, seen from the other side of the ocean.
            ("2026-03-01T23:59:00+09:00", "America/Los_Angeles", "2026-03-01"),
            ("2026-03-02T00:01:00+09:00", "America/Los_Angeles", "2026-03-01"),
            ("2026-03-01T23:59:00-08:00", "Asia/Tokyo", "2026-03-02"),
            ("2026-03-02T00:01:00-08:00", "Asia/Tokyo", "2026-03-02"),
            // The night in which clocks go forward, a leap day, and the end of a year whose last week is the next one's.
            ("2026-03-08T23:59:00-07:00", "America/Los_Angeles", "2026-03-08"),
            ("2028-02-29T23:59:00+09:00", "Asia/Tokyo", "2028-02-29"),
            ("2025-12-31T23:59:00+09:00", "Asia/Tokyo", "2025-12-31"),
            ("2026-01-01T00:01:00+09:00", "Asia/Tokyo", "2026-01-01"),
        ]
    )
    func day(moment: String, zone: String, day: String) throws {
        #expect(ObservedDay.text(of: Self.milliseconds(moment), in: try #require(TimeZone(identifier: zone))) == day)
    }

    @Test(
        "the cached day to drop is named by the observed device and its day, not the phone's",
        arguments: [
            ("2026-03-01T23:59:00+09:00", "cam-1_2026-03-01", "cam-2_2026-03-01"),
            ("2026-03-02T00:01:00+09:00", "cam-1_2026-03-02", "cam-2_2026-03-01"),
            ("2026-03-01T23:59:00-08:00", "cam-1_2026-03-02", "cam-2_2026-03-01"),
            ("2026-03-02T00:01:00-08:00", "cam-1_2026-03-02", "cam-2_2026-03-02"),
        ]
    )
    func cacheKeys(moment: String, tokyo: String, losAngeles: String) async throws {
        clock.set(Self.milliseconds(moment))
        let zones = ["cam-1": TimeZone(identifier: "Asia/Tokyo"), "cam-2": TimeZone(identifier: "America/Los_Angeles")]
        handlers.refresh.zone = { zones[$0] ?? nil }
        let router = try launch()
        router.received(notification("m1", device: "cam-1"), in: .active)
        router.received(notification("m2", device: "cam-2"), in: .active)
        #expect(await requests.wait(for: 2).map(\.cacheKey) == [tokyo, losAngeles])
    }

    @Test("without an answer for the observed device it is the phone's day", arguments: [false, true])
    func phonesZone(isAsked: Bool) async throws {
        // 23:59 on 1 March in Los Angeles, and a day later in London and Tokyo.
        clock.set(Self.milliseconds("2026-03-01T23:59:00-08:00"))
        if isAsked { handlers.refresh.zone = { $0 == "cam-2" ? TimeZone(identifier: "Asia/Tokyo") : nil } }
        let router = try launch(in: TimeZone(identifier: "America/Los_Angeles"))
        router.received(notification("m1"), in: .active)
        #expect(await requests.wait(for: 1).map(\.cacheKey) == ["cam-1_2026-03-01"])
    }

    @Test("in front the handler is called at once, on the main thread") func active() async throws {
        let isMain = Journal<Bool>()
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let router = try launch()
        handlers.refresh.zone = { _ in
            isMain.add(DispatchQueue.getSpecific(key: key) ?? false)
            return TimeZone(identifier: "Asia/Tokyo")
        }
        router.received(notification(date: "2026-02-28"), in: .active)
        let request = try #require(await requests.wait(for: 1).first)
        #expect(request.action == "refresh_dashboard")
        #expect(request.deviceID == "cam-1")
        #expect(request.date == "2026-02-28")
        #expect(request.today == "2026-03-01")
        // For the handler, and for the process's notification.
        #expect(Set(isMain.entries) == [true])
    }

    @Test(
        "in the background nothing is reloaded; the next time in front it is, once",
        arguments: [
            ApplicationState.background, .inactive,
        ]
    )
    func background(state: ApplicationState) async throws {
        platform.application = state
        let router = try launch()
        router.received(notification("m1", date: "2026-02-28"), in: state)
        router.received(notification("m2"), in: state)
        router.received(notification("m3", device: "cam-2"), in: state)
        #expect(requests.entries.isEmpty)
        router.didBecomeActive()
        #expect(await requests.wait(for: 2).map(\.deviceID) == ["cam-1", "cam-2"])
        #expect(requests.entries.first?.date == "2026-03-01")
        router.didBecomeActive()
        router.received(notification("m4", device: "end"), in: .active)
        #expect(await requests.wait(for: 3).map(\.deviceID) == ["cam-1", "cam-2", "end"])
    }

    @Test(
        "a tap reloads once, whether the system tells of it before the app is in front, after, or in between",
        arguments: TapOrder.allCases
    )
    func tapped(order: TapOrder) async throws {
        handlers.refresh.handler = { [requests] in requests.add($0) }
        let configuration = try SDKConfiguration(
            apiURL: URL(string: "https://api.example.com")!,
            apiKey: "client-key"
        )
        let client = PushClient(configuration, in: environment, handlers: handlers)
        platform.application = .inactive
        if order == .before { client.didReceive(.init(notification("m1"), .tap)) }
        platform.application = .active
        // UIKit says that the app is active before it tells the observers.
        if order == .between { client.didReceive(.init(notification("m1"), .tap)) }
        client.didBecomeActive()
        if order == .after { client.didReceive(.init(notification("m1"), .tap)) }
        #expect(await requests.wait(for: 1).map(\.deviceID) == ["cam-1"])
        client.didBecomeActive()
        client.willPresent(notification("m2", device: "end")) { _ in }
        #expect(await requests.wait(for: 2).map(\.deviceID) == ["cam-1", "end"])
    }

    @Test("a push that the app hands over twice in front reloads once") func handedOverTwice() async throws {
        handlers.refresh.handler = { [requests] in requests.add($0) }
        let configuration = try SDKConfiguration(
            apiURL: URL(string: "https://api.example.com")!,
            apiKey: "client-key"
        )
        let client = PushClient(configuration, in: environment, handlers: handlers)
        for _ in 0..<2 { client.willPresent(notification("m1")) { _ in } }
        client.willPresent(notification("m2", device: "end")) { _ in }
        #expect(await requests.wait(for: 2).map(\.deviceID) == ["cam-1", "end"])
    }

    /// When the system tells of a tap.
    enum TapOrder: CaseIterable { case before, between, after }

    @Test("a wish outlives the process") func killed() async throws {
        try launch().received(notification(), in: .background)
        try launch().didBecomeActive()
        #expect(await requests.wait(for: 1).map(\.deviceID) == ["cam-1"])
    }

    @Test("what the system only showed is found in the notification center, once") func delivered() async throws {
        platform.delivered = [notification("m1"), notification("m2"), notification("m3", device: "cam-2")]
        let router = try launch()
        router.didBecomeActive()
        #expect(await requests.wait(for: 2).map(\.deviceID) == ["cam-1", "cam-2"])
        try launch().didBecomeActive()
        router.received(notification("m4", device: "end"), in: .active)
        #expect(await requests.wait(for: 3).map(\.deviceID) == ["cam-1", "cam-2", "end"])
    }

    @Test("a second push of one message id, which the system only showed, is found as well, once")
    func repeatedID() async throws {
        var push = notification("m1")
        push.date = 1
        let router = try launch()
        router.received(push, in: .active)
        platform.delivered = [push]
        push.date = 2
        platform.delivered.append(push)
        router.didBecomeActive()
        #expect(await requests.wait(for: 2).map(\.deviceID) == ["cam-1", "cam-1"])
        try launch().didBecomeActive()
        router.received(notification("m2", device: "end"), in: .active)
        #expect(await requests.wait(for: 3).map(\.deviceID) == ["cam-1", "cam-1", "end"])
    }

    private func foreign(_ identifier: String, device: String, date: Int64? = nil, isRemote: Bool = true)
        -> ReceivedNotification
    {
        let custom = ["action": "refresh_dashboard", "device_id": device, "date": "2026-03-01"]
        var notification = Sample.notification(nil, identifier: identifier, custom: custom)
        notification.date = date
        notification.isRemote = isRemote
        return notification
    }

    @Test("a push that was not sent through Martlet, and so has no message id, is found there too, once")
    func deliveredWithoutMessageID() async throws {
        platform.delivered = [foreign("r1", device: "cam-1", date: 1)]
        let router = try launch()
        router.didBecomeActive()
        #expect(await requests.wait(for: 1).map(\.deviceID) == ["cam-1"])
        // One that came while the app was in front, and one of the same collapse id as the first.
        router.received(foreign("r2", device: "cam-2", date: 2), in: .active)
        platform.delivered = [foreign("r1", device: "cam-1", date: 3), foreign("r2", device: "cam-2", date: 2)]
        try launch().didBecomeActive()
        #expect(await requests.wait(for: 3).map(\.deviceID) == ["cam-1", "cam-2", "cam-1"])
        platform.delivered.append(foreign("r3", device: "end", date: 4))
        try launch().didBecomeActive()
        #expect(await requests.wait(for: 4).map(\.deviceID) == ["cam-1", "cam-2", "cam-1", "end"])
    }

    @Test("a wish that waited and its notification in the center are one reload; the app's own notification is none")
    func waitedAndDelivered() async throws {
        let router = try launch()
        router.received(foreign("of the call", device: "cam-1"), in: .background)
        platform.delivered = [
            foreign("r1", device: "cam-1", date: 1), foreign("own", device: "cam-2", date: 2, isRemote: false),
            foreign("r3", device: "cam-3", date: 3),
        ]
        router.didBecomeActive()
        #expect(await requests.wait(for: 2).map(\.deviceID) == ["cam-1", "cam-3"])
    }

    @Test(
        "payloads that lack a part, or have another in its place, ask for nothing",
        arguments: [
            ["action": "refresh_dashboard"], ["device_id": "d", "date": "2026-03-01"],
            ["action": "a", "device_id": "d", "date": "today"], ["action": "a", "device_id": "d", "date": "2026-3-1"],
            ["action": "a", "device_id": "", "date": "2026-03-01"],
            ["action": "", "device_id": "d", "date": "2026-03-01"],
            ["action": "a", "device_id": String(repeating: "x", count: 257), "date": "2026-03-01"],
            ["action": "a", "device_id": "d", "date": "２０２６-03-01"],
        ]
    )
    func foreign(custom: [String: String]) {
        #expect(RefreshWish(Sample.notification("m1", custom: custom).payload) == nil)
    }

    @Test("numbers in the place of text ask for nothing") func numbers() {
        let custom: [String: Any] = ["action": 1, "device_id": 2, "date": 3]
        #expect(RefreshWish(Sample.notification("m1", custom: custom).payload) == nil)
    }
}
