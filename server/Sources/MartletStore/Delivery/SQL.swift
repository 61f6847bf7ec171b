import MartletCore

/// The statements that are run for each delivery, batch or poll; a test reads each one's plan on SQLite.
enum SQL {
    /// The next app that has fan-outs in a state: state, the app after which to look.
    static let nextFanOutApp = """
        SELECT app_id FROM fan_outs /*+ fan_outs_queue */ WHERE state = ? AND app_id > ? ORDER BY app_id LIMIT 1
        """

    /// An app's fan-outs in a state that nobody holds: state, app, now, limit.
    static let openFanOuts = """
        SELECT notification_id, hold_id, class FROM fan_outs /*+ fan_outs_queue */
        WHERE state = ? AND app_id = ? AND lease_until <= ? ORDER BY class, notification_id, hold_id LIMIT ?
        """

    /// Whether a fan-out of an app is leased that may be poison: app, now.
    static let isFanOutIsolated = """
        SELECT 1 FROM fan_outs /*+ fan_outs_queue */
        WHERE state = 2 AND app_id = ? AND lease_holder IS NOT NULL AND lease_until > ?
        ORDER BY class, notification_id, hold_id LIMIT 1
        """

    /// The last hold of a moment: notification, moment, reason, number of times.
    static let lastHold = """
        SELECT id, people, expires_at, reason, times FROM holds
        WHERE notification_id = ? AND due_at = ? AND reason = ? AND times = ? ORDER BY id DESC LIMIT 1
        """

    /// Audiences and holds whose time has come: now.
    static let beginScheduled = """
        UPDATE fan_outs /*+ fan_outs_waiting */ SET state = 1 WHERE state = 0 AND wait_until <= ?
        """

    /// When the next fan-out's time comes: now.
    static let nextScheduled = """
        SELECT min(wait_until) AS next_at FROM fan_outs /*+ fan_outs_waiting */ WHERE state = 0 AND wait_until > ?
        """

    /// When the next lease of a fan-out ends: now.
    static let nextFanOut = """
        SELECT min(lease_until) AS next_at FROM fan_outs /*+ fan_outs_queue */ WHERE state IN (1, 2) AND lease_until > ?
        """

    /// An endpoint that moves while audiences are read: app, endpoint.
    static let noteMove = """
        INSERT INTO moves (notification_id, endpoint_id)
        SELECT notification_id, ?2 FROM fan_outs /*+ fan_outs_queue */ WHERE state IN (1, 2, 3) AND app_id = ?1
        ON CONFLICT (notification_id, endpoint_id) DO NOTHING
        """

    /// Endpoints that moved while a notification's audience was read: notification, after, limit.
    static let movedEndpoints = """
        SELECT e.id, e.user_id, e.platform, e.environment, e.status, e.has_push, e.permission, u.external_id
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
    static let anonymousEndpoints = """
        \(Candidate.select)
        WHERE app_id = ? AND user_id IS NULL AND id > ? AND status <> 2 ORDER BY id LIMIT ?
        """

    /// Endpoints of users: app, user and endpoint after which to go on, limit.
    static let usersEndpoints = """
        \(Candidate.select)
        WHERE app_id = ? AND (user_id, id) > (?, ?) AND status <> 2 ORDER BY user_id, id LIMIT ?
        """

    /// An app, to know whether there is one: its key.
    static let hasApp = "SELECT id FROM apps WHERE id = ?"

    /// A user by the id that the app gave: app, id.
    static let user = "SELECT id FROM users WHERE app_id = ? AND external_id = ?"

    /// A user who is not there yet: app, id.
    static let addUser = """
        INSERT INTO users (app_id, external_id) VALUES (?, ?) ON CONFLICT (app_id, external_id) DO NOTHING
        """

    /// Whether a queue is paused: app, platform, environment.
    static let isPaused = "SELECT 1 AS is_paused FROM pauses WHERE app_id = ? AND platform = ? AND environment = ?"

    /// An endpoint by its key.
    static let endpoint = "SELECT \(Endpoint.columns) FROM \(Endpoint.tables) WHERE e.id = ?"

    /// An endpoint by its id outside: that, app.
    static let namedEndpoint = "\(Candidate.select) WHERE public_id = ? AND app_id = ?"

    /// The same with what an attempt needs of it.
    static let device = """
        SELECT \(Candidate.columns), \(TargetState.ownColumns) FROM endpoints WHERE public_id = ? AND app_id = ?
        """

    /// A user by the id that the app gave, with their endpoints and what attempts need of these, or with none: app, id, limit.
    static let person = """
        SELECT u.id AS person_id, e.id, e.user_id, e.platform, e.environment, e.status, e.has_push, e.permission,
            \(TargetState.ownColumns)
        FROM users u LEFT JOIN endpoints e ON e.app_id = u.app_id AND e.user_id = u.id AND e.status <> 2
        WHERE u.app_id = ? AND u.external_id = ? ORDER BY e.id LIMIT ?
        """

    /// One user's endpoints: app, user, after, limit.
    static let userEndpoints = """
        \(Candidate.select)
        WHERE app_id = ? AND user_id = ? AND id > ? AND status <> 2 ORDER BY id LIMIT ?
        """

    /// How many rows a statement for a run of rows writes. Ours, measured on SQLite: a row of such a statement costs
    /// half of what it costs alone, because the table is opened once for all; twice as many rows gave nothing more.
    static let run = 32

    /// What a notification's counters move by: notification, slot, and each of them.
    static let count = """
        INSERT INTO progress (notification_id, slot, planned, withheld, accepted, rejected, suppressed, expired,
            cancelled, dead)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (notification_id, slot) DO UPDATE SET
            planned = progress.planned + excluded.planned, withheld = progress.withheld + excluded.withheld,
            accepted = progress.accepted + excluded.accepted, rejected = progress.rejected + excluded.rejected,
            suppressed = progress.suppressed + excluded.suppressed, expired = progress.expired + excluded.expired,
            cancelled = progress.cancelled + excluded.cancelled, dead = progress.dead + excluded.dead
        """

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

    /// Forgets a claim of a notification: key, subject, notification.
    static let giveBackClaim = "DELETE FROM claims WHERE key_id = ? AND subject = ? AND notification_id = ?"

    /// Whom a notification did not reach, though it claimed them: notification, after, limit. Who read it in the inbox was
    /// reached, and who had it from another notification was not claimed.
    static let notReached = [
        """
        SELECT endpoint_id AS key, coalesce(user_id, -endpoint_id) AS subject FROM deliveries
        WHERE notification_id = ? AND endpoint_id > ? AND state <> 1 ORDER BY endpoint_id LIMIT ?
        """,
        """
        SELECT key, coalesce(user_id, -key) AS subject FROM suppressions
        WHERE notification_id = ? AND key > ? AND reason NOT IN (1, 7) ORDER BY key LIMIT ?
        """,
    ]

    /// A delivery that is not made: notification, key, user, reason, holder, now, detail.
    static let suppress = """
        INSERT INTO suppressions (notification_id, key, user_id, reason, held_by, created_at, detail)
        VALUES (?, ?, ?, ?, ?, ?, ?)
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

    /// The endpoints of a range that have a row: notification, first, last.
    static let results = """
        SELECT endpoint_id FROM deliveries WHERE notification_id = ? AND endpoint_id BETWEEN ? AND ?
        ORDER BY endpoint_id
        """

    /// What was accepted at a checkpoint: notification, first, last, batch, attempts, now, members. One whose first
    /// endpoint is there was written before.
    static let accept = """
        INSERT INTO accepted (notification_id, first_endpoint, last_endpoint, batch_id, attempts, settled_at, members)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (notification_id, first_endpoint) DO NOTHING
        """

    /// Ends a batch that was leased once and of which nothing is recorded: batch, holder.
    static let endWhole = "DELETE FROM batches WHERE id = ? AND lease_holder = ? AND lease_count = 1"

    /// The same, with the moment of the lease.
    static let endFirstLease = "\(endWhole) RETURNING leased_at"

    /// What was accepted of a range of endpoints: notification, last, first.
    static let acceptedRange = """
        SELECT members FROM accepted WHERE notification_id = ? AND first_endpoint <= ? AND last_endpoint >= ?
        """

    /// What was accepted of a batch, whose blocks begin between its first and its last endpoint: notification, first,
    /// last, batch.
    static let acceptedOfBatch = """
        SELECT members FROM accepted WHERE notification_id = ? AND first_endpoint BETWEEN ? AND ? AND batch_id = ?
        """

    /// A notification, in the order of its columns. A key that is taken writes nothing.
    static let insertNotification = """
        INSERT INTO notifications (id, public_id, app_id, class, priority, origin, send_at, expires_at, created_at,
            max_attempts, steady_tries, growing_tries, minimum_delay, maximum_delay, rate_limited_delay, dedup_key,
            dedup_cooldown, collapse_id, category_id, inbox, content, audience)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """

    /// A batch, in the order of its columns. A key that is taken writes nothing.
    static let insertBatch = """
        INSERT INTO batches (id, notification_id, app_id, platform, environment, is_environment_known, state, class,
            attempts, accepted_at, wait_until, expires_at, lease_process, lease_holder, lease_until, leased_at,
            lease_count, waiting_count, first_endpoint, last_endpoint, mark, last_reason, members)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """

    /// The next queue that has batches, and their state: the queue and the state after which to look. The class, of which
    /// none has a code as high, ends the search behind all of that state's batches: without it SQLite reads each of them.
    static let nextQueue = """
        SELECT app_id, platform, environment, state FROM batches /*+ batches_queue */
        WHERE (app_id, platform, environment, state, class) > (?, ?, ?, ?, 100)
        ORDER BY app_id, platform, environment, state LIMIT 1
        """

    /// When the first of a queue's batches comes due that wait for their time: app, platform, environment.
    static let nextWaiting = """
        SELECT wait_until FROM batches /*+ batches_waiting */
        WHERE app_id = ? AND platform = ? AND environment = ? AND state = 0 ORDER BY wait_until LIMIT 1
        """

    /// Batches of a queue whose time has come: app, platform, environment, now, limit.
    static let beginWaiting = """
        UPDATE batches SET state = 1 WHERE id IN (
            SELECT id FROM batches /*+ batches_waiting */
            WHERE app_id = ? AND platform = ? AND environment = ? AND state = 0 AND wait_until <= ?
            ORDER BY wait_until, id LIMIT ?
        )
        """

    // A LIMIT without an order would have PostgreSQL read the table from its beginning for the first row that fits.

    /// Whether a queue has batches in a state that nobody holds: app, platform, environment, state, now.
    static let isFree = """
        SELECT 1 FROM batches /*+ batches_queue */
        WHERE app_id = ? AND platform = ? AND environment = ? AND state = ? AND lease_until <= ?
        ORDER BY class, accepted_at, id LIMIT 1
        """

    /// When the first lease ends of a queue's batches in a state: app, platform, environment, state, now.
    static let nextFree = """
        SELECT min(lease_until) AS next_at FROM batches /*+ batches_queue */
        WHERE app_id = ? AND platform = ? AND environment = ? AND state = ? AND lease_until > ?
        """

    /// When the lease ends of a queue's batch that may be poison: app, platform, environment, failures from which on it
    /// may, now.
    static let isolated = """
        SELECT lease_until FROM batches /*+ batches_queue */
        WHERE app_id = ? AND platform = ? AND environment = ? AND state = 2 AND lease_holder IS NOT NULL
            AND lease_count > ? AND lease_until > ?
        ORDER BY class, accepted_at, id LIMIT 1
        """

    /// Whether a queue has batches of a class that are ready and that nobody holds: app, platform, environment, class, now.
    static let isUrgent = """
        SELECT 1 FROM batches /*+ batches_queue */
        WHERE app_id = ? AND platform = ? AND environment = ? AND state = 1 AND class = ?
            AND lease_until <= ?
        ORDER BY accepted_at, id LIMIT 1
        """

    /// A queue's batches in a state that nobody holds: app, platform, environment, state, least and greatest class, now,
    /// limit.
    static let dueBatches = """
        SELECT \(Batch.columns), b.state, b.accepted_at, b.waiting_count, b.lease_count, b.lease_process, b.mark,
            n.category_id,
            (
                SELECT min(w.user_id) FROM withdrawals w WHERE w.notification_id = b.notification_id
            ) IS NOT NULL AS has_withdrawals
        FROM batches b /*+ batches_queue */ /*+ CROSS */ JOIN notifications n ON n.id = b.notification_id
        WHERE b.app_id = ? AND b.platform = ? AND b.environment = ? AND b.state = ? AND b.class BETWEEN ? AND ?
            AND b.lease_until <= ?
        ORDER BY b.class, b.accepted_at, b.id LIMIT ? /*+ SKIP LOCKED b */
        """

    /// Writes batches as they are: notification, last, first.
    static let touchBatches = """
        UPDATE batches SET mark = mark WHERE notification_id = ? AND first_endpoint <= ? AND last_endpoint >= ?
        """

    /// Takes a notification back: notification, user, reason.
    static let withdraw = """
        INSERT INTO withdrawals (notification_id, user_id, reason) VALUES (?, ?, ?)
        ON CONFLICT (notification_id, user_id) DO NOTHING
        """

    /// From whom a notification was withdrawn: notification, first user, last user.
    static let withdrawn = """
        SELECT user_id, reason FROM withdrawals WHERE notification_id = ? AND user_id BETWEEN ? AND ? ORDER BY user_id
        """

    /// What a platform gets of a notification.
    static let message = """
        SELECT is_alert, headers, payload, holes FROM messages WHERE notification_id = ? AND platform = ?
        """

    /// One endpoint as an attempt finds it: its key.
    static let target = "SELECT \(TargetState.columns) FROM endpoints WHERE id = ?"

    /// A run of users: app, their ids outside.
    static let users = """
        SELECT id, external_id FROM users
        WHERE app_id = ?1 AND external_id IN (\((0..<run).map { "?\(2 + $0)" }.joined(separator: ", ")))
        """

    /// The endpoints of a range, as an attempt finds them: first, last.
    static let targets = """
        SELECT id, \(TargetState.columns) FROM endpoints WHERE id BETWEEN ? AND ? ORDER BY id
        """

    /// Batches whose time ran out and that nobody holds, with the process whose lease ended: now, now, limit.
    static let endedBatches = """
        SELECT id, lease_process FROM batches /*+ batches_expiry */
        WHERE expires_at <= ? AND (lease_holder IS NULL OR lease_until <= ?) ORDER BY expires_at, id LIMIT ?
        """

    /// Fan-outs that are quarantined and whose time ran out: now, limit.
    static let endedFanOuts = """
        SELECT f.notification_id, f.hold_id
        FROM fan_outs f /*+ fan_outs_queue */ /*+ CROSS */ JOIN notifications n ON n.id = f.notification_id
            LEFT JOIN holds h ON h.notification_id = f.notification_id AND h.id = f.hold_id
        WHERE f.state = 3 AND coalesce(h.expires_at, n.expires_at) <= ?
        ORDER BY f.app_id, f.class, f.notification_id, f.hold_id LIMIT ?
        """
}
