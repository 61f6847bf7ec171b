import PushNotificationSDK
import UIKit

/// `UISceneDelegateClassName` in the app's `Info.plist`. The superclass hands on to the SDK what starts the scene and comes
/// to it.
final class SceneDelegate: PushNotificationSceneDelegate {
    override func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let scene = scene as? UIWindowScene, let app = UIApplication.shared.delegate as? AppDelegate {
            let window = UIWindow(windowScene: scene)
            window.rootViewController = DashboardViewController(app.dashboard)
            window.makeKeyAndVisible()
            self.window = window
        }
        // The tap or the link that started the app.
        super.scene(scene, willConnectTo: session, options: connectionOptions)
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        // Who sees the dashboard has seen what the number was about.
        PushNotificationSDK.setBadge(0)
    }
}
