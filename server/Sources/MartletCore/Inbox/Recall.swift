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
}
