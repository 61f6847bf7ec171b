import PushNotificationSDK
import UIKit

/// `UISceneDelegateClassName` in the app's `Info.plist`.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene, let app = UIApplication.shared.delegate as? AppDelegate else {
            return
        }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = DashboardViewController(app.dashboard)
        window.makeKeyAndVisible()
        self.window = window
        // The tap or the link that started the app.
        PushNotificationSDK.willConnect(with: connectionOptions)
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        PushNotificationSDK.open(URLContexts)
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        // Who sees the dashboard has seen what the number was about.
        PushNotificationSDK.setBadge(0)
    }
}
