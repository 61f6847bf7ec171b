public import Foundation
public import PushNotificationSDKCore
public import UIKit
public import UserNotifications

/// What an app forwards, one line for each method of its delegates. `didRegister` and `didFailToRegister` belong here too;
/// those of scenes are ``PushNotificationSDK/willConnect(with:in:)`` and what stands beside it.
extension PushNotificationSDK {
    /// Forwards `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
    ///
    /// - Parameter others: how a push of another vendor's is shown, in which the SDK has no say, and anything that
    ///   comes before the configuration; not at all where it is left out, as in an app without a delegate.
    public static func willPresent(
        _ notification: UNNotification,
        others: UNNotificationPresentationOptions = [],
        completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        PushClient.forward(notification, to: client, others: others, completionHandler)
    }

    #if !os(tvOS)
        /// Forwards `userNotificationCenter(_:didReceive:withCompletionHandler:)`. What comes before the configuration is kept
        /// for it, the newest 32.
        public static func didReceive(
            _ response: UNNotificationResponse,
            completionHandler: @escaping () -> Void
        ) {
            let completion = MainCompletion<Void>(completionHandler)
            didReceive(PersonResponse(response)) { completion.callOnMain(()) }
        }
    #endif

    /// Forwards `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    @MainActor
    public static func didReceiveRemoteNotification(
        _ userInfo: [AnyHashable: Any],
        in application: UIApplication,
        completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        PushClient.forward(userInfo, in: application, to: client, completionHandler)
    }

    /// Forwards `application(_:open:options:)`.
    ///
    /// - Returns: whether the SDK took the link. One that comes before the configuration is kept for it, the newest 32.
    public static func open(_ url: URL) -> Bool {
        didOpen(SystemLink(url))
    }
}

extension PushClient {
    /// Hands over a push that woke the app.
    ///
    /// - Parameter isAutomatic: whether the app does not do it itself.
    @MainActor
    static func forward(
        _ userInfo: [AnyHashable: Any],
        in application: UIApplication,
        to client: PushClient?,
        isAutomatic: Bool = false,
        _ completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let completion = MainCompletion(completionHandler)
        guard let client else { return completion(.noData) }
        let (payload, state) = (NotificationPayload(userInfo: userInfo), ApplicationState(application.applicationState))
        client.didReceiveRemote(payload, in: state, isAutomatic: isAutomatic) { result in
            completion.callOnMain(UIBackgroundFetchResult(result))
        }
    }
}
