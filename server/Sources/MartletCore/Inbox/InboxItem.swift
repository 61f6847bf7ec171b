public import MartletWire

/// What a person can read later.
public struct InboxItem: Sendable, Hashable {
    /// Its number: items of an app are published in this order.
    public var row: RowID<InboxItem>
    /// The id outside, which is the notification's.
    public var id: PublicID
    /// The category's key.
    public var category: String?
    /// What it says.
    public var content: Content
    /// When it was published.
    public var publishedAt: Timestamp
    /// When it leaves.
    public var expiresAt: Timestamp
    /// What the person did with it.
    public var status: InboxStatus

    package init(
        row: RowID<InboxItem>,
        id: PublicID,
        category: String?,
        content: Content,
        publishedAt: Timestamp,
        expiresAt: Timestamp,
        status: InboxStatus
    ) {
        self.row = row
        self.id = id
        self.category = category
        self.content = content
        self.publishedAt = publishedAt
        self.expiresAt = expiresAt
        self.status = status
    }
}

/// What a person did with an item. Who read it saw it, and who archived it read it. A pure value.
public struct InboxStatus: Sendable, Hashable {
    /// Whether they saw it in a list.
    public private(set) var isSeen = false
    /// Whether they read it.
    public private(set) var isRead = false
    /// Whether they put it away.
    public private(set) var isArchived = false

    package init(isSeen: Bool = false, isRead: Bool = false, isArchived: Bool = false) {
        self.isArchived = isArchived
        self.isRead = isRead || isArchived
        self.isSeen = isSeen || self.isRead
    }

    /// The status after an action.
    public func applying(_ action: InboxAction) -> InboxStatus {
        switch action {
        case .see: InboxStatus(isSeen: true, isRead: isRead, isArchived: isArchived)
        case .unsee: InboxStatus()
        case .read: InboxStatus(isRead: true, isArchived: isArchived)
        case .unread: InboxStatus(isSeen: isSeen)
        case .archive: InboxStatus(isArchived: true)
        case .unarchive: InboxStatus(isSeen: isSeen, isRead: isRead)
        }
    }
}

extension InboxAction {
    /// Whether pushes that are not sent yet are not sent any more.
    public var withdraws: Bool { self == .read || self == .archive }

    /// Whether the number of unread items may be another afterwards.
    package var changesUnread: Bool { self != .see && self != .unarchive }
}

/// Whether a notification leaves an item, and what that has of its own.
public struct InboxDraft: Sendable, Hashable, Codable {
    /// What makes a later item take the place of this one, for each person.
    public var key: String?
    /// When it leaves the inbox; `nil` is after ``lifetime``.
    public var expiresAt: Timestamp?
    /// What it says, where that is not what the push says.
    public var content: Content?

    /// How long an item stays: 90 days.
    public static let lifetime: Duration = .seconds(90 * 86_400)

    /// The most bytes of what an item says, as JSON.
    public static let contentLimit = 8_192

    package init(key: String? = nil, expiresAt: Timestamp? = nil, content: Content? = nil) {
        self.key = key
        self.expiresAt = expiresAt
        self.content = content
    }
}

/// How an item is kept, by its notification's audience.
public enum InboxItemKind: Int, Sendable, Hashable, CaseIterable {
    /// One row a person: audiences that are named, and topics of few.
    case rows = 1
    /// One row for all users that there were: announcements to everybody.
    case everyone = 2
    /// Users in sets of 4,096: large topics, and everybody but for those whom a dedup key keeps out.
    case sets = 3
}

/// Which of a person's items are asked for.
public enum InboxSelection: Sendable, Hashable {
    /// One, by its id.
    case one(PublicID)
    /// Newest first: those that are not archived, unseen, unread, read, or archived ones; of one category, or all.
    case list(InboxStatusName, category: RowID<Category>?)
}

/// How many items a person has not read.
public typealias InboxCounts = InboxCountsResponse

/// What a person does with several items.
public enum InboxMark: Sendable, Hashable {
    /// With these; those that are not theirs are passed over.
    case items([PublicID], InboxAction)
    /// With all up to one that they saw; of one category, or all. Seeing, reading and archiving only.
    case all(upTo: PublicID, InboxAction, category: RowID<Category>?)
}

/// Somebody whose inbox is asked for.
public struct InboxOwner: Sendable, Hashable {
    /// Whose user.
    public var app: RowID<App>
    /// The customer's own id for the person.
    public var user: String

    package init(app: RowID<App>, user: String) {
        self.app = app
        self.user = user
    }

    /// By the id's bytes, as the store compares them: whose ids only look the same are two people.
    public static func == (one: InboxOwner, other: InboxOwner) -> Bool {
        one.app == other.app && User.isSame(one.user, other.user)
    }

    /// By the id's bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(app)
        for byte in user.utf8 { hasher.combine(byte) }
    }
}
