public import Foundation

extension PushNotificationSDK {
    /// The links of notifications that may be opened. Until it is set, these are the schemes that the app declares as
    /// its own in its `Info.plist`, and no web page.
    public static var linkPolicy: LinkPolicy {
        get { handlers.links.policy }
        set { handlers.links.policy = newValue }
    }

    /// Takes the app to a link of its own: of a tapped notification, with its payload, or one that the system handed
    /// over. Only links that ``linkPolicy`` allows arrive here.
    ///
    /// Without a handler, the newest link of a tapped notification that a ``linkPolicy`` of the app's allows waits for one,
    /// and so does one that comes by `PushNotificationSceneDelegate`, `pushNotificationLinks()` or as a universal link.
    /// In an app that sets no policy either, the system opens it, which brings it to the app's delegate. A link that
    /// the system handed over before `configure` waits too.
    public static var onDeepLink: ((URL, NotificationPayload?) -> Void)? {
        get {
            handlers.links.deepLinks.handler.map { handler in
                { handler(LinkHandling.Opened(url: $0, payload: $1)) }
            }
        }
        set { handlers.links.deepLinks.handler = newValue.map { handler in { handler($0.url, $0.payload) } } }
    }

    /// As ``onDeepLink``, for apps with several windows: with the scene that the link came to. The two are one handler:
    /// whichever is set last is called.
    public static var onDeepLinkInScene: ((DeepLink) -> Void)? {
        get {
            handlers.links.deepLinks.handler.map { handler in
                { handler(LinkHandling.Opened(url: $0.url, payload: $0.payload, sceneID: $0.sceneID)) }
            }
        }
        set { handlers.links.deepLinks.handler = newValue.map { handler in { handler(DeepLink($0)) } } }
    }
}
