import Foundation
import PushNotificationSDKCore
import UIKit
import UserNotifications

extension ReceivedNotification {
    /// A notification of the notification center.
    init(_ notification: UNNotification) {
        #if os(tvOS)
            // There a notification does not say what it came with; `didReceiveRemoteNotification` does.
            self.init(
                identifier: notification.request.identifier,
                payload: NotificationPayload(userInfo: [:]),
                isRemote: false
            )
        #else
            let content = notification.request.content
            self.init(
                identifier: notification.request.identifier,
                payload: NotificationPayload(userInfo: content.userInfo, shown: (content.title, content.body)),
                isRemote: notification.request.trigger is UNPushNotificationTrigger
            )
        #endif
        date = Int64(notification.date.timeIntervalSince1970 * 1000)
    }
}

#if !os(tvOS)
    extension PersonResponse {
        /// What a person did with a notification of the notification center.
        init(_ response: UNNotificationResponse) {
            let action: Action =
                switch response.actionIdentifier {
                case UNNotificationDefaultActionIdentifier: .tap
                case UNNotificationDismissActionIdentifier: .dismiss
                default: .button(response.actionIdentifier)
                }
            self.init(ReceivedNotification(response.notification), action)
            notification.payload.userText = (response as? UNTextInputNotificationResponse)?.userText
            let scene = response.targetScene
            sceneID = { scene?.session.persistentIdentifier }
        }
    }
#endif

extension AuthorizationStatus {
    /// What the person allowed; what a later system adds reads as refused.
    init(_ status: UNAuthorizationStatus) {
        self = AuthorizationStatus(rawValue: status.rawValue) ?? .denied
    }
}

extension ApplicationState {
    /// Whether an application is in front; what a later system adds reads as behind.
    init(_ state: UIApplication.State) {
        switch state {
        case .active: self = .active
        case .inactive: self = .inactive
        default: self = .background
        }
    }
}

extension UIBackgroundFetchResult {
    /// What a background push brought.
    init(_ result: FetchResult) {
        switch result {
        case .newData: self = .newData
        case .noData: self = .noData
        case .failed: self = .failed
        }
    }
}

extension UNNotificationPresentationOptions {
    /// How a notification is shown, in the words of the system's version.
    init(_ presentation: NotificationPresentation) {
        self = []
        if #available(iOS 14, tvOS 14, *) {
            if presentation.contains(.banner) { insert(.banner) }
            if presentation.contains(.list) { insert(.list) }
        } else if !presentation.isDisjoint(with: [.banner, .list]) {
            insert(.alert)
        }
        if presentation.contains(.sound) { insert(.sound) }
        if presentation.contains(.badge) { insert(.badge) }
    }
}

#if !os(tvOS)
    extension UNNotificationCategory {
        /// A category, whose dismissals are reported.
        convenience init(_ category: NotificationCategory) {
            self.init(
                identifier: category.identifier,
                actions: category.actions.map { action in
                    let options = UNNotificationActionOptions(rawValue: action.options.rawValue)
                    guard let input = action.textInput else {
                        return UNNotificationAction(
                            identifier: action.identifier,
                            title: action.title,
                            options: options
                        )
                    }
                    return UNTextInputNotificationAction(
                        identifier: action.identifier,
                        title: action.title,
                        options: options,
                        textInputButtonTitle: input.buttonTitle,
                        textInputPlaceholder: input.placeholder
                    )
                },
                intentIdentifiers: [],
                options: .customDismissAction
            )
        }
    }
#endif
