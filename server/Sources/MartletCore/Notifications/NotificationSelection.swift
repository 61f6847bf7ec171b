public import MartletWire

/// A notification to be written.
public struct SubmitRequest: Sendable {
    /// What is written.
    public var draft: NotificationDraft
    /// What makes a repeated request the same request.
    public var idempotency: IdempotencyRecord?
    /// Where given, an audience that is named and short, or a topic's, is read, gated and written as batches in the same
    /// transaction; any other is left for the lease of fan-outs.
    public var gate: Gate?
    /// Where given, those batches are leased with it where it has capacity and their queues are not paused.
    public var reservation: Reservation?

    package init(
        _ draft: NotificationDraft,
        idempotency: IdempotencyRecord? = nil,
        gate: Gate? = nil,
        reservation: Reservation? = nil
    ) {
        self.draft = draft
        self.idempotency = idempotency
        self.gate = gate
        self.reservation = reservation
    }
}

/// What became of one of the notifications that were to be written together.
public enum SubmitOutcome: Sendable, Hashable {
    /// It is written, or was by the same request before.
    case submitted(Submitted)
    /// It was refused: its app or its topic is gone, or its key was used with another request.
    case refused(Failure)
    /// Another notification has the key that its id begins with: draw another id.
    case idTaken

    /// What was written.
    ///
    /// - Throws: ``NotificationIDTaken``; the refusal.
    public func submitted() throws -> Submitted {
        switch self {
        case .submitted(let submitted): submitted
        case .refused(let failure): throw failure
        case .idTaken: throw NotificationIDTaken()
        }
    }
}

/// Which notifications are asked for.
public enum NotificationSelection: Sendable, Hashable {
    case one(PublicID)
    /// That which the same request made before; a record ends before the notification does.
    case submitted(under: IdempotencyRecord)
    /// The newest that the same operator made by an equal request since a moment, whichever form it came by.
    case equal(to: IdempotencyRecord, since: Timestamp)
    /// An app's, or everybody's; of one state, or all.
    case all(of: RowID<App>?, state: NotificationStatus?)
    /// Those that a filter lets through. Where it looks for a text, a page looks at so many notifications and for so long,
    /// the newest first: it may hold less than is asked for, or nothing, and have one after it.
    case matching(NotificationFilter)
}

/// Which reports are asked for.
public enum ReportSelection: Sendable, Hashable {
    /// The result of each delivery, pending ones and those that were not made too, by endpoint: the key of a page.
    case deliveries
    /// Deliveries that were not made, by endpoint and user.
    case suppressions
    /// Those who did not get it, whatever the reason, or for one: people without a device by user, then devices by endpoint.
    /// What waits is not among them. A reason is the provider's word, ours, or that of a state. Each says whether the person
    /// has it on another device; where those who have, or have not, are asked for, only they are listed.
    case missed(reason: String?, reachedOtherwise: Bool?)
}

/// A notification on its way into the store.
public struct NotificationDraft: Sendable {
    /// The id outside, already in the rendered payload.
    public var id: PublicID
    /// Whose it is.
    public var app: RowID<App>
    /// Whom it is for, validated.
    public var audience: Audience
    /// What it says, for people to read.
    public var content: Content
    /// The kind of notification that a person can switch.
    public var category: Category?
    /// The item that it leaves in inboxes.
    public var inbox: InboxDraft?
    /// What of the inbox fills the places for a badge in the messages.
    public var inboxBadge: InboxBadgeName?
    /// What it waits behind.
    public var `class`: NotificationClass
    /// How loud it is on the phone.
    public var priority: Priority
    /// What keeps a subject from getting it twice.
    public var dedup: Dedup?
    /// What replaces an older one on the phone.
    public var collapseID: String?
    /// When it begins; `nil` is now.
    public var sendAt: Timestamp?
    /// When no delivery of it is tried any more.
    public var expiresAt: Timestamp
    /// How often and when a delivery is tried again.
    public var retry: RetryPolicy
    /// What each platform gets.
    public var messages: [Message]
    /// What fills the places for a badge in the messages.
    public var badges: [String: Int32]
    /// What the filters of a topic's subscribers look at.
    public var message: TopicMessage
    /// What it came of.
    public var origin: NotificationOrigin
    /// What is written into the audit log in the same transaction.
    public var audit: AuditDraft?

    package init(
        id: PublicID,
        app: RowID<App>,
        audience: Audience,
        content: Content,
        category: Category? = nil,
        inbox: InboxDraft? = nil,
        inboxBadge: InboxBadgeName? = nil,
        class: NotificationClass = .default,
        priority: Priority,
        dedup: Dedup?,
        collapseID: String?,
        sendAt: Timestamp?,
        expiresAt: Timestamp,
        retry: RetryPolicy,
        messages: [Message],
        badges: [String: Int32] = [:],
        message: TopicMessage = TopicMessage(),
        origin: NotificationOrigin = .caller
    ) {
        self.id = id
        self.app = app
        self.audience = audience
        self.content = content
        self.category = category
        self.inbox = inbox
        self.inboxBadge = inboxBadge
        self.class = `class`
        self.priority = priority
        self.dedup = dedup
        self.collapseID = collapseID
        self.sendAt = sendAt
        self.expiresAt = expiresAt
        self.retry = retry
        self.messages = messages
        self.badges = badges
        self.message = message
        self.origin = origin
    }
}

/// What makes a repeated request the same request; kept for 24 hours.
public struct IdempotencyRecord: Sendable, Hashable {
    /// The API key that asks.
    public var key: RowID<APIKey>
    /// The method and path.
    public var route: String
    /// What the caller sent as `Idempotency-Key`.
    public var value: String
    /// SHA-256 of the request's body.
    public var bodyHash: SecretHash

    /// For how long a record is kept.
    public static let lifetime: Duration = .seconds(86_400)

    package init(key: RowID<APIKey>, route: String, value: String, bodyHash: SecretHash) {
        self.key = key
        self.route = route
        self.value = value
        self.bodyHash = bodyHash
    }
}

/// The result of a submission.
public struct Submitted: Sendable, Hashable {
    /// The notification: the new one, or the one that the same request made before.
    public var id: PublicID
    /// Whether the request had been made before.
    public var isRepeated: Bool
    /// What the gate decided, where the audience was read at once.
    public var fanOut: GatedPage?
    /// Its batches that were leased with the reservation.
    public var leased: [Batch]
    /// What their endpoints were then, in the order of their members.
    public var targets: [[TargetState?]]

    package init(
        id: PublicID,
        isRepeated: Bool,
        fanOut: GatedPage? = nil,
        leased: [Batch] = [],
        targets: [[TargetState?]] = []
    ) {
        self.id = id
        self.isRepeated = isRepeated
        self.fanOut = fanOut
        self.leased = leased
        self.targets = targets
    }
}

/// One line of the answer to "what happened and why".
public struct DeliveryReport: Sendable, Hashable {
    /// The endpoint's id; `nil` where a user has none, or where it was deleted since.
    public var endpoint: PublicID?
    /// The endpoint's row, from which the delivery's id is made.
    public var endpointRow: RowID<Endpoint>?
    /// The platform, where the endpoint is still known.
    public var platform: Platform?
    /// The user's id, where there is one.
    public var user: String?
    /// Whether the endpoint is a user's now, whoever had it then.
    public var hasUser: Bool
    /// Whether the user has the notification on another device. Only lists of who missed it say so.
    public var isReachedOtherwise: Bool
    /// The state.
    public var state: DeliveryState
    /// The provider's reason, or ours.
    public var reason: String?
    /// For a duplicate: the notification that holds the dedup key.
    public var heldBy: PublicID?
    /// What else is to be said of the reason.
    public var detail: Suppression.Detail?
    /// How many attempts were made.
    public var attempts: Int
    /// When the state was recorded; for a pending delivery, when it is tried next.
    public var at: Timestamp?
    /// For a pending delivery: what it waits for.
    public var waiting: Waiting?

    package init(
        endpoint: PublicID?,
        endpointRow: RowID<Endpoint>?,
        platform: Platform?,
        user: String?,
        hasUser: Bool = false,
        isReachedOtherwise: Bool = false,
        state: DeliveryState,
        reason: String?,
        heldBy: PublicID?,
        detail: Suppression.Detail? = nil,
        attempts: Int,
        at: Timestamp?,
        waiting: Waiting? = nil
    ) {
        self.endpoint = endpoint
        self.endpointRow = endpointRow
        self.platform = platform
        self.user = user
        self.hasUser = hasUser
        self.isReachedOtherwise = isReachedOtherwise
        self.state = state
        self.reason = reason
        self.heldBy = heldBy
        self.detail = detail
        self.attempts = attempts
        self.at = at
        self.waiting = waiting
    }
}

/// A delivery whose attempts were used up, kept for somebody to look at and to retry.
public struct DeadLetter: Sendable, Hashable {
    /// The key inside the store.
    public var row: Int64
    /// The id outside.
    public var id: PublicID
    /// Whose it is.
    public var app: RowID<App>
    /// The notification.
    public var notification: PublicID
    /// The endpoint.
    public var endpoint: PublicID
    /// The user, where there is one.
    public var user: String?
    /// The last reason.
    public var reason: String?
    /// How many attempts were made.
    public var attempts: Int
    /// When the last one was.
    public var diedAt: Timestamp

    package init(
        row: Int64,
        id: PublicID,
        app: RowID<App>,
        notification: PublicID,
        endpoint: PublicID,
        user: String?,
        reason: String?,
        attempts: Int,
        diedAt: Timestamp
    ) {
        self.row = row
        self.id = id
        self.app = app
        self.notification = notification
        self.endpoint = endpoint
        self.user = user
        self.reason = reason
        self.attempts = attempts
        self.diedAt = diedAt
    }
}
