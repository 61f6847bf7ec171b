public import UserNotifications

/// One of an app's windows, as the system sees it.
@MainActor
open class UIScene: UIResponder {
    /// Where a scene stands.
    public enum ActivationState: Int, Sendable {
        /// Not connected.
        case unattached = -1
        /// In front, and the user acts on it.
        case foregroundActive = 0
        /// In front, but interrupted, or on its way.
        case foregroundInactive = 1
        /// Not in front.
        case background = 2
    }

    /// The session that it belongs to.
    public let session: UISceneSession
    /// Hears of the scene's life.
    open var delegate: (any UISceneDelegate)?
    /// Where it stands.
    open package(set) var activationState = ActivationState.unattached

    /// The system makes scenes.
    package init(session: UISceneSession) {
        self.session = session
        super.init()
    }
}

/// A scene with windows.
@MainActor
open class UIWindowScene: UIScene {
    /// Its windows.
    open package(set) var windows: [UIWindow] = []
}

/// A scene's session, which outlives the scene.
@MainActor
open class UISceneSession: NSObject {
    /// What the session's scenes are made with.
    public let configuration: UISceneConfiguration

    package init(configuration: UISceneConfiguration, persistentIdentifier: String = UUID().uuidString) {
        self.configuration = configuration
        self.persistentIdentifier = persistentIdentifier
        super.init()
    }

    /// A name that stays with the session.
    public let persistentIdentifier: String
}

/// What a scene is made with.
@MainActor
open class UISceneConfiguration: NSObject {
    /// The configuration's name in the app's `Info.plist`.
    public let name: String?
    /// The class of the scene's delegate.
    open var delegateClass: AnyClass?

    /// A configuration.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        super.init()
    }
}

extension UISceneSession {
    /// What a session is for.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// Apple's key.
        public let rawValue: String

        /// Takes Apple's key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A window on the device.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }
}
