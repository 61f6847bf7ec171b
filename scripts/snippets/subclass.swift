import PushNotificationSDK
import UIKit

final class AppDelegate: PushNotificationAppDelegate {
    private func reload() async {}

    // the snippet
}
