/// A content that can be changed.
open class UNMutableNotificationContent: UNNotificationContent {
    /// The first line.
    @available(tvOS, unavailable)
    open override var title: String {
        get { record.title }
        set { record.title = newValue }
    }
    /// The second line.
    @available(tvOS, unavailable)
    open override var subtitle: String {
        get { record.subtitle }
        set { record.subtitle = newValue }
    }
    /// The text.
    @available(tvOS, unavailable)
    open override var body: String {
        get { record.body }
        set { record.body = newValue }
    }
    /// The number for the icon.
    open override var badge: NSNumber? {
        get { super.badge }
        set { record.badge = newValue?.intValue }
    }
    /// The sound.
    @available(tvOS, unavailable)
    open override var sound: UNNotificationSound? {
        get { super.sound }
        set { record.sound = newValue?.name }
    }
    /// The id of the category, or an empty text.
    @available(tvOS, unavailable)
    open override var categoryIdentifier: String {
        get { record.categoryIdentifier }
        set { record.categoryIdentifier = newValue }
    }
    /// Groups notifications.
    @available(tvOS, unavailable)
    open override var threadIdentifier: String {
        get { record.threadIdentifier }
        set { record.threadIdentifier = newValue }
    }
    /// The window to bring up.
    @available(tvOS, unavailable)
    open override var targetContentIdentifier: String? {
        get { record.targetContentIdentifier }
        set { record.targetContentIdentifier = newValue }
    }
    /// The payload.
    @available(tvOS, unavailable)
    open override var userInfo: [AnyHashable: Any] {
        get { info }
        set { info = newValue }
    }
    /// Files that show with the notification.
    @available(tvOS, unavailable)
    open override var attachments: [UNNotificationAttachment] {
        get { files }
        set { files = newValue }
    }
    /// How urgent it is.
    @available(iOS 15.0, tvOS 15.0, *)
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { super.interruptionLevel }
        set { record.interruptionLevel = newValue.rawValue }
    }
    /// Where it stands in a summary, from 0 to 1.
    @available(iOS 15.0, tvOS 15.0, *)
    open override var relevanceScore: Double {
        get { record.relevanceScore }
        set { record.relevanceScore = newValue }
    }
}
