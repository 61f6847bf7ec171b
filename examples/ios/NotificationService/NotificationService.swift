import PushNotificationServiceExtension

/// Attaches the picture, movie or sound of a notification and writes down that it arrived.
final class NotificationService: PushNotificationServiceExtension {
    override var appGroup: String? { "group.com.example.dashboard" }
}
