import Foundation
import PushNotificationSDKCore
import UserNotifications

/// The notification center's delegate where the app has none. It hands everything to the client that is attached.
final class NotificationHub: NSObject, UNUserNotificationCenterDelegate, Sendable {
    private struct Attached {
        weak var client: PushClient?
    }

    private let attached = Locked(Attached())

    var client: PushClient? {
        get { attached.with { $0.client } }
        set { attached.with { $0.client = newValue } }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        PushClient.forwardOurs(notification, to: client, completionHandler)
    }

    #if !os(tvOS)
        func userNotificationCenter(
            _ center: UNUserNotificationCenter,
            didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            PushClient.forward(response, to: client, completionHandler)
        }
    #endif
}

extension PushClient {
    /// Hands over a notification that arrives in front.
    ///
    /// - Parameter others: how one is shown in which the SDK has no say, as every one where there is no client.
    static func forward(
        _ notification: UNNotification,
        to client: PushClient?,
        others: UNNotificationPresentationOptions = [],
        _ completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let completion = MainCompletion(completionHandler)
        guard let client else { return completion(others) }
        client.willPresent(ReceivedNotification(notification)) { presentation in
            completion.callOnMain(presentation.map { UNNotificationPresentationOptions($0) } ?? others)
        }
    }

    /// Hands over a notification that arrives in front of an app without a delegate: there the system would show nothing of
    /// what is not the SDK's.
    static func forwardOurs(
        _ notification: UNNotification,
        to client: PushClient?,
        _ completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        guard let client, client.isOurs(ReceivedNotification(notification)) else { return completionHandler([]) }
        forward(notification, to: client, completionHandler)
    }

    #if !os(tvOS)
        /// Hands over what a person did with a notification.
        static func forward(
            _ response: UNNotificationResponse,
            to client: PushClient?,
            _ completionHandler: @escaping () -> Void
        ) {
            let completion = MainCompletion<Void>(completionHandler)
            guard let client else { return completion(()) }
            client.didReceive(PersonResponse(response)) { completion.callOnMain(()) }
        }
    #endif
}
