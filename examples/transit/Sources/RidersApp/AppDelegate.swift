import Foundation
import UIKit
import UserNotifications

/// The app's delegate, with what the system tells of pushes.
@MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
    private let app: RidersApp
    // On a real phone it is `UNUserNotificationCenter.current()`.
    private let center: UNUserNotificationCenter
    private let taps: NotificationTaps

    init(_ app: RidersApp, center: UNUserNotificationCenter) {
        self.app = app
        self.center = center
        taps = NotificationTaps(app)
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // Before the launch ends: the tap that starts the app is told right after it.
        center.delegate = taps
        if launchOptions?[.remoteNotification] != nil { taps.startedByPush() }
        // The system asks the rider at the first launch only.
        center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, _ in
            guard granted else { return }
            Task { @MainActor in application.registerForRemoteNotifications() }
        }
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        app.registerToken(deviceToken.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        app.didFailToRegister(error)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        guard userInfo["alert_action"] as? String == "remove", let shown = userInfo["notification_id"] as? String else {
            return completionHandler(.noData)
        }
        // A push's request has its collapse id.
        center.removeDeliveredNotifications(withIdentifiers: [shown])
        app.didRemove()
        completionHandler(.newData)
    }
}
