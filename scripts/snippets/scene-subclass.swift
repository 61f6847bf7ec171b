import PushNotificationSDK
import UIKit

final class SceneDelegate: PushNotificationSceneDelegate {
    private func finishLogin(_ url: URL) {}

    // the snippet
}
