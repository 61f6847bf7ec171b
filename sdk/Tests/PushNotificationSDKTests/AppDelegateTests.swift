import Foundation
import MartletWire
import PushNotificationSDKApple
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

/// The methods that an app's own delegates are given, on phones of their own.
@MainActor @Suite(.timeLimit(.minutes(1))) struct AppDelegateTests {
    let phone = FacadePhone()
    let client: PushClient
    let errors = Journal<PushNotificationError>()
    let proxy: PushNotificationAppDelegate
    let app = GameDelegate()
    let alerts = AlertDelegate()

    init() throws {
        let handlers = Handlers()
        handlers.errors.handler = { [errors] in errors.add($0) }
        let client = PushClient(try .valid(), in: phone.environment, handlers: handlers)
        self.client = client
        proxy = PushNotificationAppDelegate(client: { [weak client] in client })
        phone.application.delegate = app
        phone.center.delegate = alerts
        proxy.install(over: phone.application, phone.center)
    }

    @Test("the token goes to the SDK and to the app's own delegate")
    func tokens() async throws {
        phone.application.receiveToken(Data([1, 2]))
        _ = await phone.transport.calls.wait(for: 1)
        #expect(phone.transport.calls.entries.first?.registration?.token == "0102")
        phone.application.receiveFailure(TransportError.failed("no entitlement"))
        #expect(await errors.wait(for: 1).count == 1)
        #expect(app.calls.entries == ["token 2", "failure"])
    }

    @Test("a push in front goes to both, and is shown as the app's own delegate answers")
    func pushesInFront() async throws {
        #expect(await phone.center.arrive(ContractPush.text) == .badge)
        #expect(alerts.calls.entries == ["present"])
        #expect(phone.events.recorded.entries == [.init(.delivery, "m1")])
    }

    @Test("the app's own answer gives way to a presentation that is set, by the policy or in the configuration")
    func setPresentation() async throws {
        client.presentationPolicy = .always([.banner, .list])
        #expect(await phone.center.arrive(ContractPush.text) == [.banner, .list])
        #expect(await phone.center.arrive(#"{"aps":{"alert":"x"},"gcm.message_id":"1"}"#) == .badge)
        client.presentationPolicy = nil
        #expect(await phone.center.arrive(ContractPush.text) == .badge)

        let other = FacadePhone()
        var configuration = try SDKConfiguration.valid()
        configuration.presentation = []
        let configured = PushClient(configuration, in: other.environment)
        other.center.delegate = alerts
        PushNotificationAppDelegate(client: { configured }).install(over: other.application, other.center)
        #expect(await other.center.arrive(ContractPush.text) == [])
        #expect(alerts.calls.entries.count == 4)
    }

    @Test("of what is not the SDK's, the app's own delegate says how it is shown")
    func foreignNotifications() async throws {
        #expect(await phone.center.arrive(#"{"aps":{"alert":"x"},"gcm.message_id":"1"}"#) == .badge)
        #expect(phone.events.recorded.entries.isEmpty)
    }

    @Test(
        "a push of another vendor's that the superclass gets is not shown by it, as without a delegate",
        arguments: [#"{"aps":{"alert":"x"},"gcm.message_id":"1"}"#, #"{"aps":{"alert":"x"},"custom":{"i":"7d"}}"#]
    )
    func otherVendors(_ json: String) async throws {
        let superclass = PushNotificationAppDelegate(client: { [weak client] in client })
        phone.center.delegate = superclass
        #expect(await phone.center.arrive(json) == [])
        #expect(await phone.center.arrive(ContractPush.text) == [.banner, .sound])
        #expect(phone.events.recorded.entries == [.init(.delivery, "m1")])
    }

    @Test("a tap goes to both, and the system is answered once, when both are done")
    func taps() async throws {
        await phone.center.respond(UNNotificationDefaultActionIdentifier, ContractPush.text)
        #expect(alerts.calls.entries == ["respond"])
        #expect(phone.events.recorded.entries == [.init(.open, "m1")])
    }

    @Test(
        "a waking push goes to both, and the better answer counts",
        arguments: [
            (UIBackgroundFetchResult.noData, UIBackgroundFetchResult.newData), (.failed, .newData),
            (.newData, .newData),
        ]
    )
    func wakingPushes(_ theirs: UIBackgroundFetchResult, _ expected: UIBackgroundFetchResult) async throws {
        app.result = theirs
        #expect(await wake(["aps": ["content-available": 1], "message_id": "m"]) == expected)
        #expect(app.calls.entries == ["wake"])
        #expect(phone.events.recorded.entries == [.init(.delivery, "m")])
    }

    @Test func theWorseAnswersOfAForeignPushAreTheirs() async throws {
        app.result = .failed
        #expect(await wake(["gcm.message_id": "1"]) == .failed)
    }

    /// An application with the app's delegate and a client that takes every link.
    private func linkedApplication(_ asked: Journal<URL>) throws -> UIApplication {
        var environment = phone.environment
        environment.makeLinks = { _, _ in AskedLinks(asked) }
        let client = PushClient(try .valid(), in: environment)
        let application = UIApplication()
        application.delegate = app
        PushNotificationAppDelegate(client: { client }).install(over: application, phone.center)
        return application
    }

    @Test("a link is the app's own first, and the SDK's where the app does not take it")
    func links() throws {
        let url = try #require(URL(string: "game://shop"))
        let asked = Journal<URL>()
        let application = try linkedApplication(asked)
        #expect(application.receiveLink(url))
        #expect(app.calls.entries == ["open game://shop"])
        #expect(asked.entries.isEmpty)
        app.opensLinks = false
        #expect(application.receiveLink(url))
        #expect(asked.entries == [url])
    }

    @Test("so is a universal link of an app without scenes; other activities are the app's alone")
    func universalLinks() throws {
        let url = try #require(URL(string: "https://example.com/shop"))
        let asked = Journal<URL>()
        let application = try linkedApplication(asked)
        #expect(application.receiveActivity(NSUserActivity(page: url)))
        #expect(app.calls.entries == ["continue https://example.com/shop"])
        #expect(asked.entries.isEmpty)
        app.opensLinks = false
        #expect(application.receiveActivity(NSUserActivity(page: url)))
        #expect(!application.receiveActivity(NSUserActivity(activityType: "com.example.edit")))
        #expect(asked.entries == [url])
    }

    @Test("what an app hands on itself is not told twice")
    func forwardedByHand() async throws {
        app.sdk = proxy
        phone.application.receiveFailure(TransportError.failed("no entitlement"))
        phone.application.receiveToken(Data([1, 2]))
        _ = await phone.transport.calls.wait(for: 1)
        let answer = await wake(["aps": ["content-available": 1], "campaign_id": "c"])
        #expect(answer == .newData)
        #expect(await errors.wait(for: 1).count == 1)
        #expect(client.forwardedCalls == 3)
        #expect(phone.events.recorded.entries.map(\.type) == [.tokenRegister, .delivery])
    }

    @Test("a push that an app hands on later, as the async form of the method does, is counted and listed once")
    func forwardedByHandLater() async throws {
        app.sdk = proxy
        app.isLate = true
        #expect(await wake(["aps": ["content-available": 1], "campaign_id": "c"]) == .newData)
        #expect(client.forwardedCalls == 2)
        #expect(phone.events.recorded.entries.map(\.type) == [.delivery])
        let arrivals = await client.diagnostics().history.compactMap { entry in
            if case .push(let push) = entry.event { push.arrival } else { nil }
        }
        #expect(arrivals == [.woke])
    }

    @Test(
        "what the notification center's delegate hands on itself, at once or later, is told, listed and reloaded once",
        arguments: [false, true]
    )
    func forwardedByHandOfCenter(isLate: Bool) async throws {
        let phone = FacadePhone()
        let told = Journal<String>()
        let handlers = Handlers()
        handlers.refresh.handler = { told.add("reload \($0.deviceID)") }
        handlers.received.handler = { told.add("received \($0.messageID ?? "-")") }
        var environment = phone.environment
        environment.makeRefresh = { RefreshRouter($0) }
        let client = PushClient(try .valid(), in: environment, handlers: handlers)
        let sdk = PushNotificationAppDelegate(client: { [weak client] in client })
        let delegate = HandingDelegate(to: sdk, isLate: isLate)
        phone.center.delegate = delegate
        sdk.install(over: phone.application, phone.center)
        let json =
            #"{"aps":{"alert":"x"},"message_id":"m1","action":"reload","device_id":"cam-1","date":"2026-03-01"}"#
        #expect(await phone.center.arrive(json) == [.banner, .sound])
        #expect(told.entries == ["reload cam-1", "received m1"])
        await phone.center.respond("CONFIRM", json)
        let arrivals = await client.diagnostics().history.compactMap { entry in
            if case .push(let push) = entry.event { push.arrival } else { nil }
        }
        #expect(arrivals == [.inFront, .buttonTapped])
        #expect(phone.events.recorded.entries == [.init(.delivery, "m1"), .init(.open, "m1", value: "CONFIRM")])
        // The center does not keep it alive.
        #expect(phone.center.delegate === delegate)
        client.close()
    }

    @Test("the app's delegates stay the objects that they are, and are given methods once")
    func identity() async throws {
        proxy.install(over: phone.application, phone.center)
        #expect(phone.application.delegate is GameDelegate && phone.application.delegate === app)
        #expect(phone.center.delegate === alerts)
        phone.application.receiveToken(Data([1, 2]))
        _ = await phone.transport.calls.wait(for: 1)
        #expect(app.calls.entries == ["token 2"])
        #expect(client.forwardedCalls == 1)
    }

    @Test("an app whose delegate is the SDK's own class needs no other")
    func asTheOnlyDelegate() async throws {
        let alone = PushNotificationAppDelegate(client: { [weak client] in client })
        phone.application.delegate = alone
        phone.center.delegate = alone
        alone.application(phone.application, didRegisterForRemoteNotificationsWithDeviceToken: Data([7]))
        _ = await phone.transport.calls.wait(for: 1)
        #expect(await phone.center.arrive(ContractPush.text) == [.banner, .sound])
        #expect(await wake(["gcm.message_id": "1"]) == .noData)
        #expect(alerts.calls.entries.isEmpty)
    }

    private func wake(_ userInfo: [AnyHashable: Any]) async -> UIBackgroundFetchResult {
        await withCheckedContinuation { continuation in
            phone.application.receiveRemote(userInfo) { continuation.resume(returning: $0) }
        }
    }
}

enum ContractPush {
    static let text = #"{"aps":{"alert":{"title":"新ミッション","body":"開始!"}},"message_id":"m1","missionId":"m7"}"#
}

/// A delegate that an app had before it took the SDK.
@MainActor
final class GameDelegate: NSObject, UIApplicationDelegate {
    nonisolated let calls = Journal<String>()
    var result = UIBackgroundFetchResult.noData
    var opensLinks = true
    /// Where it forwards by hand.
    var sdk: PushNotificationAppDelegate?
    /// Whether it hands a push on when the system's call has returned.
    var isLate = false

    nonisolated override init() { super.init() }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        calls.add("token \(deviceToken.count)")
        sdk?.application(application, didRegisterForRemoteNotificationsWithDeviceToken: deviceToken)
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        calls.add("failure")
        sdk?.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        calls.add("wake")
        guard let sdk else { return completionHandler(result) }
        guard !isLate else {
            Task { sdk.application(application, didReceiveRemoteNotification: userInfo) { completionHandler($0) } }
            return
        }
        sdk.application(
            application,
            didReceiveRemoteNotification: userInfo,
            fetchCompletionHandler: completionHandler
        )
    }

    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        calls.add("open \(url)")
        return opensLinks
    }

    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        calls.add("continue \(userActivity.webpageURL?.absoluteString ?? userActivity.activityType)")
        return opensLinks
    }
}

/// Takes every link and writes it down.
private struct AskedLinks: LinkSink {
    let asked: Journal<URL>

    init(_ asked: Journal<URL>) { self.asked = asked }

    func open(_ notification: ReceivedNotification, in sceneID: String?) {}
    func open(_ link: SystemLink) -> Bool {
        asked.add(link.url)
        return true
    }
}

/// The notification center's delegate that an app had before.
final class AlertDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    let calls = Journal<String>()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        calls.add("present")
        completionHandler(.badge)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        calls.add("respond")
        completionHandler()
    }
}

/// A notification center's delegate that hands on to the SDK itself: in the system's call, or after it.
private final class HandingDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    private let sdk: PushNotificationAppDelegate
    private let isLate: Bool

    init(to sdk: PushNotificationAppDelegate, isLate: Bool) {
        self.sdk = sdk
        self.isLate = isLate
        super.init()
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        nonisolated(unsafe) let center = center  // handed on, and not used here any more
        nonisolated(unsafe) let notification = notification  // as above
        hand { [sdk] in
            sdk.userNotificationCenter(center, willPresent: notification, withCompletionHandler: completionHandler)
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        nonisolated(unsafe) let center = center  // handed on, and not used here any more
        nonisolated(unsafe) let response = response  // as above
        hand { [sdk] in
            sdk.userNotificationCenter(center, didReceive: response, withCompletionHandler: completionHandler)
        }
    }

    private func hand(_ call: @escaping @Sendable () -> Void) {
        if isLate { DispatchQueue.main.async(execute: call) } else { call() }
    }
}
