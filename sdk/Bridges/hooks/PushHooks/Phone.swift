import Foundation
import PushNotificationSDKApple
import PushNotificationSDKCore
import PushNotificationSDKTesting
import UIKit
import UserNotifications

/// The one phone of a bridge's test: the process's own notification center and application.
enum Phone {
    /// What the person does when the app asks whether it may notify.
    enum Person: Int32 {
        case denies = 0
        case allows = 1
        case hasDenied = 2
    }

    /// Begins with a phone on which nothing has happened yet.
    @MainActor
    static func start(_ person: Person) {
        forgetWhatWaits()
        let center = UNUserNotificationCenter.current()
        let application = UIApplication.shared
        center.delegate = nil
        application.delegate = nil
        center.device.setPermission(NotificationPermission(status: person == .hasDenied ? .denied : .notDetermined))
        center.device.setPrompt { _, answer in
            DispatchQueue.global().async { answer(person == .allows) }
        }
        let platform = ApplePlatform(
            center: center,
            application: { UIApplication.shared },
            facts: { PushNotificationSDKCore.DeviceFacts() }
        )
        let noNetwork = ScriptedTransport(.failure(.unreachable("this phone has no network")))
        var environment = PushEnvironment(platform: platform, transport: noNetwork, storage: MemoryStore())
        environment.log = { _, _ in }
        // What the bridges hand on does not depend on them, and they would report that there is no network.
        environment.makeEvents = { _ in NoEvents() }
        PushNotificationSDK.prepare(environment)
    }

    /// The app as after its process has ended: what waited for a handler is taken by one that does nothing.
    @MainActor
    private static func forgetWhatWaits() {
        PushNotificationSDK.reset()
        PushNotificationSDK.onNotificationReceived = { _ in }
        PushNotificationSDK.onNotificationOpened = { _ in }
        PushNotificationSDK.onNotificationActionTapped = { _, _ in }
        PushNotificationSDK.onError = { _ in }
        let isServed = Locked(false)
        DispatchQueue.main.async { isServed.with { $0 = true } }
        while !isServed.with({ $0 }) { serveMainQueue() }
        PushNotificationSDK.reset()
    }

    /// What the run loop of an app does, for a moment.
    static func serveMainQueue() {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
    }

    /// A notification as the system hands it over.
    static func notification(_ payload: Data) -> UNNotification {
        var content = ContentRecord()
        content.userInfo = PayloadRecord(json: payload)
        return UNNotification(NotificationRecord(identifier: UUID().uuidString, date: Date(), content: content))
    }
}
