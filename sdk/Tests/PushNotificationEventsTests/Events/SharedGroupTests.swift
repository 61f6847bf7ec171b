import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("Two apps of one app group", .timeLimit(.minutes(1))) final class SharedGroupTests {
    /// An app on the device, with what only it can read.
    private struct App: Sendable {
        var bundleID: String
        var player: String
        /// What its configuration names, where the server has several apps.
        var name: String?
        let storage = MemoryStore()
    }

    private let container = Sample.folder()
    private let clock = ManualClock(now: Sample.noon)

    deinit { try? FileManager.default.removeItem(at: container) }

    private func apps(named: Bool = false) -> (App, App) {
        (
            App(bundleID: "com.example.one", player: "player-1", name: named ? "one" : nil),
            App(bundleID: "com.example.two", player: "player-2", name: named ? "two" : nil)
        )
    }

    /// A process of an app. Its server takes no events, so that they stay where they are looked for.
    private func client(_ app: App) throws -> PushClient {
        let server = ScriptedTransport { call, _ in
            if call.url.path.hasSuffix("/events") { return .failure(.unreachable("offline")) }
            if call.method == "DELETE" { return .success(HTTPAnswer(status: 204)) }
            return .success(.registered(by: call, secret: "secret of \(app.bundleID)"))
        }
        var environment = PushEnvironment(
            platform: RecordingPlatform(status: .authorized),
            transport: server,
            storage: app.storage,
            clock: clock
        )
        environment.container = { [container] _ in container }
        environment.bundleID = app.bundleID
        let url = try #require(URL(string: "https://api.example.com"))
        var configuration = try SDKConfiguration(apiURL: url, apiKey: "client-key", playerAccountId: app.player)
        configuration.app = app.name
        configuration.appGroup = "group.example"
        return PushClient(configuration, in: environment)
    }

    /// The app is started, registers the device, and is in front.
    private func launch(_ app: App) async throws -> PushClient {
        let client = try client(app)
        _ = try await client.register(DeviceTokenText(Data([0xA1])))
        client.events.didBecomeActive()
        return client
    }

    private func spool(of app: App) -> EventSpool { EventSpool(container: container, app: app.bundleID) }

    /// What an app's service extension does when a notification arrives.
    private func extensionSees(_ message: String, of app: App) throws {
        let notification = Sample.notification(message, identifier: message)
        try spool(of: app).write(PushEvent.delivery(of: notification, at: clock.now, in: spool(of: app).context()))
    }

    private func deliveries(_ app: App) -> [PushEvent] {
        EventStore(app.storage).peek(100).filter { $0.type == .delivery }
    }

    @Test("each brings in what its own extension saw, whichever was in front last", arguments: [false, true])
    func eachItsOwn(isNamed: Bool) async throws {
        let (one, two) = apps(named: isNamed)
        let first = try await launch(one)
        let second = try await launch(two)
        try extensionSees("m1", of: one)
        try extensionSees("m2", of: two)
        first.events.didBecomeActive()
        second.events.didBecomeActive()
        for (app, client, message) in [(one, first, "m1"), (two, second, "m2")] {
            let seen = deliveries(app)
            #expect(seen.map(\.message.messageID) == [message])
            #expect(seen.map(\.context.userID) == [app.player])
            #expect(try seen.map(\.context.installationID) == [client.context.identity.installationID().description])
        }
    }

    @Test("each extension knows the installation, the user and the secret of its own app") func access() async throws {
        let (one, two) = apps()
        let first = try await launch(one)
        let second = try await launch(two)
        for (app, client) in [(one, first), (two, second)] {
            #expect(spool(of: app).access()?.installationSecret == "secret of \(app.bundleID)")
            #expect(spool(of: app).context().userID == app.player)
            let id = try client.context.identity.installationID().description
            #expect(spool(of: app).context().installationID == id)
        }
    }

    @Test("the one that forgets the device, or has no consent, takes nothing of the other's", arguments: [true, false])
    func ends(isForgotten: Bool) async throws {
        let (one, two) = apps()
        let first = try await launch(one)
        let second = try await launch(two)
        try extensionSees("m1", of: one)
        try extensionSees("m2", of: two)
        SharedBadge(container, app: one.bundleID).set(3)
        if isForgotten {
            await withCheckedContinuation { continuation in second.forgetDevice { _ in continuation.resume() } }
        } else {
            second.isTrackingEnabled = false
        }
        #expect(spool(of: two).access() == nil)
        #expect(spool(of: one).access()?.installationSecret == "secret of com.example.one")
        #expect(SharedBadge(container, app: one.bundleID).countUp() == 4)
        first.events.didBecomeActive()
        second.events.didBecomeActive()
        #expect(deliveries(one).map(\.message.messageID) == ["m1"])
        #expect(deliveries(two).isEmpty)
    }

    @Test("what an earlier version left of a device goes when it is forgotten, though another app was there last")
    func earlierVersionOfBoth() async throws {
        let (one, two) = apps()
        let first = try await launch(one)
        let second = try await launch(two)
        let contexts = (spool(of: one).context(), spool(of: two).context())
        first.close()
        second.close()
        try FileManager.default.removeItem(at: container)
        try Sample.earlierSpool(in: container) { earlier in
            try earlier.write(PushEvent.delivery(of: Sample.notification("m1"), at: clock.now, in: contexts.0))
            try earlier.write(PushEvent.delivery(of: Sample.notification("m2"), at: clock.now, in: contexts.1))
            try earlier.write(contexts.1)
        }
        let folder = container.appendingPathComponent("martlet-events")
        func left() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".event") }.count
        }
        let next = try client(one)
        next.events.didBecomeActive()
        #expect(try left() == 2)
        next.forgetDevice()
        #expect(try left() == 1)
        next.close()
        // Nobody can say whose the rest is: it goes with the context of the app that was there last.
        let last = try client(two)
        last.events.didBecomeActive()
        #expect(try left() == 0)
        #expect(deliveries(one).isEmpty && deliveries(two).isEmpty)
        last.close()
    }

    @Test(
        "what an earlier version left comes in with the next launch, and goes where the device is forgotten first",
        arguments: [false, true]
    )
    func earlierVersion(isForgotten: Bool) async throws {
        let (app, _) = apps()
        let before = try await launch(app)
        before.close()
        let context = spool(of: app).context()
        try FileManager.default.removeItem(at: container)
        try Sample.earlierSpool(in: container) { earlier in
            try earlier.write(context)
            let server = before.context.configuration.server
            try earlier.write(ExtensionAccess(server: server, installationSecret: "secret"))
            try earlier.write(PushEvent.delivery(of: Sample.notification("m1"), at: clock.now, in: context))
        }
        let next = try client(app)
        if isForgotten { next.forgetDevice() } else { next.events.didBecomeActive() }
        #expect(deliveries(app).map(\.message.messageID) == (isForgotten ? [] : ["m1"]))
        let folder = container.appendingPathComponent("martlet-events")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [app.bundleID])
        if isForgotten { #expect(spool(of: app).context() == EventContext() && spool(of: app).access() == nil) }
        next.close()
    }
}
