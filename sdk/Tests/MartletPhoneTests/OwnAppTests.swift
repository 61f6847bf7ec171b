import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

@testable import IntegrationExample5
@testable import IntegrationExample6
@testable import PushNotificationSDKCore

/// Apps as developers write them: they call the static interface, and forward nothing.
@Suite("An app of a developer's own", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct OwnAppTests {
    let disk = Disk()
    let backend = Backend()

    private func phone(
        scenes: (@MainActor @Sendable (AppProcess) -> any UISceneDelegate)? = nil,
        setUp: (inout SDKApp.Setup) -> Void = { _ in },
        network: PhoneNetwork? = nil,
        _ make: @escaping @MainActor @Sendable (AppProcess) -> any UIApplicationDelegate
    ) throws -> Phone {
        let host = try #require(URL(string: "http://127.0.0.1:9"))
        var setup = SDKApp.Setup(bundleID: "com.example.game", configuration: try .game())
        setup.hasScenes = scenes != nil
        setup.makeDelegate = make
        setup.makeSceneDelegate = scenes
        setup.transport = backend
        setUp(&setup)
        return Phone(
            PhoneSettings(folder: disk.folder),
            app: SDKApp(setup).installed,
            network: network ?? PhoneNetwork(hosts: ["api.example.com": host])
        )
    }

    private func push(_ id: String) -> Push {
        Push(#"{"aps":{"alert":{"title":"Title \#(id)","body":"B"}},"message_id":"\#(id)"}"#, collapseID: id)
    }

    /// Uploads until the server has so many events of a type and the app has heard of it.
    private func upload(_ type: EventType, _ count: Int) async {
        while backend.count(type) < count { await PushNotificationSDK.uploadEvents() }
        await PushNotificationSDK.uploadEvents()
    }

    @Test("the specified integration example receives its token and registers it, as Swift 5")
    func example5() async throws {
        try await registers(IntegrationExample5.AppDelegate.self) { IntegrationExample5.AppDelegate() }
    }

    @Test("the specified integration example receives its token and registers it, as Swift 6")
    func example6() async throws {
        try await registers(IntegrationExample6.AppDelegate.self) { IntegrationExample6.AppDelegate() }
    }

    private func registers<Delegate: UIApplicationDelegate>(
        _ type: Delegate.Type,
        _ make: @escaping @MainActor @Sendable () -> Delegate
    ) async throws {
        let phone = try phone { _ in make() }
        await phone.launch()
        let registration = try #require(await backend.registrations.wait(for: 1).first)
        #expect(registration.token == phone.token?.hexadecimalText)
        #expect(registration.userID.value == "player-12345")
        #expect(phone.application?.delegate is Delegate)
        await phone.receive(push("m1"))
        // Banner and sound: it slides down, and is not listed.
        #expect(phone.journal.events.contains(.shown(id: "m1")) && phone.notifications.isEmpty)
        try await phone.tap("m1")
        await upload(.open, 1)
        #expect(backend.count(.open, "m1") == 1)
        #expect(phone.journal.faults.isEmpty)
        await phone.kill()
    }

    @Test("one flag switches it off: the app forwards, or has no token")
    func switchedOff() async throws {
        let game = GameApp { $0.automaticForwarding = false }
        let phone = try phone { _ in TokenAppDelegate(game) }
        await phone.launch()
        #expect(await game.calls.wait { $0 == "token" } != nil)
        // On the main thread: what came with the token is over.
        let client = try #require(PushNotificationSDK.client)
        #expect(client.forwardedCalls == 0)
        await phone.receive(push("m1"))
        #expect(backend.registrations.entries.isEmpty)
        PushNotificationSDK.didRegister(deviceToken: try #require(phone.token))
        #expect(await backend.registrations.wait(for: 1).count == 1)
        #expect(client.forwardedCalls == 1)
        await phone.kill()
    }

    @Test(
        "a registration that the server never answers, or byte by byte, is an error after 3 s, and goes on behind it",
        arguments: [false, true]
    )
    func silentServer(trickles: Bool) async throws {
        let server = try SilentServer(trickles: trickles)
        defer { server.answer() }
        let clock = ManualClock()
        let game = GameApp()
        let network = PhoneNetwork(hosts: ["api.example.com": server.url])
        let phone = try phone(
            setUp: {
                $0.transport = URLSessionTransport()
                $0.clock = clock
            },
            network: network,
            { GameAppDelegate(game, in: $0) }
        )
        let start = clock.now
        await phone.launch()
        _ = await clock.sleeps.wait { $0 == start + 3000 }
        _ = await server.requests.wait(for: 1)
        clock.set(start + 2999)
        await Task.yield()
        #expect(game.errors.entries.isEmpty)
        clock.set(start + 3000)
        #expect(await game.errors.wait(for: 1) == [.networkError(TransportError.timedOut)])
        server.answer()
        #expect(await phone.journal.first { $0 == .called(path: "/api/v1/tokens", status: 201) } != nil)
        await PushNotificationSDK.client?.registrar.settled()
        #expect(try PushNotificationSDK.client?.context.identity.secret() == "mi_secret")
        #expect(game.errors.entries.count == 1)
        await phone.kill()
    }

    @Test(
        "an app that casts its delegate in a scene, and whose delegate is the center's too, is told all and misses nothing"
    )
    func cast() async throws {
        let game = GameApp(isCentersDelegate: true, presentation: .list)
        let phone = try phone(scenes: { GameSceneDelegate(game, in: $0) }, { GameAppDelegate(game, in: $0) })
        await phone.launch()
        _ = await backend.registrations.wait(for: 1)
        await phone.receive(push("m1"))
        // As the app's own method answers.
        #expect(phone.notifications.map(\.title) == ["Title m1"])
        try await phone.tap("m1")
        // A process that is killed before it hears that its events arrived sends them again.
        await upload(.open, 1)
        await phone.goHome()
        await phone.kill()
        await phone.receive(push("m2"))
        try await phone.tap("m2")
        await upload(.open, 2)
        #expect(backend.count(.open, "m1") == 1 && backend.count(.open, "m2") == 1)
        #expect(
            game.calls.entries == [
                "launch", "scene cast", "present m1", "tap m1", "launch", "scene cast", "tap m2",
            ]
        )
        #expect(game.opened.entries == ["m1", "m2"])
        #expect(Set(game.received.entries) == ["m1", "m2"])
        #expect(phone.journal.faults.isEmpty)
        await phone.kill()
    }

    @Test("a scene that is connected before the SDK is configured keeps the tap that started it")
    func sceneBeforeConfigure() async throws {
        let game = GameApp(configuresInLaunch: false)
        let phone = try phone(scenes: { GameSceneDelegate(game, in: $0) }, { GameAppDelegate(game, in: $0) })
        await phone.launch()
        game.configure()
        _ = await backend.registrations.wait(for: 1)
        await phone.goHome()
        await phone.kill()
        await phone.receive(push("m1"))
        try await phone.tap("m1")
        #expect(game.opened.entries.isEmpty)
        game.configure()
        _ = await game.opened.wait(for: 1)
        await upload(.open, 1)
        #expect(game.opened.entries == ["m1"])
        #expect(backend.count(.open, "m1") == 1)
        await phone.kill()
    }

    @Test(
        "pushes of other vendors are the app's alone: not told, not counted, not routed, and shown as the app says",
        arguments: [
            #"{"aps":{"alert":"x","badge":1},"gcm.message_id":"1699","google.c.a.e":"1","link":"https://other.example"}"#,
            #"{"aps":{"alert":"x"},"custom":{"i":"7d","u":"https://other.example"},"deeplink":"game://other"}"#,
            #"{"aps":{"alert":"x"},"_":"b1","com.urbanairship.metadata":"e30="}"#,
        ]
    )
    func otherVendors(_ payload: String) async throws {
        let game = GameApp(isCentersDelegate: true)
        let phone = try phone { GameAppDelegate(game, in: $0) }
        await phone.launch()
        _ = await backend.registrations.wait(for: 1)
        await phone.receive(Push(payload, collapseID: "other"))
        #expect(phone.notifications.isEmpty)
        await phone.goHome()
        await phone.receive(Push(payload, collapseID: "other"))
        try await phone.tap("other")
        await phone.receive(push("m1"))
        await upload(.tokenRegister, 1)
        await upload(.delivery, 1)
        #expect(Set(backend.events.entries.map(\.type)) == [.tokenRegister, .delivery])
        #expect(backend.count(.delivery) == 1)
        #expect(game.received.entries == ["m1"])
        #expect(game.opened.entries.isEmpty)
        #expect(game.calls.entries == ["launch", "present -", "tap -", "present m1"])
        #expect(phone.journal.events.allSatisfy { if case .opened = $0 { false } else { true } })
        await phone.kill()
    }

    @Test(
        "where the SDK is the center's delegate, a push of another vendor's shows as it would without a delegate: not"
    )
    func otherVendorsWithoutDelegate() async throws {
        let game = GameApp()
        let phone = try phone { GameAppDelegate(game, in: $0) }
        await phone.launch()
        _ = await backend.registrations.wait(for: 1)
        await phone.receive(Push(#"{"aps":{"alert":"x"},"gcm.message_id":"1"}"#, collapseID: "other"))
        #expect(phone.notifications.isEmpty)
        await phone.receive(push("m1"))
        #expect(phone.journal.events.contains(.shown(id: "m1")))
        await phone.kill()
    }
}

extension SDKConfiguration {
    fileprivate static func game() throws -> SDKConfiguration {
        try SDKConfiguration(
            apiURL: try #require(URL(string: "https://api.example.com")),
            apiKey: "client-key-1234",
            playerAccountId: "player-1"
        )
    }
}

/// What a game's developer wrote, and what happened in it.
@MainActor
private final class GameApp {
    nonisolated let calls = Journal<String>()
    nonisolated let received = Journal<String>()
    nonisolated let opened = Journal<String>()
    nonisolated let errors = Journal<PushNotificationError>()
    let isCentersDelegate: Bool
    /// What its own method answers to a notification in front.
    nonisolated let presentation: UNNotificationPresentationOptions
    let configuresInLaunch: Bool
    let change: (inout SDKConfiguration) -> Void

    init(
        isCentersDelegate: Bool = false,
        presentation: UNNotificationPresentationOptions = [],
        configuresInLaunch: Bool = true,
        change: @escaping (inout SDKConfiguration) -> Void = { _ in }
    ) {
        self.isCentersDelegate = isCentersDelegate
        self.presentation = presentation
        self.configuresInLaunch = configuresInLaunch
        self.change = change
    }

    func configure() {
        PushNotificationSDK.onNotificationReceived = { [received] in received.add($0.messageID ?? "-") }
        PushNotificationSDK.onNotificationOpened = { [opened] in opened.add($0.messageID ?? "-") }
        PushNotificationSDK.onError = { [errors] in errors.add($0) }
        do {
            var configuration = try SDKConfiguration.game()
            change(&configuration)
            try PushNotificationSDK.configure(configuration)
        } catch {
            Issue.record(error)
        }
        PushNotificationSDK.requestNotificationPermission { _ in }
    }
}

/// The game's own delegate, which knows nothing of the SDK's calls.
private final class GameAppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    let game: GameApp
    private let process: AppProcess

    init(_ game: GameApp, in process: AppProcess) {
        self.game = game
        self.process = process
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        game.calls.add("launch")
        if game.configuresInLaunch { game.configure() }
        // After the SDK was configured: the delegate is another one than the SDK found.
        if game.isCentersDelegate { process.center.delegate = self }
        return true
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        game.calls.add("present \(notification.request.content.userInfo["message_id"] ?? "-")")
        completionHandler(game.presentation)
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        game.calls.add("tap \(response.notification.request.content.userInfo["message_id"] ?? "-")")
        completionHandler()
    }
}

/// A delegate with a method of its own for the token, which hands nothing on.
private final class TokenAppDelegate: UIResponder, UIApplicationDelegate {
    private let game: GameApp

    init(_ game: GameApp) {
        self.game = game
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        game.configure()
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        game.calls.add("token")
    }
}

/// A server on the loopback that takes registrations once it is let, and until then says nothing, or the half byte by
/// byte.
private final class SilentServer: Sendable {
    let requests = Journal<Void>()
    private let gate = DispatchSemaphore(value: 0)
    private let listener: LoopbackListener

    var url: URL { listener.url("/") }

    init(trickles: Bool) throws {
        listener = try LoopbackListener { [requests, gate] connection in
            let parts = connection.request().components(separatedBy: "\r\n\r\n")
            let call = HTTPCall("POST", URL(fileURLWithPath: "/"), body: parts.last.map { Data($0.utf8) }, timeout: 1)
            let body = HTTPAnswer.registered(by: call).body
            let head = "HTTP/1.1 201 Created\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
            let bytes = (Data(head.utf8) + body).map { Data([$0]) }
            let early = trickles ? bytes.count / 2 : 0
            for byte in bytes.prefix(early) { connection.send(byte) }
            requests.add(())
            gate.wait()
            gate.signal()
            for byte in bytes.dropFirst(early) { connection.send(byte) }
        }
    }

    func answer() { gate.signal() }
}

/// A scene that reaches for the app's delegate as apps do.
private final class GameSceneDelegate: UIResponder, UIWindowSceneDelegate {
    private let game: GameApp
    private let process: AppProcess

    init(_ game: GameApp, in process: AppProcess) {
        self.game = game
        self.process = process
        super.init()
    }

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        _ = process.application.delegate as! GameAppDelegate  // what apps write; it traps where the type is another one
        game.calls.add("scene cast")
        PushNotificationSDK.willConnect(with: connectionOptions)
    }
}
