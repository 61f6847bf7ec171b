public import MartletWire

/// What a backend asks for: tell these people this.
public struct Submission: Sendable {
    /// Whose people.
    public var app: App
    /// Which people.
    public var audience: Audience
    /// What to tell them.
    public var content: Content
    /// The kind of notification that a person can switch; `nil` asks only their choice over all.
    public var category: Category?
    /// The item that it leaves in inboxes; `nil` leaves none.
    public var inbox: InboxDraft?
    /// What of the inbox the number on the app's icon is, in place of the content's one.
    public var inboxBadge: InboxBadgeName?
    /// The number on the app's icon by users' ids, in place of the content's one for all; who is not named keeps theirs.
    public var badges: [String: Int32]
    /// Whether payloads have the delivery's own id.
    public var hasDeliveryID: Bool
    /// The provider's kind of push; `nil` lets the provider choose from the content.
    public var pushType: String?
    /// The provider's topic, where it is not the app's own with the push type's suffix.
    public var topic: String?
    /// What it waits behind; where nothing is said, ``Audience/usualClass``.
    public var `class`: NotificationClass
    /// How loud it is on the phone; `nil` lets the provider choose from the push type.
    public var priority: Priority?
    /// What replaces an older notification on the phone.
    public var collapse: Collapse
    /// What keeps a subject from getting it twice.
    public var dedup: Dedup?
    /// When it begins; `nil` means now.
    public var sendAt: Timestamp?
    /// When it is no longer worth delivering.
    public var expiry: Expiry
    /// How often and when a delivery is tried again.
    public var retry: RetryPolicy
    /// What the filters of a topic's subscribers look at.
    public var message: TopicMessage
    /// Whether what a provider would refuse is accepted and recorded as rejected, delivery by delivery: one platform's
    /// payload must not stop a message to a topic.
    public var recordsRefusals: Bool
    /// What it came of.
    public var origin: NotificationOrigin
    /// Who is in the audit log with it; where it names one person or device nobody is, because a code that somebody signs in
    /// with must not cost a row more.
    package var sentBy: AuditActor?

    /// What a phone does with an older notification of the same kind.
    public enum Collapse: Sendable, Hashable {
        /// The inbox item's key is the collapse id, or else the dedup key; none without either.
        case byDedupKey
        /// This is the collapse id.
        case id(String)
        /// There is none.
        case off
    }

    /// When a notification is no longer worth delivering.
    public enum Expiry: Sendable, Hashable {
        /// The provider's own policy decides; we stop trying after ``undatedLifetime``.
        case provider
        /// The provider tries once and stores nothing (`apns-expiration: 0`); we retry what did not reach it.
        case immediate
        /// At this moment.
        case at(Timestamp)

        /// How long a delivery without an expiry is kept waiting, for a paused app say: one day. Ours; what is older
        /// than that no longer helps the person who would read it.
        public static let undatedLifetime: Duration = .seconds(86_400)
    }

    package init(
        app: App,
        audience: Audience,
        content: Content,
        category: Category? = nil,
        inbox: InboxDraft? = nil,
        inboxBadge: InboxBadgeName? = nil,
        badges: [String: Int32] = [:],
        hasDeliveryID: Bool = false,
        pushType: String? = nil,
        topic: String? = nil,
        class: NotificationClass? = nil,
        priority: Priority? = nil,
        collapse: Collapse = .byDedupKey,
        dedup: Dedup? = nil,
        sendAt: Timestamp? = nil,
        expiry: Expiry = .provider,
        retry: RetryPolicy = .standard,
        message: TopicMessage = TopicMessage(),
        recordsRefusals: Bool = false,
        origin: NotificationOrigin = .caller
    ) {
        self.app = app
        self.audience = audience
        self.content = content
        self.category = category
        self.inbox = inbox
        self.inboxBadge = inboxBadge
        self.badges = badges
        self.hasDeliveryID = hasDeliveryID
        self.pushType = pushType
        self.topic = topic
        self.class = `class` ?? audience.usualClass
        self.priority = priority
        self.collapse = collapse
        self.dedup = dedup
        self.sendAt = sendAt
        self.expiry = expiry
        self.retry = retry
        self.message = message
        self.recordsRefusals = recordsRefusals
        self.origin = origin
    }

    /// The most users that badges may name: they are read with each batch.
    package static let badgeLimit = 1_000

    /// Checks that badges name not too many users, each in a proper form.
    ///
    /// - Throws: `Failure` naming the user's field.
    package func validateBadges() throws(Failure) {
        guard badges.count <= Submission.badgeLimit else {
            throw .invalid(
                "badge.by_user",
                "It names at most \(Submission.badgeLimit) users; this one names \(badges.count)."
            )
        }
        for (id, badge) in badges {
            let field = "badge.by_user.\(id.prefix(100))"
            try User.validate(id: id, field: field)
            guard badge >= 0 else { throw .invalid(field, "A badge is a whole number, 0 or more.") }
        }
    }

    /// Whether each user that it is for has a badge of their own. Who names devices knows whose they are.
    package var namesAllBadges: Bool {
        switch audience {
        case .users(let ids): inboxBadge != nil || ids.allSatisfy { badges[$0] != nil }
        case .endpoints: inboxBadge != nil
        default: false
        }
    }

    /// The collapse id that goes to the provider.
    public var collapseID: String? {
        switch collapse {
        // A later item under the same key takes the place of what is shown too.
        case .byDedupKey: inbox?.key.map { Dedup(key: $0).collapseID } ?? dedup?.collapseID
        case .id(let id): id
        case .off: nil
        }
    }
}
