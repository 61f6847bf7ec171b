public import MartletWire

/// One event as a phone reported it, read and within its limits.
public struct EventDraft: Sendable, Hashable {
    /// What an event is known by when it is reported again.
    public struct Key: Sendable, Hashable {
        /// The id, or what was made of it.
        public var id: PublicID
        /// For how long it is known.
        public var memory: Duration

        package init(id: PublicID, memory: Duration) {
            self.id = id
            self.memory = memory
        }

        /// For how long an `event_id` is known: 30 days, longer than a phone's queue is likely to wait.
        public static let eventMemory: Duration = .seconds(30 * 86_400)
        /// For how long a `uuid` of Treasure Data's format is known: one hour, as there.
        public static let uuidMemory: Duration = .seconds(3_600)
    }

    /// What it is known by; `nil` where the reporter gave it nothing.
    public var key: Key?
    /// The id that is stored.
    public var eventID: PublicID?
    /// What happened.
    public var type: EventType
    /// When, by the phone's clock; `nil` where it does not say.
    public var clientTime: Timestamp?
    /// The push's id.
    public var messageID: String?
    /// The campaign's id.
    public var campaignID: String?
    /// The kind of phone.
    public var platform: EventPlatform
    /// Who was logged in.
    public var user: String?
    /// The link.
    public var value: String?
    /// The token at Firebase Cloud Messaging.
    public var fcmToken: String?
    /// The token at Apple, normalized.
    public var apnsToken: String?
    /// The installation that it says it comes from.
    public var installation: PublicID?
    /// The hardware.
    public var deviceModel: String?
    /// The operating system's version.
    public var osVersion: String?
    /// The app's version.
    public var appVersion: String?

    /// An event; what need not be there is set afterwards.
    public init(type: EventType, platform: EventPlatform, clientTime: Timestamp?) {
        self.type = type
        self.platform = platform
        self.clientTime = clientTime
    }
}
