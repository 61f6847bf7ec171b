import Foundation
import Synchronization
import UserNotifications

/// How alerts show while the app is in front, and what a tap opens. The system calls it on a thread of its own.
final class NotificationTaps: NSObject, UNUserNotificationCenterDelegate, Sendable {
    private let app: RidersApp
    private let isColdStart = Mutex(false)

    init(_ app: RidersApp) {
        self.app = app
        super.init()
    }

    func startedByPush() { isColdStart.withLock { $0 = true } }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        app.didShowBanner()
        completionHandler([.banner, .list, .sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let cold = isColdStart.withLock { value in
            defer { value = false }
            return value
        }
        if let alert = response.notification.request.content.userInfo["alert_id"] as? String {
            app.didOpen(alert, isColdStart: cold)
        }
        completionHandler()
    }
}
