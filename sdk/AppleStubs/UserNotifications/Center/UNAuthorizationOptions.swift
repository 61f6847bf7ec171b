@_exported public import Foundation

/// What an app asks to be allowed.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Takes Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A number on the app's icon.
    public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
    /// A sound.
    public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
    /// An alert.
    public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
    /// Alerts in a car.
    public static let carPlay = UNAuthorizationOptions(rawValue: 1 << 3)
    /// Sounds that ignore the mute switch; needs an entitlement.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 1 << 4)
    /// A button in the system's settings that leads to the app's own.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 1 << 5)
    /// Quiet notifications on trial, without a prompt.
    public static let provisional = UNAuthorizationOptions(rawValue: 1 << 6)
}

/// Whether an app may notify.
public enum UNAuthorizationStatus: Int, Sendable {
    /// The user was not asked yet.
    case notDetermined = 0
    /// The user said no.
    case denied = 1
    /// The user said yes.
    case authorized = 2
    /// Quiet notifications on trial.
    case provisional = 3
    /// An App Clip's few hours.
    @available(iOS 14.0, *)
    @available(tvOS, unavailable)
    case ephemeral = 4
}

/// How a notification shows while the app is in the foreground.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Takes Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The number on the icon.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
    /// The sound.
    public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
    /// Banner and list, before iOS 14 told them apart.
    @available(iOS, introduced: 10.0, deprecated: 14.0)
    public static let alert = UNNotificationPresentationOptions(rawValue: 1 << 2)
    /// Notification Center.
    @available(iOS 14.0, tvOS 14.0, *)
    public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
    /// A banner.
    @available(iOS 14.0, tvOS 14.0, *)
    public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
}
