extension UIApplication {
    /// Options of opening a URL.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Apple's key.
        public let rawValue: String

        /// Takes Apple's key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Only when an app takes the universal link.
        public static let universalLinksOnly = OpenExternalURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly"
        )
    }

    /// What came with a URL that the app was opened with.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Apple's key.
        public let rawValue: String

        /// Takes Apple's key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bundle id of the app that sent it.
        public static let sourceApplication = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey"
        )
    }

    /// Why the app was started.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Apple's key.
        public let rawValue: String

        /// Takes Apple's key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The payload of a push.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey"
        )
        /// A URL.
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    }

    /// Opens a URL in whatever takes it; says afterwards whether something did.
    @available(iOSApplicationExtension, unavailable)
    public func open(
        _ url: URL,
        options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let opened = system.open(url, options)
        if let completion { DispatchQueue.main.async { completion(opened) } }
    }

    /// Opens a URL in whatever takes it.
    ///
    /// - Returns: whether something did.
    @available(iOSApplicationExtension, unavailable)
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        system.open(url, options)
    }

    /// Whether something on the device takes the URL, as far as the app's `LSApplicationQueriesSchemes` lets it know.
    public func canOpenURL(_ url: URL) -> Bool {
        system.canOpen(url)
    }

    /// The app's page in the system's settings.
    public class var openSettingsURLString: String { "app-settings:" }
}

extension UIApplication {
    /// The launch has ended.
    public class var didFinishLaunchingNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidFinishLaunchingNotification")
    }
    /// The app is in front and the user acts on it.
    public class var didBecomeActiveNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    }
    /// The app is about to be interrupted.
    public class var willResignActiveNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillResignActiveNotification")
    }
    /// The app is no longer in front.
    public class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    }
    /// The app is about to come to the front.
    public class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillEnterForegroundNotification")
    }
    /// The app is about to end.
    public class var willTerminateNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillTerminateNotification")
    }
    /// The device was unlocked; encrypted files can be read.
    public class var protectedDataDidBecomeAvailableNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationProtectedDataDidBecomeAvailable")
    }
}
