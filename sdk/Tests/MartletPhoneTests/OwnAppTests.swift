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

/// Apps as developers write them: they call the static interface, and forward nothing.
@Suite("An app of a developer's own", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct OwnAppTests {
    let disk = Disk()
    let backend = Backend()

    private func phone(
        scenes: (@MainActor @Sendable (AppProcess) -> any UISceneDelegate)? = nil,
        _ make: @escaping @MainActor @Sendable (AppProcess) -> any UIApplicationDelegate
    ) throws -> Phone {
        let host = try #require(URL(string: "http://127.0.0.1:9"))
        var setup = SDKApp.Setup(bundleID: "com.example.game", configuration: try .game())
        setup.hasScenes = scenes != nil
        setup.makeDelegate = make
        setup.makeSceneDelegate = scenes
        setup.transport = backend
        return Phone(
            PhoneSettings(folder: disk.folder),
            app: SDKApp(setup).installed,
            network: PhoneNetwork(hosts: ["api.example.com": host])
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
        #expect(phone.notifications.map(\.title) == ["Title m1"])
        try await phone.tap("m1")
        await upload(.open, 1)
        #expect(backend.count(.open, "m1") == 1)
        #expect(phone.journal.faults.isEmpty)
        await phone.kill()
    }

    @Test("one flag switches it off: the app forwards, or has no token")
    func switchedOff() async throws {
        let game = GameApp { $0.automaticForwarding = false }
        let phone = try phone { GameAppDelegate(game, in: $0) }
        await phone.launch()
        await phone.journal.first { if case .token = $0 { true } else { false } }
        await phone.receive(push("m1"))
        #expect(backend.registrations.entries.isEmpty)
        #expect(game.calls.entries.first == "launch")
        await phone.kill()
    }

    @Test(
        "an app that casts its delegate in a scene, and whose delegate is the center's too, is told all and misses nothing"
    )
    func cast() async throws {
        let game = GameApp(isCentersDelegate: true)
        let phone = try phone(scenes: { GameSceneDelegate(game, in: $0) }, { GameAppDelegate(game, in: $0) })
        await phone.launch()
        _ = await backend.registrations.wait(for: 1)
        await phone.receive(push("m1"))
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
        #expect(phone.notifications.map(\.title) == ["Title m1"])
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
    let isCentersDelegate: Bool
    let configuresInLaunch: Bool
    let change: (inout SDKConfiguration) -> Void

    init(
        isCentersDelegate: Bool = false,
        configuresInLaunch: Bool = true,
        change: @escaping (inout SDKConfiguration) -> Void = { _ in }
    ) {
        self.isCentersDelegate = isCentersDelegate
        self.configuresInLaunch = configuresInLaunch
        self.change = change
    }

    func configure() {
        PushNotificationSDK.onNotificationReceived = { [received] in received.add($0.messageID ?? "-") }
        PushNotificationSDK.onNotificationOpened = { [opened] in opened.add($0.messageID ?? "-") }
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
        completionHandler([])
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
