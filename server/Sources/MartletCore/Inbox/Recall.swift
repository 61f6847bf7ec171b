public import MartletWire

/// A notification that was taken back, with what its devices have to know.
public struct Recall: Sendable, Hashable {
    /// The notification as it is now.
    public var notification: Notification
    /// Whether it had not been taken back before.
    public var isFirst: Bool
    /// The notifications whose items its item had replaced under its key, newest first: phones may show them.
    public var replaced: [PublicID]
    /// Which number of the inbox it had as its badge.
    public var badge: InboxBadgeName?

    /// How many replaced ones are named. Ours: their ids take 800 bytes of a payload.
    package static let replacedLimit = 20

    package init(notification: Notification, isFirst: Bool, replaced: [PublicID] = [], badge: InboxBadgeName? = nil) {
        self.notification = notification
        self.isFirst = isFirst
        self.replaced = replaced
        self.badge = badge
    }

    /// The number that the people's icons are told with the removal; `nil` where icons do not show the inbox's.
    package func toldBadge(in app: App) -> InboxBadgeName? { badge ?? (app.settings.hasBadgeSync ? .unread : nil) }

    /// What has the SDK remove what is shown of the notification, and of those whose item its item replaced.
    ///
    /// - Parameter told: the number on the icon, which is another one now, where each of the devices is somebody's. Without
    ///   it that is a push in the background: an anonymous device has no number, and would get an alert of nothing.
    package func removal(from devices: [PublicID], app: App, telling told: InboxBadgeName?) -> Submission {
        Submission(
            app: app,
            audience: .endpoints(devices),
            content: Content(removing: [notification.id] + replaced),
            inboxBadge: told,
            pushType: told == nil ? "background" : nil,
            priority: .normal,
            collapse: .id("martlet.remove.\(notification.id)")
        )
    }
}
