import MartletCore
import MartletWire

/// What the writes about a notification need to know of it.
struct NotificationHead {
    /// The key inside the store.
    var row: RowID<Notification>
    /// Whose it is.
    var app: RowID<App>
    /// Whether it was cancelled.
    var isCancelled: Bool
    /// What it waits behind.
    var `class`: NotificationClass
    /// When no delivery of it is tried any more.
    var expiresAt: Timestamp
    /// When it was accepted.
    var createdAt: Timestamp
    /// What keeps a subject from getting it twice.
    var dedup: Dedup?
    /// Whether it leaves an inbox item.
    var hasInbox = false
    /// The last preference change that its people were decided on with; 0 asks at the lease for all that they changed.
    var mark: Int64 = 0
}

extension NotificationHead {
    /// That of a notification that is being written.
    init(row: RowID<Notification>, draft: NotificationDraft, now: Timestamp) {
        self.init(
            row: row,
            app: draft.app,
            isCancelled: false,
            class: draft.class,
            expiresAt: draft.expiresAt,
            createdAt: now,
            dedup: draft.dedup,
            hasInbox: draft.inbox != nil
        )
    }
}

extension Transaction {
    /// What writes need to know of a notification, or `nil` when it is gone.
    func head(of notification: RowID<Notification>) throws -> NotificationHead? {
        try prepare(
            """
            SELECT n.app_id, n.class, n.expires_at, n.created_at, n.dedup_key, n.dedup_cooldown,
                n.inbox IS NOT NULL AS has_inbox, c.notification_id IS NOT NULL AS is_cancelled
            FROM notifications n LEFT JOIN cancellations c ON c.notification_id = n.id WHERE n.id = ?
            """
        )
        .bind(notification)
        .first { row in
            NotificationHead(
                row: notification,
                app: row.row("app_id"),
                isCancelled: row.flag("is_cancelled"),
                class: try row.code("class"),
                expiresAt: row.time("expires_at"),
                createdAt: row.time("created_at"),
                dedup: Dedup(row),
                hasInbox: row.flag("has_inbox")
            )
        }
    }

    /// Moves a notification's counters, in the row of this writer.
    func count(_ change: CountChange, of notification: RowID<Notification>) throws {
        guard change != CountChange() else { return }
        try prepare(SQL.count)
            .bind(
                notification,
                slot % Self.progressSlots,
                change.planned,
                change.withheld,
                change.accepted,
                change.rejected,
                change.suppressed,
                change.expired,
                change.cancelled,
                change.dead
            )
            .run()
    }

    /// How many rows of counters a notification has at most. Ours: so many that few servers share one.
    private static let progressSlots: Int64 = 16
}

/// By how much a notification's counters move.
struct CountChange: Hashable {
    /// Deliveries of the fan-out.
    var planned = 0
    /// Those of them that an attempt found not to be made.
    var withheld = 0
    /// Accepted ones.
    var accepted = 0
    /// Rejected ones.
    var rejected = 0
    /// Deliveries that are not made.
    var suppressed = 0
    /// Expired ones.
    var expired = 0
    /// Cancelled ones.
    var cancelled = 0
    /// Dead ones.
    var dead = 0

    /// Counts results.
    mutating func add(_ state: DeliveryResult.State, _ count: Int = 1) {
        switch state {
        case .accepted: accepted += count
        case .rejected: rejected += count
        case .expired: expired += count
        case .cancelled: cancelled += count
        case .dead: dead += count
        }
    }
}
