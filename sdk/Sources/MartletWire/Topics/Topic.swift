/// Makes a topic, or finds the one of that name: `POST /api/v1/topics`.
public struct TopicRequest: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The id or name of the app whose it is.
    public var app: String?
    /// What is set about it, by name.
    public var attributes: [String: String]?
    /// The operator's own words about it.
    public var tags: [String: String]?

    public init(
        name: String,
        app: String? = nil,
        attributes: [String: String]? = nil,
        tags: [String: String]? = nil
    ) {
        self.name = name
        self.app = app
        self.attributes = attributes
        self.tags = tags
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case name, app, attributes, tags }
}

/// Changes a topic: `PATCH /api/v1/topics/{topic}`. Of each name the value that it gets, `null` takes it away; others
/// stay.
public struct TopicChange: Sendable, Hashable, Codable {
    /// What is set about it.
    public var attributes: [String: JSONValue]?
    /// The operator's own words about it.
    public var tags: [String: JSONValue]?

    public init(attributes: [String: JSONValue]? = nil, tags: [String: JSONValue]? = nil) {
        self.attributes = attributes
        self.tags = tags
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case attributes, tags }
}

/// A topic.
public struct TopicResponse: Sendable, Hashable, Codable {
    /// The id.
    public var id: PublicID
    /// The name.
    public var name: String
    /// Whose it is.
    public var appID: PublicID?
    /// The region, which is part of its name at Amazon SNS.
    public var region: String
    /// Whether messages keep their order.
    public var isFIFO: Bool
    /// What was set about it.
    public var attributes: [String: String]
    /// The operator's own words about it.
    public var tags: [String: String]
    /// How many subscriptions it has and had.
    public var subscriptions: SubscriptionCounts
    /// When it was made.
    public var createdAt: UTCTime

    public init(
        id: PublicID,
        name: String,
        appID: PublicID?,
        region: String,
        isFIFO: Bool,
        attributes: [String: String],
        tags: [String: String],
        subscriptions: SubscriptionCounts,
        createdAt: UTCTime
    ) {
        self.id = id
        self.name = name
        self.appID = appID
        self.region = region
        self.isFIFO = isFIFO
        self.attributes = attributes
        self.tags = tags
        self.subscriptions = subscriptions
        self.createdAt = createdAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name
        case appID = "app_id"
        case region
        case isFIFO = "is_fifo"
        case attributes, tags, subscriptions
        case createdAt = "created_at"
    }
}

/// How many subscriptions a topic has and had.
public struct SubscriptionCounts: Sendable, Hashable, Codable {
    /// Those that messages go to.
    public var confirmed: Int
    /// Those that wait for their confirmation.
    public var pending: Int
    /// Those that ended.
    public var deleted: Int

    public init(confirmed: Int = 0, pending: Int = 0, deleted: Int = 0) {
        self.confirmed = confirmed
        self.pending = pending
        self.deleted = deleted
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case confirmed, pending, deleted }
}
