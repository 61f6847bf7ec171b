/// What makes a notification appear.
open class UNNotificationTrigger: NSObject {
    /// Whether it happens again.
    open var repeats: Bool { false }
}

/// The notification came from APNs.
open class UNPushNotificationTrigger: UNNotificationTrigger {}

/// A notification as it was asked for.
open class UNNotificationRequest: NSObject {
    /// The request's id; for a push the collapse id, or one that the system made.
    public let identifier: String
    /// What it says.
    public let content: UNNotificationContent
    /// What makes it appear.
    public let trigger: UNNotificationTrigger?

    /// A request to notify.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        // Apple copies the content, so that a change afterwards is not seen.
        self.content = UNNotificationContent(content.taken)
        self.trigger = trigger
    }
}

/// A notification that appeared.
open class UNNotification: NSObject {
    /// When it came.
    public let date: Date
    /// What was asked for.
    public let request: UNNotificationRequest

    package init(_ record: NotificationRecord) {
        date = record.date
        request = UNNotificationRequest(
            identifier: record.identifier,
            content: UNNotificationContent(record.content),
            trigger: UNPushNotificationTrigger()
        )
    }

    /// One of the app's own.
    package init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
    }
}
