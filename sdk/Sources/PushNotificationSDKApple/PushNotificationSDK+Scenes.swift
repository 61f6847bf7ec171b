public import Foundation
public import PushNotificationSDKCore
public import UIKit
import UserNotifications

/// What an app with a scene delegate of its own forwards, one line for each method; ``PushNotificationSceneDelegate`` does
/// it by itself.
extension PushNotificationSDK {
    /// Forwards the options of `scene(_:willConnectTo:options:)`: the tap and the links that started the scene.
    ///
    /// - Parameter scene: what ``onDeepLinkInScene`` names; where it is left out, a link comes without a scene.
    @MainActor
    public static func willConnect(with options: UIScene.ConnectionOptions, in scene: UIScene? = nil) {
        #if !os(tvOS)
            if let response = options.notificationResponse { didReceive(PersonResponse(response, in: scene)) }
        #endif
        for link in SystemLink.all(of: options, in: scene) { _ = didOpen(link) }
    }

    /// Forwards `scene(_:openURLContexts:)`.
    ///
    /// - Parameter scene: as above.
    @MainActor
    public static func open(_ contexts: Set<UIOpenURLContext>, in scene: UIScene? = nil) {
        for context in contexts { _ = open(context.url, in: scene) }
    }

    /// Forwards one of the links of a scene, in an app that looks itself whose each of them is.
    ///
    /// - Parameter scene: as above.
    /// - Returns: whether the SDK took the link. One that comes before the configuration is kept for it, the newest 32.
    @MainActor
    public static func open(_ url: URL, in scene: UIScene?) -> Bool {
        didOpen(SystemLink(url, in: scene?.session.persistentIdentifier))
    }

    /// Forwards `scene(_:continue:)`: a universal link that ``linkPolicy`` allows, as a page of the app's own site, reaches
    /// ``onDeepLink``. Other activities and pages are left to the app, and are no error.
    ///
    /// - Parameter scene: as above.
    /// - Returns: whether the SDK took the link. One that comes before the configuration is kept for it, the newest 32.
    @MainActor
    @discardableResult
    public static func `continue`(_ activity: NSUserActivity, in scene: UIScene? = nil) -> Bool {
        SystemLink(activity, in: scene).map { didOpen($0) } ?? false
    }
}

extension PushNotificationSDK.DeepLink {
    /// The scene that the link came to; `nil` where none was named, or it is gone.
    ///
    /// - Parameter application: `nil` is the one that runs.
    @MainActor
    public func scene(in application: UIApplication? = nil) -> UIScene? {
        guard let sceneID else { return nil }
        return (application ?? .shared).connectedScenes.first { $0.session.persistentIdentifier == sceneID }
    }
}

extension UIApplication {
    /// The session of a view's scene, by the view's window. At a cold start the view may be in none yet: then it is that of
    /// the only scene with windows, and `nil` where there are several.
    package func sceneID(of window: UIWindow?) -> String? {
        if let scene = window?.windowScene { return scene.session.persistentIdentifier }
        let scenes = connectedScenes.compactMap { $0 as? UIWindowScene }
        return scenes.count == 1 ? scenes[0].session.persistentIdentifier : nil
    }
}

extension SystemLink {
    /// The links that a scene was started by.
    @MainActor
    static func all(of options: UIScene.ConnectionOptions, in scene: UIScene?) -> [SystemLink] {
        let sceneID = scene?.session.persistentIdentifier
        return options.urlContexts.map { SystemLink($0.url, in: sceneID) }
            + options.userActivities.compactMap { SystemLink($0, in: scene) }
    }

    /// The page that an activity is about; `nil` where it is no universal link.
    @MainActor
    init?(_ activity: NSUserActivity, in scene: UIScene?) {
        guard activity.activityType == NSUserActivityTypeBrowsingWeb, let url = activity.webpageURL else { return nil }
        self.init(url, in: scene?.session.persistentIdentifier)
        isUnsorted = true
    }
}

#if !os(tvOS)
    extension PersonResponse {
        /// What a person did with a notification that started a scene.
        @MainActor
        init(_ response: UNNotificationResponse, in scene: UIScene?) {
            self.init(response)
            if let sceneID = scene?.session.persistentIdentifier { self.sceneID = { sceneID } }
        }
    }
#endif
