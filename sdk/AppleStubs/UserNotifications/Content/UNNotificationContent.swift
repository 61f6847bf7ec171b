/// What a notification says. Not to be changed; `mutableCopy()` gives one that is.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    package var record = ContentRecord()
    package var info: [AnyHashable: Any] = [:]
    package var files: [UNNotificationAttachment] = []

    /// An empty content.
    public override init() {
        super.init()
    }

    /// What the system holds of a content, given to an app.
    package convenience init(_ record: ContentRecord) {
        self.init()
        take(record)
    }

    package func take(_ record: ContentRecord) {
        self.record = record
        info = record.userInfo.object
        files = record.attachments.map(UNNotificationAttachment.init)
    }

    /// What the system takes over of this content.
    package var taken: ContentRecord {
        var taken = record
        taken.userInfo = PayloadRecord(info)
        taken.attachments = files.map(\.record)
        return taken
    }

    /// The first line.
    @available(tvOS, unavailable)
    open var title: String { record.title }
    /// The second line.
    @available(tvOS, unavailable)
    open var subtitle: String { record.subtitle }
    /// The text.
    @available(tvOS, unavailable)
    open var body: String { record.body }
    /// The number for the icon.
    open var badge: NSNumber? { record.badge.map { NSNumber(value: $0) } }
    /// The sound.
    @available(tvOS, unavailable)
    open var sound: UNNotificationSound? { record.sound.map(UNNotificationSound.init) }
    /// The id of the category, or an empty text.
    @available(tvOS, unavailable)
    open var categoryIdentifier: String { record.categoryIdentifier }
    /// Groups notifications.
    @available(tvOS, unavailable)
    open var threadIdentifier: String { record.threadIdentifier }
    /// The window to bring up.
    @available(tvOS, unavailable)
    open var targetContentIdentifier: String? { record.targetContentIdentifier }
    /// The payload.
    @available(tvOS, unavailable)
    open var userInfo: [AnyHashable: Any] { info }
    /// Files that show with the notification.
    @available(tvOS, unavailable)
    open var attachments: [UNNotificationAttachment] { files }
    /// How urgent it is.
    @available(iOS 15.0, tvOS 15.0, *)
    open var interruptionLevel: UNNotificationInterruptionLevel {
        UNNotificationInterruptionLevel(rawValue: record.interruptionLevel) ?? .active
    }
    /// Where it stands in a summary, from 0 to 1.
    @available(iOS 15.0, tvOS 15.0, *)
    open var relevanceScore: Double { record.relevanceScore }

    /// The same content, not to be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        copied(into: UNNotificationContent())
    }

    /// The same content, to be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        copied(into: UNMutableNotificationContent())
    }

    private func copied(into copy: UNNotificationContent) -> UNNotificationContent {
        copy.record = record
        copy.info = info
        copy.files = files
        return copy
    }
}

/// How urgent a notification is.
@available(iOS 15.0, tvOS 15.0, *)
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Into the list, without a sound or a light.
    case passive = 0
    /// At once, with sound.
    case active = 1
    /// Through a Focus.
    case timeSensitive = 2
    /// Through the mute switch.
    case critical = 3
}
