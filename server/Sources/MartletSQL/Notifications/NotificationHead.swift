import MartletCore

/// What the writes about a notification need to know of it.
struct NotificationHead {
    /// The key inside the store.
    var row: RowID<Notification>
    /// Whose it is.
    var app: RowID<App>
    /// How far it has come.
    var state: Notification.State
    /// How urgent it is.
    var priority: Priority
    /// When no delivery of it is tried any more.
    var expiresAt: Timestamp
    /// When it was accepted.
    var createdAt: Timestamp
    /// What keeps a subject from getting it twice.
    var dedup: Dedup?
}

extension NotificationHead {
    /// That of a notification that is being written.
    init(row: RowID<Notification>, draft: NotificationDraft, now: Timestamp) {
        self.init(
            row: row,
            app: draft.app,
            state: .sending,
            priority: draft.priority,
            expiresAt: draft.expiresAt,
            createdAt: now,
            dedup: draft.dedup
        )
    }
}

extension Transaction {
    /// What writes need to know of a notification, or `nil` when it is gone.
    func head(of notification: RowID<Notification>) throws -> NotificationHead? {
        try prepare(
            """
            SELECT n.app_id, n.state, n.priority, n.expires_at, n.created_at, r.dedup_key, r.dedup_cooldown
            FROM \(Notification.tables) WHERE n.id = ?
            """
        )
        .bind(notification)
        .first { row in
            NotificationHead(
                row: notification,
                app: row.row("app_id"),
                state: try row.code("state"),
                priority: try row.code("priority"),
                expiresAt: row.time("expires_at"),
                createdAt: row.time("created_at"),
                dedup: Dedup(row)
            )
        }
    }

    /// Moves a notification's counters, all in one statement.
    func count(_ change: CountChange, of notification: RowID<Notification>) throws {
        guard change != CountChange() else { return }
        try prepare(
            """
            UPDATE notifications SET planned = planned + ?, pending = pending + ?, accepted = accepted + ?,
                rejected = rejected + ?, suppressed = suppressed + ?, expired = expired + ?, cancelled = cancelled + ?,
                dead = dead + ?
            WHERE id = ?
            """
        )
        .bind(
            change.planned,
            change.pending,
            change.accepted,
            change.rejected,
            change.suppressed,
            change.expired,
            change.cancelled,
            change.dead,
            notification
        )
        .run()
    }
}

/// By how much a notification's counters move.
struct CountChange: Hashable {
    /// Deliveries of the fan-out.
    var planned = 0
    /// Deliveries that stand in a batch.
    var pending = 0
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

    /// Counts one result.
    mutating func add(_ state: DeliveryResult.State) {
        switch state {
        case .accepted: accepted += 1
        case .rejected: rejected += 1
        case .expired: expired += 1
        case .cancelled: cancelled += 1
        case .dead: dead += 1
        }
    }
}
