/// What an app is told of its notifications, on whichever thread the system is.
///
/// Apple's requirements are optional. Without Objective-C they have default implementations that do what the system
/// does where a method is missing. Completion handlers are `@Sendable`, as the importer makes those of every method that
/// could be called with `await`; a delegate may write its own without.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// A notification came while the app is in the foreground.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    )

    #if !os(tvOS)
        /// The user tapped, chose an action, or dismissed a notification of a category that wants to know.
        func userNotificationCenter(
            _ center: UNUserNotificationCenter,
            didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        )

        /// The user wants the app's own settings of notifications.
        func userNotificationCenter(
            _ center: UNUserNotificationCenter,
            openSettingsFor notification: UNNotification?
        )
    #endif
}

extension UNUserNotificationCenterDelegate {
    /// Shows nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([])
    }

    #if !os(tvOS)
        /// Does nothing.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter,
            didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            completionHandler()
        }

        /// Does nothing.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter,
            openSettingsFor notification: UNNotification?
        ) {}
    #endif
}
