/// What an operator sets about an app.
public struct AppSettings: Sendable, Hashable {
    /// Whether reading on one device sends the new badge to the others.
    public var hasBadgeSync: Bool
    /// Where an SNS endpoint's `CustomUserData` has the user's id; without it such endpoints are anonymous.
    public var snsUserPointer: JSONPointer?

    package init(hasBadgeSync: Bool = false, snsUserPointer: JSONPointer? = nil) {
        self.hasBadgeSync = hasBadgeSync
        self.snsUserPointer = snsUserPointer
    }
}
