/// An app's way to the system's notifications.
///
/// Its answers come on a background thread, as Apple's do.
open class UNUserNotificationCenter: NSObject {
    // Apple's is one of the process too; a test that needs its own makes one.
    private static let shared = Guarded(UNUserNotificationCenter(device: NotificationDevice()))

    /// The process's default center.
    open class func current() -> UNUserNotificationCenter {
        shared.read { $0 }
    }

    /// The system behind this center; it outlives the app's process.
    package let device: NotificationDevice
    #if !os(tvOS)
        /// Methods that an object was given at run time; it is held for its identity.
        struct Added {
            weak var object: (any UNUserNotificationCenterDelegate)?
            var methods: AddedMethods
        }

        /// Methods that the delegate's object was given at run time.
        let added = Guarded<Added?>(nil)
    #endif
    private let answers = DispatchQueue(label: "com.apple.usernotifications")

    /// The app's end of a device; every start of an app makes one.
    package init(device: NotificationDevice) {
        self.device = device
    }

    /// Hears of notifications; has to be set before the app's launch ends.
    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    /// Asks the user once, unless the answer is known or the options need none.
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let answers = answers
        device.requestAuthorization(options) { granted, error in
            answers.async { completionHandler(granted, error) }
        }
    }

    /// Asks the user once, unless the answer is known or the options need none.
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            requestAuthorization(options: options) { granted, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: granted) }
            }
        }
    }

    /// What the user allows.
    open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
        let device = device
        answers.async { completionHandler(UNNotificationSettings(device.permission)) }
    }

    /// What the user allows.
    open func notificationSettings() async -> UNNotificationSettings {
        UNNotificationSettings(device.permission)
    }

    /// Replaces all of the app's categories.
    @available(tvOS, unavailable)
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        device.setCategories(categories.map(\.record))
    }

    /// The app's categories.
    @available(tvOS, unavailable)
    open func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        let device = device
        answers.async { completionHandler(Set(device.categories.map(UNNotificationCategory.init))) }
    }

    /// The app's categories.
    @available(tvOS, unavailable)
    open func notificationCategories() async -> Set<UNNotificationCategory> {
        Set(device.categories.map(UNNotificationCategory.init))
    }

    /// The notifications that Notification Center shows of this app.
    @available(tvOS, unavailable)
    open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        let device = device
        answers.async { completionHandler(device.delivered.map(UNNotification.init)) }
    }

    /// The notifications that Notification Center shows of this app.
    @available(tvOS, unavailable)
    open func deliveredNotifications() async -> [UNNotification] {
        device.delivered.map(UNNotification.init)
    }

    /// Takes notifications off Notification Center; ids that it has not are passed over.
    @available(tvOS, unavailable)
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        device.removeByApp { identifiers.contains($0.identifier) }
    }

    /// Takes all of this app's notifications off Notification Center.
    @available(tvOS, unavailable)
    open func removeAllDeliveredNotifications() {
        device.removeByApp { _ in true }
    }

    /// Sets the number on the icon; 0 takes it away.
    @available(iOS 16.0, tvOS 16.0, *)
    open func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let error = device.setBadge(newBadgeCount)
        answers.async { completionHandler?(error) }
    }

    /// Sets the number on the icon; 0 takes it away.
    @available(iOS 16.0, tvOS 16.0, *)
    open func setBadgeCount(_ newBadgeCount: Int) async throws {
        if let error = device.setBadge(newBadgeCount) { throw error }
    }
}

// Not sendable, on purpose: what compiles here compiles with every SDK of Apple's.
@available(*, unavailable)
extension UNUserNotificationCenter: @unchecked Sendable {}  // unavailable: nobody can rely on it
