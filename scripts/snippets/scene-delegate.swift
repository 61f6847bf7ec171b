import PushNotificationSDK
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    private func finishLogin(_ url: URL) {}

    // the snippet
}
