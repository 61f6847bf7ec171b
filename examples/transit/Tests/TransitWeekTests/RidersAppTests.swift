import Foundation
import MartletPhone
import RidersApp
import Synchronization
import Testing

/// The riders' app on a virtual phone.
@MainActor
@Suite struct RidersAppTests {
    private final class Tokens: Sendable {
        private let tokens = Mutex<[String]>([])
        var all: [String] { tokens.withLock { $0 } }
        func add(_ token: String) { tokens.withLock { $0.append(token) } }

        /// Returns when as many have come, or after ten seconds.
        func reach(_ count: Int) async {
            let deadline = ContinuousClock.now + .seconds(10)
            while all.count < count, ContinuousClock.now < deadline { await Task.yield() }
        }
    }

    /// No way to APNs.
    private struct BrokenLink: APNsLink {
        struct Refusal: Error {}

        func newToken(topic: String, environment: PhoneEnvironment) async throws -> Data { throw Refusal() }
        func giveUp(_ token: Data) async {}
        func pushes(for token: Data, after taken: Int) async throws -> PushPage { throw Refusal() }
    }

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "riders-app-\(UUID().uuidString)"
    )

    private func phone() -> (RidersApp, Phone, Tokens) {
        let tokens = Tokens()
        let app = RidersApp(bundleID: "com.sydneytransit.app") { tokens.add($0) }
        let phone = Phone(PhoneSettings(folder: folder), app: app.installed)
        return (app, phone, tokens)
    }

    private func alert(_ id: String = "a-1") -> Push {
        Push(
            #"{"aps":{"alert":{"title":"Service Alert","body":"Delays"},"sound":"default","badge":1},"alert_id":"\#(id)"}"#,
            collapseID: "alert-\(id)"
        )
    }

    private func isShown(_ phone: Phone) async -> Bool {
        await phone.journal.first(within: 10) { if case .shown = $0 { true } else { false } } != nil
    }

    @Test("it asks at the first launch, and not at the second; the token reaches the backend at each")
    func permission() async {
        let (_, phone, tokens) = phone()
        await phone.launch()
        await tokens.reach(1)
        await phone.kill()
        await phone.launch()
        await tokens.reach(2)
        #expect(phone.journal.events.count { $0 == .asked } == 1)
        #expect(Set(tokens.all).count == 1 && tokens.all.count == 2 && tokens.all.first?.count == 64)
        #expect(phone.journal.faults.isEmpty)
    }

    @Test("a rider who says no gets no token")
    func denied() async {
        let (_, phone, tokens) = phone()
        phone.answerPrompt(allowing: false)
        await phone.launch()
        await phone.journal.first(within: 10) { $0 == .answered(allows: false) }
        // An app that asked for a token would have it within moments, permission or not.
        let token = await phone.journal.first(within: 1) { if case .token = $0 { true } else { false } }
        #expect(token == nil)
        #expect(tokens.all.isEmpty && phone.token == nil)
    }

    @Test("a registration with APNs that fails is in the app's log")
    func failed() async {
        let tokens = Tokens()
        let app = RidersApp(bundleID: "com.sydneytransit.app") { tokens.add($0) }
        let phone = Phone(PhoneSettings(folder: folder), app: app.installed, link: BrokenLink())
        await phone.launch()
        let deadline = ContinuousClock.now + .seconds(10)
        while app.failures.isEmpty, ContinuousClock.now < deadline { await Task.yield() }
        #expect(app.failures.first?.hasPrefix("APNs registration failed: ") == true && tokens.all.isEmpty)
    }

    @Test("a backend that does not answer is tried again, and then there is no answer")
    func unreachable() async throws {
        let nobody = try #require(URL(string: "http://127.0.0.1:1"))
        let registration = DeviceRegistration(server: nobody, userToken: "x.y.z", attempts: 3, pause: .zero)
        #expect(await registration.register("ab") == nil)
    }

    @Test("in front an alert shows as a banner")
    func banner() async {
        let (app, phone, _) = phone()
        await phone.launch()
        await phone.receive(alert())
        #expect(await isShown(phone))
        #expect(app.banners == 1 && phone.notifications.map(\.body) == ["Delays"])
    }

    @Test(
        "a tap opens the alert: in front, in the background, and from a killed app",
        arguments: ["front", "home", "killed"]
    )
    func tap(state: String) async throws {
        let (app, phone, _) = phone()
        await phone.launch()
        if state != "front" { await phone.goHome() }
        if state == "killed" { await phone.kill() }
        await phone.receive(alert("a-7"))
        try await phone.tap("alert-a-7")
        #expect(app.opened == [.init(alert: "a-7", isColdStart: state == "killed")])
        #expect(phone.state == .foreground && phone.notifications.isEmpty && phone.journal.faults.isEmpty)
    }

    @Test("an update takes the place of the alert, and its end takes it away, also where the app was killed")
    func removal() async {
        let (app, phone, _) = phone()
        await phone.launch()
        await phone.goHome()
        for id in ["a-1", "a-1", "a-2"] { await phone.receive(alert(id)) }
        #expect(phone.notifications.map(\.id) == ["alert-a-1", "alert-a-2"])
        await phone.kill()
        await phone.receive(
            Push(
                #"{"aps":{"content-available":1},"alert_id":"a-1","alert_action":"remove","notification_id":"alert-a-1"}"#
            )
        )
        #expect(phone.notifications.map(\.id) == ["alert-a-2"] && app.removals == 1)
    }

    @Test("where the rider swiped the app away, the system does not start it, and the alert stays")
    func swipedAway() async {
        let (app, phone, _) = phone()
        await phone.launch()
        await phone.swipeAway()
        await phone.receive(alert())
        await phone.receive(
            Push(
                #"{"aps":{"content-available":1},"alert_id":"a-1","alert_action":"remove","notification_id":"alert-a-1"}"#
            )
        )
        #expect(phone.notifications.count == 1 && app.removals == 0)
    }
}
