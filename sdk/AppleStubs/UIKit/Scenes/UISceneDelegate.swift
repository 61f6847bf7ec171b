public import UserNotifications

/// What a scene is told of its life, on the main thread. Apple's requirements are optional.
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene was made; the options say for what.
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
    /// The scene was taken away.
    func sceneDidDisconnect(_ scene: UIScene)
    /// The scene is in front and the user acts on it.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// The scene is about to be interrupted.
    func sceneWillResignActive(_ scene: UIScene)
    /// The scene is about to come to the front.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// The scene is no longer in front.
    func sceneDidEnterBackground(_ scene: UIScene)
    /// URLs were opened.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// An activity goes on here, such as a universal link that somebody followed.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

/// A scene's delegate that has a window.
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {}

extension UISceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
    /// Does nothing.
    public func sceneDidDisconnect(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    /// Does nothing.
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    /// Does nothing.
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
}

extension UIScene {
    /// Why a scene was made.
    @MainActor
    open class ConnectionOptions: NSObject {
        /// URLs that were opened.
        public let urlContexts: Set<UIOpenURLContext>
        /// Activities that go on in the scene, such as a universal link that somebody followed.
        public let userActivities: Set<NSUserActivity>
        #if os(tvOS)
            package init(urlContexts: Set<UIOpenURLContext> = [], userActivities: Set<NSUserActivity> = []) {
                self.urlContexts = urlContexts
                self.userActivities = userActivities
                super.init()
            }
        #else
            /// What the user did with a notification. The center's delegate is told of the same response.
            public let notificationResponse: UNNotificationResponse?

            package init(
                urlContexts: Set<UIOpenURLContext> = [],
                userActivities: Set<NSUserActivity> = [],
                notificationResponse: UNNotificationResponse? = nil
            ) {
                self.urlContexts = urlContexts
                self.userActivities = userActivities
                self.notificationResponse = notificationResponse
                super.init()
            }
        #endif
    }

    /// What came with a URL.
    @MainActor
    open class OpenURLOptions: NSObject {
        /// The bundle id of the app that sent it, where it is of the same team.
        public let sourceApplication: String?

        package init(sourceApplication: String?) {
            self.sourceApplication = sourceApplication
            super.init()
        }
    }
}

/// A URL that was opened, with what came with it.
@MainActor
open class UIOpenURLContext: NSObject {
    /// The URL.
    public let url: URL
    /// What came with it.
    public let options: UIScene.OpenURLOptions

    package init(url: URL, sourceApplication: String? = nil) {
        self.url = url
        options = UIScene.OpenURLOptions(sourceApplication: sourceApplication)
        super.init()
    }
}

@available(tvOS, unavailable)
extension UNNotificationResponse {
    /// The scene in which the app shows what comes of it; `nil` where the system chose none.
    public var targetScene: UIScene? { target as? UIScene }
}
