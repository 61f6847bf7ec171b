import UserNotifications

/// The running app. One of a process; a phone of several apps makes its own.
@MainActor
open class UIApplication: UIResponder {
    /// Where the app stands.
    public enum State: Int, Sendable {
        /// In front, and the user acts on it.
        case active = 0
        /// In front, but interrupted, or on its way.
        case inactive = 1
        /// Not in front.
        case background = 2
    }

    /// A background task under way.
    package struct TaskUnderWay {
        package var name: String?
        package var expire: (@MainActor @Sendable () -> Void)?
    }

    private static let theApplication = UIApplication()

    /// The process's default app. An extension has none.
    @available(iOSApplicationExtension, unavailable)
    open class var shared: UIApplication { theApplication }

    /// What the phone does where the app asks the system for something.
    package var system = ApplicationSystem()
    /// Where the app stands, as the phone says.
    package var state = State.active
    package var tasks: [UIBackgroundTaskIdentifier: TaskUnderWay] = [:]
    /// The most background tasks that were under way together.
    package var mostTasks = 0
    /// Methods that the delegate's object was given at run time.
    var added: (object: any UIApplicationDelegate, methods: AddedMethods)?
    private var nextTask = 1
    private var registered = false

    /// An app of its own.
    package override init() {
        super.init()
    }

    /// Hears of the app's life.
    open weak var delegate: (any UIApplicationDelegate)?

    /// Where the app stands.
    open var applicationState: State { state }

    /// The app's windows' scenes.
    open var connectedScenes: Set<UIScene> = []

    /// Whether the files that are encrypted until the device is unlocked can be read.
    open var isProtectedDataAvailable: Bool { system.isProtectedDataAvailable() }

    /// The number on the icon.
    @available(iOS, introduced: 2.0, deprecated: 17.0)
    open var applicationIconBadgeNumber: Int {
        get { system.notifications?.badge ?? 0 }
        set { _ = system.notifications?.setBadge(max(0, newValue)) }
    }

    /// Asks APNs for a token, which the delegate is told later.
    open func registerForRemoteNotifications() {
        registered = true
        system.register(self)
    }

    /// Gives the token up.
    open func unregisterForRemoteNotifications() {
        registered = false
        system.unregister(self)
    }

    /// Whether the app asked for a token and did not give it up.
    open var isRegisteredForRemoteNotifications: Bool { registered }

    /// Asks for time to end something in the background.
    open func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: handler)
    }

    /// Asks for time to end something in the background.
    open func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        let identifier = UIBackgroundTaskIdentifier(rawValue: nextTask)
        nextTask += 1
        tasks[identifier] = TaskUnderWay(name: taskName, expire: handler)
        mostTasks = max(mostTasks, tasks.count)
        return identifier
    }

    /// What had to be ended has ended. An app that does not say so is killed when its time is up.
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        tasks[identifier] = nil
        system.tasksEnded()
    }
}

/// A background task's number.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int

    /// Takes the number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// No task.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// What an app fetched in the background.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// Something new.
    case newData = 0
    /// Nothing new.
    case noData = 1
    /// It could not.
    case failed = 2
}
