public import MartletWire

/// What a backend asked for, once, and how far it has come.
public struct Notification: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<Notification>
    /// The id outside.
    public var id: PublicID
    /// Whose it is.
    public var app: RowID<App>
    /// How far it has come.
    public var state: NotificationStatus
    /// Whom it is for.
    public var audience: Audience
    /// What it says.
    public var content: Content
    /// The kind of notification that a person can switch.
    public var category: Category?
    /// The item that it leaves in inboxes.
    public var inbox: InboxDraft?
    /// What it waits behind.
    public var `class`: NotificationClass
    /// How loud it is on the phone.
    public var priority: Priority
    /// What keeps a subject from getting it twice.
    public var dedup: Dedup?
    /// What replaces an older one on the phone.
    public var collapseID: String?
    /// When it begins.
    public var sendAt: Timestamp
    /// When no delivery of it is tried any more.
    public var expiresAt: Timestamp
    /// How often and when a delivery is tried again.
    public var retry: RetryPolicy
    /// How many deliveries are in which state.
    public var counts: DeliveryCounts
    /// When it was accepted from the backend.
    public var createdAt: Timestamp
    /// When it was taken back; `nil` where it was not.
    public var recalledAt: Timestamp?

    package init(
        row: RowID<Notification>,
        id: PublicID,
        app: RowID<App>,
        state: NotificationStatus,
        audience: Audience,
        content: Content,
        category: Category? = nil,
        inbox: InboxDraft? = nil,
        class: NotificationClass,
        priority: Priority,
        dedup: Dedup?,
        collapseID: String?,
        sendAt: Timestamp,
        expiresAt: Timestamp,
        retry: RetryPolicy,
        counts: DeliveryCounts,
        createdAt: Timestamp,
        recalledAt: Timestamp? = nil
    ) {
        self.row = row
        self.id = id
        self.app = app
        self.state = state
        self.audience = audience
        self.content = content
        self.category = category
        self.inbox = inbox
        self.class = `class`
        self.priority = priority
        self.dedup = dedup
        self.collapseID = collapseID
        self.sendAt = sendAt
        self.expiresAt = expiresAt
        self.retry = retry
        self.counts = counts
        self.createdAt = createdAt
        self.recalledAt = recalledAt
    }
}
