/// What the person allowed the app to show: the words of `UNAuthorizationStatus`.
public enum PermissionName: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nobody asked yet.
    case notDetermined = "not_determined"
    /// Notifications are refused.
    case denied
    /// Notifications are allowed.
    case authorized
    /// Quiet notifications are allowed, without a prompt.
    case provisional
    /// Allowed for the life of an App Clip.
    case ephemeral
}
