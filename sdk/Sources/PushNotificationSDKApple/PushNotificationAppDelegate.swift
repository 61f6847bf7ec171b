public import Foundation
package import PushNotificationSDKCore
public import UIKit
public import UserNotifications

/// Forwards to the SDK what an app would forward itself. It is used only where an app chooses it, in one of three ways:
///
/// - as the superclass of the app's delegate, which calls `super` in the methods that it overrides,
/// - in SwiftUI, with `@UIApplicationDelegateAdaptor(PushNotificationAppDelegate.self)`,
/// - with ``install(in:center:)``, over delegates that stay as they are.
@MainActor
open class PushNotificationAppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    private nonisolated let currentClient: @Sendable () -> PushClient?
    /// Whether it stands for the SDK's own interface, which keeps what comes before the configuration.
    private nonisolated let isOfFacade: Bool

    /// The client that everything goes to.
    nonisolated var client: PushClient? { currentClient() }

    /// A delegate for the SDK's own client.
    public override init() {
        currentClient = { PushNotificationSDK.client }
        isOfFacade = true
        super.init()
    }

    /// A delegate for one client among many.
    package init(client: @escaping @Sendable () -> PushClient?) {
        currentClient = client
        isOfFacade = false
        super.init()
    }

    /// Takes the place of the application's and the notification center's delegates, keeps both and tells them everything
    /// as well: an app sees no difference. A second call for the same application changes nothing.
    ///
    /// Call it after ``PushNotificationSDK/configure(_:)``, in `didFinishLaunching`.
    public static func install(
        in application: UIApplication = .shared,
        center: UNUserNotificationCenter = .current()
    ) {
        PushNotificationAppDelegate().install(over: application, center)
    }

    /// Takes the place of an application's delegates, of which a process can have several.
    package func install(over application: UIApplication, _ center: UNUserNotificationCenter) {
        guard !(application.delegate is InstalledAppDelegate) else { return }
        InstalledAppDelegate(self, over: application, center).keep()
    }

    open func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        if isOfFacade {
            PushNotificationSDK.didRegister(deviceToken: deviceToken)
        } else {
            client?.didRegister(token: deviceToken)
        }
    }

    open func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        if isOfFacade { PushNotificationSDK.didFailToRegister(error: error) } else { client?.didFailToRegister(error) }
    }

    open func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        PushClient.forward(userInfo, in: application, to: client, completionHandler)
    }

    open func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        client?.openURL(url) ?? false
    }

    open nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        PushClient.forward(notification, to: client, completionHandler)
    }

    open nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        guard !isOfFacade else {
            return PushNotificationSDK.didReceive(response, completionHandler: completionHandler)
        }
        PushClient.forward(response, to: client, completionHandler)
    }
}
