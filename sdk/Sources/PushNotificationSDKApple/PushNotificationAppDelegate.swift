public import Foundation
package import PushNotificationSDKCore
public import UIKit
public import UserNotifications

/// Forwards to the SDK what an app would forward itself. It is used only where an app chooses it:
///
/// - as the superclass of the app's delegate, which calls `super` in the methods that it overrides,
/// - in SwiftUI, with `@UIApplicationDelegateAdaptor(PushNotificationAppDelegate.self)`,
/// - with ``install(in:center:)``, before the SDK is configured.
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

    /// Does at once what ``PushNotificationSDK/configure(_:)`` does unless ``SDKConfiguration/automaticForwarding`` is
    /// off: for games that configure the SDK late and do not want to miss the tap that started them. A second call
    /// changes nothing.
    ///
    /// - Parameters:
    ///   - application: `nil` is the one that runs.
    ///   - center: the one that runs, as a rule.
    ///
    /// Call it in `didFinishLaunching`.
    public static func install(
        in application: UIApplication? = nil,
        center: UNUserNotificationCenter = .current()
    ) {
        PushNotificationAppDelegate().install(over: application ?? .shared, center)
    }

    /// The same for an application, of which a test has several.
    package func install(over application: UIApplication, _ center: UNUserNotificationCenter) {
        if center.delegate == nil { center.delegate = Self.early }
        AutomaticForwarding(to: self).begin(in: application, center)
    }

    /// The center does not keep its delegate alive.
    private static let early = EarlyDelegate()

    /// Registers the device by the token: an override that does not call `super` loses it, and no error says so.
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

    /// Tells ``PushNotificationSDK/onError`` that the system gave no token.
    open func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        if isOfFacade { PushNotificationSDK.didFailToRegister(error: error) } else { client?.didFailToRegister(error) }
    }

    /// Takes a push that wakes the app; the completion is called after the handlers have returned.
    open func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        PushClient.forward(userInfo, in: application, to: client, completionHandler)
    }

    /// Takes a link that the system opened the app by; `false` where the SDK did not take it. The system does not call
    /// it in an app with scenes.
    open func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        isOfFacade ? PushNotificationSDK.open(url) : client?.open(SystemLink(url)) ?? false
    }

    /// Takes a universal link that ``PushNotificationSDK/linkPolicy`` allows; `false` where the SDK did not take it, as any
    /// other activity. The system does not call it in an app with scenes.
    open func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let link = SystemLink(userActivity, in: nil) else { return false }
        return isOfFacade ? PushNotificationSDK.didOpen(link) : client?.open(link) ?? false
    }

    /// Tells the handlers of a push that arrives while the app is in front, and answers how it is shown.
    open nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        PushClient.forward(notification, to: client, completionHandler)
    }

    #if !os(tvOS)
        /// Takes what the person did with a notification: a tap, a button, a dismissal.
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
    #endif
}

/// The center's delegate in an app that has none, from before the SDK is configured.
private final class EarlyDelegate: PushNotificationAppDelegate {
    override nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        PushClient.forwardOurs(notification, to: client, completionHandler)
    }
}
