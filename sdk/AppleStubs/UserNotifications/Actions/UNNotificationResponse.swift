/// The action of a tap on the notification itself.
@available(tvOS, unavailable)
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action of an explicit dismissal.
@available(tvOS, unavailable)
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// What the user did with a notification.
@available(tvOS, unavailable)
open class UNNotificationResponse: NSObject {
    /// The notification.
    public let notification: UNNotification
    /// The action, one of the two constants or the app's own.
    public let actionIdentifier: String
    /// The scene that the system chose, if it did; UIKit says which one it is.
    package var target: (any AnyObject & Sendable)?

    package init(_ notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }
}

/// What the user wrote into a notification.
@available(tvOS, unavailable)
open class UNTextInputNotificationResponse: UNNotificationResponse {
    /// The text.
    public let userText: String

    package init(_ notification: UNNotification, actionIdentifier: String, userText: String) {
        self.userText = userText
        super.init(notification, actionIdentifier: actionIdentifier)
    }
}
