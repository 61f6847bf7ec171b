/// The name of a sound file in the app.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The file's name.
    public let rawValue: String

    /// Takes the file's name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes the file's name.
    public init(_ rawValue: String) {
        self.init(rawValue: rawValue)
    }
}

/// A sound that a notification makes.
open class UNNotificationSound: NSObject {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// A sound of the app.
    public convenience init(named name: UNNotificationSoundName) {
        self.init(name.rawValue)
    }

    /// The system's sound; the payload calls it `default`.
    open class var `default`: UNNotificationSound { UNNotificationSound("default") }
}
