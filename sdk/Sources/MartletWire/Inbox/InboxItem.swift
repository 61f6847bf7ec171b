/// What a person can read later.
public struct InboxItemResponse: Sendable, Hashable, Codable {
    /// The id: that of the notification.
    public var id: PublicID
    /// The category's key.
    public var category: String?
    /// The first line.
    public var title: String?
    /// The second line.
    public var subtitle: String?
    /// The text.
    public var body: String?
    /// An image to show, by its https address.
    public var image: String?
    /// Where a tap leads.
    public var deepLink: String?
    /// The app's own values.
    public var data: [String: JSONValue]?
    /// When it was published.
    public var publishedAt: UTCTime
    /// When it leaves.
    public var expiresAt: UTCTime
    /// Whether the person saw it in a list.
    public var isSeen: Bool
    /// Whether the person read it; who read it saw it too.
    public var isRead: Bool
    /// Whether the person put it away; who did so read it too.
    public var isArchived: Bool

    /// An item; what it says is set afterwards.
    public init(id: PublicID, publishedAt: UTCTime, expiresAt: UTCTime, isSeen: Bool, isRead: Bool, isArchived: Bool) {
        self.id = id
        self.publishedAt = publishedAt
        self.expiresAt = expiresAt
        self.isSeen = isSeen
        self.isRead = isRead
        self.isArchived = isArchived
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, category, title, subtitle, body, image
        case deepLink = "deep_link"
        case data
        case publishedAt = "published_at"
        case expiresAt = "expires_at"
        case isSeen = "is_seen"
        case isRead = "is_read"
        case isArchived = "is_archived"
    }
}

/// Which items a list has: `GET /api/v1/inbox?status=`.
public enum InboxStatusName: String, Sendable, Hashable, Codable, CaseIterable {
    /// Those that are not archived.
    case active
    /// Those that were not seen.
    case unseen
    /// Those that were not read.
    case unread
    /// Those that were read and are not archived.
    case read
    /// Those that are archived.
    case archived
}

/// How many items a person has not read: `GET /api/v1/inbox/counts`.
public struct InboxCountsResponse: Sendable, Hashable, Codable {
    /// Those that were not read.
    public var unread: Int
    /// Those that were not seen.
    public var unseen: Int
    /// A number that grows with each change of the inbox.
    public var revision: Int64

    public init(unread: Int = 0, unseen: Int = 0, revision: Int64 = 0) {
        self.unread = unread
        self.unseen = unseen
        self.revision = revision
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case unread, unseen, revision }
}

/// Changes one item: `PATCH /api/v1/inbox/{id}`. What is absent stays.
public struct InboxItemUpdate: Sendable, Hashable, Codable {
    /// Whether the person saw it.
    public var isSeen: Bool?
    /// Whether the person read it.
    public var isRead: Bool?
    /// Whether the person put it away.
    public var isArchived: Bool?
    /// The installation on which the person did it: its own badge is right already.
    public var installationID: PublicID?

    public init(isSeen: Bool? = nil, isRead: Bool? = nil, isArchived: Bool? = nil) {
        self.isSeen = isSeen
        self.isRead = isRead
        self.isArchived = isArchived
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case isSeen = "is_seen"
        case isRead = "is_read"
        case isArchived = "is_archived"
        case installationID = "installation_id"
    }
}

/// What is done with items.
public enum InboxAction: String, Sendable, Hashable, Codable, CaseIterable {
    /// They were seen.
    case see
    /// They were not seen.
    case unsee
    /// They were read.
    case read
    /// They were not read.
    case unread
    /// They are put away.
    case archive
    /// They are taken out again.
    case unarchive
}

/// Changes several items, or all up to one: `POST /api/v1/inbox/actions`. The answer is an ``InboxCountsResponse``.
public struct InboxActionRequest: Sendable, Hashable, Codable {
    /// What is done: `see`, `read` and `archive` with all, every action with ids.
    public var action: InboxAction
    /// The items.
    public var ids: [PublicID]?
    /// All that are not newer than `up_to`.
    public var all: Bool?
    /// The newest item that the person saw in the list.
    public var upTo: PublicID?
    /// With `all`: only those of this category.
    public var category: String?
    /// The installation on which the person did it: its own badge is right already.
    public var installationID: PublicID?

    /// The most ids of one request.
    public static let limit = 100

    /// An action on some items.
    public init(_ action: InboxAction, ids: [PublicID]) {
        self.action = action
        self.ids = ids
    }

    /// An action on all items up to one.
    public init(_ action: InboxAction, upTo: PublicID, category: String? = nil) {
        self.action = action
        self.all = true
        self.upTo = upTo
        self.category = category
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case action, ids, all
        case upTo = "up_to"
        case category
        case installationID = "installation_id"
    }
}

/// What the events `state` and `changed` of `GET /api/v1/inbox/stream` carry: a hint to read again.
public struct InboxChange: Sendable, Hashable, Codable {
    /// Those that were not read.
    public var unread: Int
    /// Those that were not seen.
    public var unseen: Int
    /// A number that grows with each change of the inbox; the event's id too.
    public var revision: Int64
    /// The newest items, at most 20, what changed before the others; of announcements and large sends they may be missing.
    public var ids: [PublicID]

    public init(unread: Int, unseen: Int, revision: Int64, ids: [PublicID] = []) {
        self.unread = unread
        self.unseen = unseen
        self.revision = revision
        self.ids = ids
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case unread, unseen, revision, ids }
}
