import Foundation
import MartletWire
import PushNotificationSDKApple
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

/// The proxy over an app's own delegates, on phones of their own.
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
        let delegate = try #require(phone.application.delegate)
        delegate.application(phone.application, didRegisterForRemoteNotificationsWithDeviceToken: Data([1, 2]))
        _ = await phone.transport.calls.wait(for: 1)
        #expect(phone.transport.calls.entries.first?.registration?.token == "0102")
        delegate.application(
            phone.application,
            didFailToRegisterForRemoteNotificationsWithError: TransportError.failed("no entitlement")
        )
        #expect(await errors.wait(for: 1).count == 1)
        #expect(app.calls.entries == ["token 2", "failure"])
    }

    @Test("a push in front goes to both; the SDK says how its own are shown")
    func pushesInFront() async throws {
        let options = await phone.center.arrive(ContractPush.text)
        #expect(options == [.banner, .list, .sound, .badge])
        #expect(alerts.calls.entries == ["present"])
        #expect(phone.events.recorded.entries == [.init(.delivery, "m1")])
    }

    @Test("of what is not the SDK's, the app's own delegate says how it is shown")
    func foreignNotifications() async throws {
        #expect(await phone.center.arrive("{}") == .badge)
        #expect(phone.events.recorded.entries.isEmpty)
    }

    @Test("a tap goes to both, and the system is answered once, when both are done")
    func taps() async throws {
        await phone.center.respond(UNNotificationDefaultActionIdentifier, ContractPush.text)
        #expect(alerts.calls.entries == ["respond"])
        #expect(phone.events.recorded.entries == [.init(.open, "m1")])
        phone.center.delegate?.userNotificationCenter(phone.center, openSettingsFor: nil)
        #expect(alerts.calls.entries == ["respond", "settings"])
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
        #expect(await wake([:]) == .failed)
    }

    @Test("a link that the SDK does not take goes on to the app's own delegate")
    func links() throws {
        let url = try #require(URL(string: "game://shop"))
        #expect(phone.application.delegate?.application(phone.application, open: url, options: [:]) == true)
        #expect(app.calls.entries == ["open game://shop"])
    }

    @Test("an installed delegate passes on what the SDK does not look at, and is installed once")
    func installing() async throws {
        let phone = FacadePhone()
        phone.application.delegate = app
        PushNotificationAppDelegate.install(in: phone.application, center: phone.center)
        let installed = phone.application.delegate
        PushNotificationAppDelegate.install(in: phone.application, center: phone.center)
        #expect(installed !== app && phone.application.delegate === installed)
        #expect(phone.center.delegate != nil)
        let delegate = try #require(phone.application.delegate)
        delegate.applicationDidBecomeActive(phone.application)
        delegate.applicationWillResignActive(phone.application)
        delegate.applicationDidEnterBackground(phone.application)
        delegate.applicationWillEnterForeground(phone.application)
        delegate.applicationWillTerminate(phone.application)
        #expect(app.calls.entries == ["active", "resign", "background", "foreground", "terminate"])
    }

    @Test("an app whose delegate is the SDK's own class needs no other")
    func asTheOnlyDelegate() async throws {
        let alone = PushNotificationAppDelegate(client: { [weak client] in client })
        phone.application.delegate = alone
        phone.center.delegate = alone
        alone.application(phone.application, didRegisterForRemoteNotificationsWithDeviceToken: Data([7]))
        _ = await phone.transport.calls.wait(for: 1)
        #expect(await phone.center.arrive(ContractPush.text) == [.banner, .list, .sound, .badge])
        #expect(await wake([:]) == .noData)
        #expect(alerts.calls.entries.isEmpty)
    }

    private func wake(_ userInfo: [AnyHashable: Any]) async -> UIBackgroundFetchResult {
        await withCheckedContinuation { continuation in
            phone.application.delegate?.application(phone.application, didReceiveRemoteNotification: userInfo) {
                continuation.resume(returning: $0)
            }
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

    nonisolated override init() { super.init() }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { calls.add("token \(deviceToken.count)") }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) { calls.add("failure") }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        calls.add("wake")
        completionHandler(result)
    }

    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        calls.add("open \(url)")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { calls.add("active") }
    func applicationWillResignActive(_ application: UIApplication) { calls.add("resign") }
    func applicationDidEnterBackground(_ application: UIApplication) { calls.add("background") }
    func applicationWillEnterForeground(_ application: UIApplication) { calls.add("foreground") }
    func applicationWillTerminate(_ application: UIApplication) { calls.add("terminate") }
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

    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
        calls.add("settings")
    }
}
