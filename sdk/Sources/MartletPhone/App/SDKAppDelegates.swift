import Foundation
import PushNotificationSDKApple
import PushNotificationSDKCore
import UIKit
import UserNotifications

/// What the app's scene forwards: one line each.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    private let client: PushClient?

    /// - Parameter client: the app's own; `nil` for the static interface.
    @MainActor
    init(_ client: PushClient?) {
        self.client = client
        super.init()
    }

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let client else { return PushNotificationSDK.willConnect(with: connectionOptions) }
        client.willConnect(with: connectionOptions)
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        guard let client else { return PushNotificationSDK.open(URLContexts) }
        client.open(URLContexts)
    }
}

/// The notification center's delegate of an app that keeps to itself what it is told.
final class SilentDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }
}
