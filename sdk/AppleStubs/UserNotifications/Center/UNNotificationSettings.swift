/// One of the user's switches for an app's notifications.
public enum UNNotificationSetting: Int, Sendable {
    /// The app or the device has no such thing.
    case notSupported = 0
    /// Off.
    case disabled = 1
    /// On.
    case enabled = 2
}

/// How alerts show on an unlocked screen.
public enum UNAlertStyle: Int, Sendable {
    /// Not at all.
    case none = 0
    /// For some seconds.
    case banner = 1
    /// Until the user acts.
    case alert = 2
}

/// What the user allows an app's notifications to do, at one moment.
open class UNNotificationSettings: NSObject {
    /// Whether the app may notify.
    public let authorizationStatus: UNAuthorizationStatus
    /// The switch for sounds.
    public let soundSetting: UNNotificationSetting
    /// The switch for the number on the icon.
    public let badgeSetting: UNNotificationSetting
    /// The switch for alerts.
    public let alertSetting: UNNotificationSetting
    /// The switch for Notification Center.
    public let notificationCenterSetting: UNNotificationSetting
    /// The switch for the lock screen.
    public let lockScreenSetting: UNNotificationSetting
    /// How alerts show.
    public let alertStyle: UNAlertStyle
    /// The switch for notifications that may break through a Focus.
    @available(iOS 15.0, *)
    public var timeSensitiveSetting: UNNotificationSetting { .notSupported }

    package init(_ permission: NotificationPermission) {
        func setting(_ option: UNAuthorizationOptions) -> UNNotificationSetting {
            guard permission.granted.contains(option) else {
                return permission.status == .notDetermined ? .notSupported : .disabled
            }
            return permission.mayNotify ? .enabled : .disabled
        }
        authorizationStatus = permission.status
        soundSetting = setting(.sound)
        badgeSetting = setting(.badge)
        alertSetting = setting(.alert)
        notificationCenterSetting = permission.mayNotify ? .enabled : .disabled
        // A trial's notifications go to the list only.
        lockScreenSetting = permission.status == .provisional ? .disabled : setting(.alert)
        alertStyle = setting(.alert) == .enabled && permission.status != .provisional ? .banner : .none
    }
}
