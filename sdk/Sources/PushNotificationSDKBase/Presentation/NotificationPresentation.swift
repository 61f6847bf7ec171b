/// How a notification is shown while the app is in front.
public struct NotificationPresentation: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int
    /// A presentation by its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// At the top of the screen.
    public static let banner = NotificationPresentation(rawValue: 1 << 0)
    /// In the notification center; before iOS 14 there is only one kind of alert, which is shown for either.
    public static let list = NotificationPresentation(rawValue: 1 << 1)
    /// With its sound.
    public static let sound = NotificationPresentation(rawValue: 1 << 2)
    /// With its number on the app's icon.
    public static let badge = NotificationPresentation(rawValue: 1 << 3)

    /// As if the app were not in front.
    public static let all: NotificationPresentation = [.banner, .list, .sound, .badge]
}
