import PushNotificationSDK
import UserNotifications

private func snippet() {
    // the snippet
}
