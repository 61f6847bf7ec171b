/// Work that is tried no more until somebody asks for it.
public struct QuarantineItem: Sendable, Hashable, Codable {
    /// What the work is.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Deliveries.
        case batch
        /// The reading of a notification's audience.
        case fanOut = "fan_out"
    }

    /// The id.
    public var id: PublicID
    /// The notification.
    public var notificationID: PublicID
    /// What the work is.
    public var kind: Kind
    /// The provider; for a batch.
    public var platform: PlatformName?
    /// The provider's environment; for a batch.
    public var environment: EnvironmentName?
    /// How many deliveries wait in it.
    public var deliveries: Int
    /// Why.
    public var reason: QuarantineReason
    /// How often it was taken up and never recorded.
    public var tries: Int
    /// Since when.
    public var since: UTCTime

    public init(
        id: PublicID,
        notificationID: PublicID,
        kind: Kind,
        platform: PlatformName?,
        environment: EnvironmentName?,
        deliveries: Int,
        reason: QuarantineReason,
        tries: Int,
        since: UTCTime
    ) {
        self.id = id
        self.notificationID = notificationID
        self.kind = kind
        self.platform = platform
        self.environment = environment
        self.deliveries = deliveries
        self.reason = reason
        self.tries = tries
        self.since = since
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case notificationID = "notification_id"
        case kind, platform, environment, deliveries, reason, tries, since
    }
}

/// Why work is quarantined.
public enum QuarantineReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// It crashed its worker, or failed, again and again.
    case crashed
    /// The database's row cannot be read.
    case unreadable
}
