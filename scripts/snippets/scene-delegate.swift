import PushNotificationSDK
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    // the snippet
}
