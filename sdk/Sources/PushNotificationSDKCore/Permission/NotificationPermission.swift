/// What the person allows the app's notifications: the values of `UNAuthorizationStatus`.
public enum NotificationPermission: Int, Sendable, Hashable, CaseIterable {
    /// The person was not asked yet.
    case notDetermined = 0
    /// The person refused; only the Settings app changes that.
    case denied = 1
    /// The person allowed notifications.
    case authorized = 2
    /// Quiet notifications, on trial: asking upgrades them.
    case provisional = 3
    /// For the few hours of an App Clip.
    case ephemeral = 4

    /// What the system says; what a later one adds reads as refused.
    init(_ status: AuthorizationStatus) { self = Self(rawValue: status.rawValue) ?? .denied }

    /// Whether notifications are shown anywhere.
    public var isAllowed: Bool { self != .notDetermined && self != .denied }
}
