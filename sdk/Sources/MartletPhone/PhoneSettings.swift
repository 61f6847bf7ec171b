public import Foundation

/// What kind of phone it is, and whose.
public struct PhoneSettings: Sendable {
    /// A name for people, such as `Aoi's phone`.
    public var name: String
    /// The hardware, such as `iPhone16,1`.
    public var model = "iPhone16,1"
    /// The version of iOS.
    public var systemVersion = "18.0"
    /// The language and region, such as `ja-JP`.
    public var locale = "ja-JP"
    /// The IANA time zone.
    public var timeZone = "Asia/Tokyo"
    /// The phone's disk; it may be there from an earlier life of the phone.
    public var folder: URL
    /// Where the app's tokens are valid.
    public var environment = PhoneEnvironment.production
    /// Seconds that the service extension has. Apple: about 30.
    public var extensionLimit: TimeInterval = 30
    /// Seconds that the service extension has after its time ran out. Apple says only that it is little.
    public var extensionGrace: TimeInterval = 2
    /// Seconds that the app has to answer the system. Apple: some 30 for a push in the background.
    public var answerLimit: TimeInterval = 30
    /// Whether an app in the background is suspended as soon as it has no background task and owes the system no answer.
    /// Apple promises no more than that. A suspended app's requests wait until it goes on.
    public var suspends = false
    /// The phone's clock, from which notifications have their date.
    package var now: @Sendable () -> Date = { Date() }
    /// When the service extension's time is over.
    package var extensionTimer: DeadlineTimer = DispatchQueue.afterDeadline

    /// A phone with a name and a disk.
    public init(name: String = "Phone", folder: URL) {
        self.name = name
        self.folder = folder
    }
}
