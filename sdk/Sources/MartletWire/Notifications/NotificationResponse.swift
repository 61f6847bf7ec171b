/// How far a notification has come.
public enum NotificationStatus: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits for its time.
    case scheduled
    /// Its audience is being read, or deliveries are waiting or under way.
    case sending
    /// Every delivery has its recorded state.
    case done
    /// It was cancelled; what had not been sent was not.
    case cancelled
}

/// The answer to a request to send: it is durable from this moment.
public struct NotificationAccepted: Sendable, Hashable, Codable {
    /// The notification's id.
    public var id: PublicID
    /// How far it has come.
    public var status: NotificationStatus

    public init(id: PublicID, status: NotificationStatus) {
        self.id = id
        self.status = status
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case id, status }
}

/// A notification and how far it has come.
public struct NotificationResponse: Sendable, Hashable, Codable {
    /// The id.
    public var id: PublicID
    /// Whose it is.
    public var appID: PublicID
    /// How far it has come.
    public var status: NotificationStatus
    /// Whom it is for.
    public var audience: AudienceResponse
    /// The first line.
    public var title: String?
    /// The text.
    public var body: String?
    /// What it waits behind.
    public var `class`: NotificationClass
    /// How loud it is on the phone.
    public var priority: Priority
    /// What keeps a user from getting it twice.
    public var dedupKey: String?
    /// What replaces an older one on the phone.
    public var collapseID: String?
    /// How many deliveries are in which state.
    public var counts: DeliveryCounts
    /// What phones reported of it.
    public var events: EventCountsResponse
    /// When it was accepted from the backend.
    public var createdAt: UTCTime
    /// When it begins.
    public var sendAt: UTCTime
    /// When no delivery of it is tried any more.
    public var expiresAt: UTCTime
    /// The pauses that deliveries of it wait for.
    public var pauses: [PauseResponse]?

    /// An answer from its parts; the text, the keys and the pauses are set afterwards.
    public init(
        id: PublicID,
        appID: PublicID,
        status: NotificationStatus,
        audience: AudienceResponse,
        class: NotificationClass,
        priority: Priority,
        counts: DeliveryCounts,
        events: EventCountsResponse,
        createdAt: UTCTime,
        sendAt: UTCTime,
        expiresAt: UTCTime
    ) {
        self.id = id
        self.appID = appID
        self.status = status
        self.audience = audience
        self.class = `class`
        self.priority = priority
        self.counts = counts
        self.events = events
        self.createdAt = createdAt
        self.sendAt = sendAt
        self.expiresAt = expiresAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case appID = "app_id"
        case status, audience, title, body
        case `class` = "class"
        case priority
        case dedupKey = "dedup_key"
        case collapseID = "collapse_id"
        case counts, events
        case createdAt = "created_at"
        case sendAt = "send_at"
        case expiresAt = "expires_at"
        case pauses
    }
}

/// Whom a notification is for, without the names: its deliveries have them.
public struct AudienceResponse: Sendable, Hashable, Codable {
    /// How people were named.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// By user id.
        case users
        /// By endpoint id.
        case endpoints
        /// By token.
        case tokens
        /// Everybody.
        case all
        /// The subscribers of a topic.
        case topic
    }

    /// How people were named.
    public var kind: Kind
    /// How many were named.
    public var count: Int?
    /// The topic's name.
    public var topic: String?

    public init(kind: Kind, count: Int?, topic: String? = nil) {
        self.kind = kind
        self.count = count
        self.topic = topic
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case kind, count, topic }
}

/// How many deliveries of a notification are in which state.
public struct DeliveryCounts: Sendable, Hashable, Codable {
    /// Waiting or under way.
    public var pending: Int
    /// The provider took it. Not the same as: it reached the phone.
    public var accepted: Int
    /// The provider refused it for good.
    public var rejected: Int
    /// It was not made.
    public var suppressed: Int
    /// Its time ran out.
    public var expired: Int
    /// It was cancelled.
    public var cancelled: Int
    /// Its attempts were used up.
    public var dead: Int

    public init(
        pending: Int = 0,
        accepted: Int = 0,
        rejected: Int = 0,
        suppressed: Int = 0,
        expired: Int = 0,
        cancelled: Int = 0,
        dead: Int = 0
    ) {
        self.pending = pending
        self.accepted = accepted
        self.rejected = rejected
        self.suppressed = suppressed
        self.expired = expired
        self.cancelled = cancelled
        self.dead = dead
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case pending, accepted, rejected, suppressed, expired, cancelled, dead
    }
}
