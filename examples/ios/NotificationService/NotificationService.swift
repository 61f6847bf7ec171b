import PushNotificationServiceExtension

/// Attaches the picture, movie or sound of a notification and writes down that it arrived.
///
/// It is not the main actor's, of which new projects make what does not say otherwise: the system calls it on any thread.
nonisolated final class NotificationService: PushNotificationServiceExtension {
    override var appGroup: String? { "group.com.example.dashboard" }
}
