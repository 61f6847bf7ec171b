public import Foundation
package import PushNotificationSDKCore
public import UIKit

/// A superclass for an app's scene delegate that hands over to the SDK the taps and links that start a scene or come to it.
/// Methods of its own that the app overrides call `super`.
///
/// Links of others come the same way: ``scene(_:openOther:)`` is given those that the SDK does not take.
@MainActor
open class PushNotificationSceneDelegate: UIResponder, UIWindowSceneDelegate {
    /// The scene's window: the one of the app's storyboard, or what the app sets.
    open var window: UIWindow?

    /// `nil` stands for the SDK's own interface, which keeps what comes before the configuration.
    private let ownClient: (@Sendable () -> PushClient?)?

    /// A delegate for the SDK's own client.
    public override init() {
        ownClient = nil
        super.init()
    }

    /// A delegate for one client among many.
    package init(client: @escaping @Sendable () -> PushClient?) {
        ownClient = client
        super.init()
    }

    /// Called with a link that the SDK does not take: one that ``PushNotificationSDK/linkPolicy`` does not allow, such as
    /// the one that a login comes back with; or any in an app that sets neither a policy nor
    /// ``PushNotificationSDK/onDeepLink``. That is no error, and nothing happens here. What comes before the configuration
    /// the SDK takes.
    open func scene(_ scene: UIScene, openOther url: URL) {}

    /// Takes the tap and the links that start the scene.
    open func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        #if !os(tvOS)
            if let started = connectionOptions.notificationResponse {
                let response = PersonResponse(started, in: scene)
                if let ownClient { ownClient()?.didReceive(response) } else { PushNotificationSDK.didReceive(response) }
            }
        #endif
        for link in SystemLink.all(of: connectionOptions, in: scene) { take(link, of: scene) }
    }

    /// Takes the links by which the system opens the scene while the app runs.
    open func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts {
            take(SystemLink(context.url, in: scene.session.persistentIdentifier), of: scene)
        }
    }

    /// Takes the universal links that come to the scene while the app runs.
    open func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        if let link = SystemLink(userActivity, in: scene) { take(link, of: scene) }
    }

    private func take(_ link: SystemLink, of scene: UIScene) {
        var link = link
        link.isUnsorted = true
        let isTaken = if let ownClient { ownClient()?.open(link) ?? false } else { PushNotificationSDK.didOpen(link) }
        if !isTaken { self.scene(scene, openOther: link.url) }
    }
}
