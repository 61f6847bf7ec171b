import Foundation
import PushNotificationSDKCore
import UserNotifications

/// The notification center's delegate that is put over an app's own: everything goes to both.
final class InstalledCenterDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    private struct Own {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
    }

    private let sdk: PushNotificationAppDelegate
    private let own = Locked(Own())

    init(_ sdk: PushNotificationAppDelegate, over delegate: (any UNUserNotificationCenterDelegate)?) {
        self.sdk = sdk
        super.init()
        own.with { $0.delegate = delegate }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let method = optional(own.with { $0.delegate }?.userNotificationCenter(_:willPresent:withCompletionHandler:))
        // Of the SDK's own notifications the SDK says how they are shown, of all others the one who knows them.
        let isOurs = sdk.client?.isOurs(ReceivedNotification(notification)) ?? false
        if let method, !isOurs { return method(center, notification, completionHandler) }
        method?(center, notification) { _ in }
        sdk.userNotificationCenter(center, willPresent: notification, withCompletionHandler: completionHandler)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let method = optional(own.with { $0.delegate }?.userNotificationCenter(_:didReceive:withCompletionHandler:))
        let all = CombinedCompletion(of: method == nil ? 1 : 2, completionHandler)
        sdk.userNotificationCenter(center, didReceive: response) { all.add() }
        method?(center, response) { all.add() }
    }

    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
        optional(own.with { $0.delegate }?.userNotificationCenter(_:openSettingsFor:))?(center, notification)
    }
}
