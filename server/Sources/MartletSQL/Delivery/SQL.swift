import MartletCore

/// The statements that are run for each delivery, batch or poll; a test reads each one's plan on SQLite.
enum SQL {
    /// The next app that has open fan-outs: the app after which to look.
    static let nextFanOutApp = """
        SELECT app_id FROM notifications /*+ notifications_fan_out */
        WHERE state = 1 AND is_fan_out_open = 1 AND app_id > ? ORDER BY app_id LIMIT 1
        """

    /// An app's fan-outs that nobody holds: app, now, below how many leases without a part they are looked at and from
    /// how many on again, limit.
    static let openFanOuts = """
        SELECT id, priority FROM notifications /*+ notifications_fan_out */
        WHERE state = 1 AND is_fan_out_open = 1 AND app_id = ? AND fan_out_until <= ?
            AND (fan_out_lease_count < ? OR fan_out_lease_count >= ?)
        ORDER BY priority DESC, id LIMIT ?
        """

    /// Whether a queue has a leased batch that may be poison: leases without a settlement before this one from which on
    /// it may be, now, app, platform, environment.
    static let isAlone = """
        SELECT 1 FROM batches /*+ batches_leased */
        WHERE lease_holder IS NOT NULL AND lease_count > ? AND due_at > ? AND app_id = ? AND platform = ?
            AND environment = ?
        LIMIT 1
        """

    /// The same of an app's fan-outs: leases, now, app.
    static let isFanOutAlone = """
        SELECT 1 FROM notifications /*+ notifications_fan_out */
        WHERE state = 1 AND is_fan_out_open = 1 AND fan_out_holder IS NOT NULL AND fan_out_lease_count > ?
            AND fan_out_until > ? AND app_id = ?
        LIMIT 1
        """

    /// Scheduled notifications whose time has come: now.
    static let beginScheduled = "UPDATE notifications SET state = 1 WHERE state = 0 AND send_at <= ?"

    /// When the next scheduled notification begins: now.
    static let nextScheduled = "SELECT min(send_at) AS next_at FROM notifications WHERE state = 0 AND send_at > ?"

    /// When the next lease of a fan-out ends: now.
    static let nextFanOut = """
        SELECT min(fan_out_until) AS next_at FROM notifications
        WHERE state = 1 AND is_fan_out_open = 1 AND fan_out_until > ?
        """

    /// An endpoint that moves while audiences are read: app, endpoint.
    static let noteMove = """
        INSERT INTO moves (notification_id, endpoint_id)
        SELECT id, ?2 FROM notifications /*+ notifications_fan_out */
        WHERE state = 1 AND is_fan_out_open = 1 AND app_id = ?1
        ON CONFLICT (notification_id, endpoint_id) DO NOTHING
        """

    /// Endpoints that moved while a notification's audience was read: notification, after, limit.
    static let movedEndpoints = """
        SELECT e.id, e.user_id, e.platform, e.environment, e.status, u.external_id
        FROM moves m /*+ CROSS */ JOIN endpoints e ON e.id = m.endpoint_id LEFT JOIN users u ON u.id = e.user_id
        WHERE m.notification_id = ? AND m.endpoint_id > ? ORDER BY m.endpoint_id LIMIT ?
        """

    /// Endpoints that grew stale: registered before, limit. A token that is only addressed never says that it is alive,
    /// so it goes only when the provider has refused it.
    static let staleEndpoints = """
        SELECT id FROM endpoints
        WHERE registered_at < ? AND status <> 2 AND (is_registered = 1 OR status = 1)
        ORDER BY registered_at, id LIMIT ?
        """

    /// Endpoints of nobody: app, after, limit.
    static let nobodysEndpoints = """
        \(Candidate.select)
        WHERE app_id = ? AND user_id IS NULL AND id > ? AND status <> 2 ORDER BY id LIMIT ?
        """

    /// Endpoints of users: app, user and endpoint after which to go on, limit.
    static let usersEndpoints = """
        \(Candidate.select)
        WHERE app_id = ? AND (user_id, id) > (?, ?) AND status <> 2 ORDER BY user_id, id LIMIT ?
        """

    /// One user's endpoints: app, user, after, limit.
    static let userEndpoints = """
        \(Candidate.select)
        WHERE app_id = ? AND user_id = ? AND id > ? AND status <> 2 ORDER BY id LIMIT ?
        """

    /// How many rows a statement for a run of rows writes. Ours, measured on SQLite: a row of such a statement costs
    /// half of what it costs alone, because the table is opened once for all; twice as many rows gave nothing more.
    static let run = 32

    /// The dedup decision: key, notification, now, end of the cooldown, now less the cooldown, subject. A row changes
    /// when the subject is the notification's; its own claim keeps its time.
    static let claim = claims("(?1, ?6, ?2, ?3, ?4)")

    /// The decision for a run of subjects: key, notification, now, end of the cooldown, now less the cooldown,
    /// subjects.
    static let claimRun = claims((0..<run).map { "(?1, ?\(6 + $0), ?2, ?3, ?4)" }.joined(separator: ", "))

    private static func claims(_ rows: String) -> String {
        """
        INSERT INTO claims (key_id, subject, notification_id, claimed_at, cooldown_until) VALUES \(rows)
        ON CONFLICT (key_id, subject) DO UPDATE SET
            notification_id = excluded.notification_id,
            claimed_at = CASE
                WHEN claims.notification_id = excluded.notification_id THEN claims.claimed_at
                ELSE excluded.claimed_at
            END,
            cooldown_until = CASE
                WHEN claims.notification_id = excluded.notification_id THEN claims.cooldown_until
                ELSE excluded.cooldown_until
            END
        WHERE claims.notification_id = excluded.notification_id OR claims.claimed_at <= ?5
        """
    }

    /// Forgets the claims of subjects that a notification did not reach: key, notification.
    static let giveBackClaims = """
        DELETE FROM claims WHERE key_id = ?1 AND notification_id = ?2 AND subject IN (
            SELECT coalesce(user_id, -endpoint_id) FROM deliveries WHERE notification_id = ?2 AND state <> 1
            UNION
            SELECT coalesce(user_id, -key) FROM suppressions WHERE notification_id = ?2 AND reason <> 1
            EXCEPT
            SELECT coalesce(user_id, -endpoint_id) FROM deliveries WHERE notification_id = ?2 AND state = 1
        )
        """

    /// A delivery that is not made: notification, key, user, reason, holder, now.
    static let suppress = """
        INSERT INTO suppressions (notification_id, key, user_id, reason, held_by, created_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (notification_id, key) DO NOTHING
        """

    /// A result: notification, now, endpoint, user, state, attempts, reason.
    static let result = results("(?1, ?3, ?4, ?5, ?6, ?2, ?7)")

    /// A run of results: notification, now, and endpoint, user, state, attempts and reason of each.
    static let resultRun = results(
        (0..<run).map { row in
            let first = 3 + 5 * row
            return "(?1, ?\(first), ?\(first + 1), ?\(first + 2), ?\(first + 3), ?2, ?\(first + 4))"
        }
        .joined(separator: ", ")
    )

    private static func results(_ rows: String) -> String {
        """
        INSERT INTO deliveries (notification_id, endpoint_id, user_id, state, attempts, settled_at, reason)
        VALUES \(rows)
        ON CONFLICT (notification_id, endpoint_id) DO NOTHING
        """
    }

    /// Whether a notification has results about a range of endpoints: notification, first, last.
    static let hasResults = """
        SELECT 1 FROM deliveries WHERE notification_id = ? AND endpoint_id BETWEEN ? AND ? LIMIT 1
        """

    /// The next queue that has batches, with the time of its first: the queue after which to look.
    static let nextQueue = """
        SELECT app_id, platform, environment, due_at FROM batches
        WHERE (app_id, platform, environment) > (?, ?, ?) ORDER BY app_id, platform, environment, due_at LIMIT 1
        """

    /// A queue's batches that are due: app, platform, environment, now, below how many leases without a settlement they
    /// are looked at and from how many on again, limit.
    static let dueBatches = """
        SELECT \(Batch.columns), b.leased_at IS NOT NULL AS was_leased, b.lease_count, b.lease_process
        FROM batches b /*+ batches_queue */ /*+ CROSS */ JOIN notifications n ON n.id = b.notification_id
        WHERE b.app_id = ? AND b.platform = ? AND b.environment = ? AND b.due_at <= ?
            AND (b.lease_count < ? OR b.lease_count >= ?)
        ORDER BY b.priority DESC, b.accepted_at, b.id LIMIT ?
        """

    /// One endpoint as an attempt finds it: its key.
    static let target = "SELECT \(TargetState.columns) FROM endpoints WHERE id = ?"

    /// The endpoints of a range, as an attempt finds them: first, last.
    static let targets = """
        SELECT id, \(TargetState.columns) FROM endpoints WHERE id BETWEEN ? AND ? ORDER BY id
        """

    /// Batches whose time ran out and that nobody holds, with the process whose lease ended: now, now, limit.
    static let endedBatches = """
        SELECT id, lease_process FROM batches WHERE ends_at <= ? AND (lease_holder IS NULL OR due_at <= ?)
        ORDER BY ends_at, due_at, id LIMIT ?
        """

    /// Fan-outs that are quarantined and whose time ran out: the end of all time, now, limit.
    static let endedFanOuts = """
        SELECT n.id FROM quarantine s /*+ CROSS */ JOIN notifications n ON n.id = s.notification_id
        WHERE s.batch_id IS NULL AND n.is_fan_out_open = 1 AND n.fan_out_until = ? AND n.expires_at <= ?
        ORDER BY s.id LIMIT ?
        """
}
