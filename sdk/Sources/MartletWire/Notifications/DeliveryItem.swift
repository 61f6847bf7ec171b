/// The state of one delivery.
public enum DeliveryState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Waiting or under way.
    case pending
    /// The provider took it. Not the same as: it reached the phone.
    case accepted
    /// The provider refused it for good.
    case rejected
    /// It was not made.
    case suppressed
    /// Its time ran out.
    case expired
    /// It was cancelled.
    case cancelled
    /// Its attempts were used up.
    case dead
}

/// What became of one delivery, and why.
public struct DeliveryItem: Sendable, Hashable, Codable {
    /// The delivery's id.
    public var id: PublicID?
    /// The endpoint, while it is known.
    public var endpointID: PublicID?
    /// The user, where there is one.
    public var userID: String?
    /// The provider, while the endpoint is known.
    public var platform: PlatformName?
    /// The state.
    public var state: DeliveryState
    /// The provider's reason, or ours.
    public var reason: String?
    /// The same in a word of ours, whatever the provider calls it.
    public var reasonCode: String?
    /// How many attempts were made.
    public var attempts: Int
    /// When the state was recorded, or when it is tried next.
    public var at: UTCTime?

    public init(
        id: PublicID?,
        endpointID: PublicID?,
        userID: String?,
        platform: PlatformName?,
        state: DeliveryState,
        reason: String?,
        attempts: Int,
        at: UTCTime?
    ) {
        self.id = id
        self.endpointID = endpointID
        self.userID = userID
        self.platform = platform
        self.state = state
        self.reason = reason
        self.attempts = attempts
        self.at = at
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case endpointID = "endpoint_id"
        case userID = "user_id"
        case platform, state, reason
        case reasonCode = "reason_code"
        case attempts, at
    }
}

/// A delivery that was not made, and why.
public struct SuppressionItem: Sendable, Hashable, Codable {
    /// The endpoint, where there is one.
    public var endpointID: PublicID?
    /// The user, where there is one.
    public var userID: String?
    /// The provider, while the endpoint is known.
    public var platform: PlatformName?
    /// Why.
    public var reason: String
    /// For a duplicate: the notification that the user has had instead.
    public var heldBy: PublicID?
    /// When that was decided.
    public var at: UTCTime?

    public init(
        endpointID: PublicID?,
        userID: String?,
        platform: PlatformName?,
        reason: String,
        heldBy: PublicID?,
        at: UTCTime?
    ) {
        self.endpointID = endpointID
        self.userID = userID
        self.platform = platform
        self.reason = reason
        self.heldBy = heldBy
        self.at = at
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case endpointID = "endpoint_id"
        case userID = "user_id"
        case platform, reason
        case heldBy = "held_by"
        case at
    }
}

/// A delivery whose attempts were used up.
public struct DeadLetterItem: Sendable, Hashable, Codable {
    /// The id.
    public var id: PublicID
    /// The notification.
    public var notificationID: PublicID
    /// The endpoint.
    public var endpointID: PublicID
    /// The user, where there is one.
    public var userID: String?
    /// The last reason.
    public var reason: String?
    /// The same in a word of ours, whatever the provider calls it.
    public var reasonCode: String?
    /// How many attempts were made.
    public var attempts: Int
    /// When the last one was.
    public var diedAt: UTCTime

    public init(
        id: PublicID,
        notificationID: PublicID,
        endpointID: PublicID,
        userID: String?,
        reason: String?,
        attempts: Int,
        diedAt: UTCTime
    ) {
        self.id = id
        self.notificationID = notificationID
        self.endpointID = endpointID
        self.userID = userID
        self.reason = reason
        self.attempts = attempts
        self.diedAt = diedAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case notificationID = "notification_id"
        case endpointID = "endpoint_id"
        case userID = "user_id"
        case reason
        case reasonCode = "reason_code"
        case attempts
        case diedAt = "died_at"
    }
}
