import MartletCore

/// What is asked of one person; each finds its rows by key, and tests read the plans.
extension SQL {
    /// How many devices one statement asks for. Ours: most people have fewer, and the last one fills the rest.
    static let devices = 8

    private static let places = (0..<devices).map { "?\($0 + 3)" }.joined(separator: ", ")

    /// A person's devices, the newest first: app, user, limit. Those that are gone have an index of their own.
    static func devices(areGone: Bool) -> String {
        let which = areGone ? "/*+ endpoints_former */" : "/*+ endpoints_audience */"
        return """
            SELECT id, public_id, platform, token, status, status_reason, status_at, has_push, created_at,
                registered_at
            FROM endpoints \(which)
            WHERE app_id = ? AND user_id = ? AND status \(areGone ? "= 2" : "<> 2") AND user_id IS NOT NULL
            ORDER BY id DESC LIMIT ?
            """
    }

    /// A device that is a person's no more: user, endpoint, app, when.
    static let noteFormerDevice = """
        INSERT INTO former_devices (user_id, endpoint_id, app_id, left_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (user_id, endpoint_id) DO UPDATE SET left_at = excluded.left_at
        """

    /// Those that were a person's, the newest: user, limit.
    static let formerDevices = """
        SELECT endpoint_id FROM former_devices WHERE user_id = ? ORDER BY endpoint_id DESC LIMIT ?
        """

    /// Those that left before a moment and before all notifications of their app: moment, limit.
    static let oldFormerDevices = """
        SELECT f.user_id, f.endpoint_id FROM former_devices f
        WHERE f.left_at < ? AND f.left_at < coalesce((
            SELECT n.created_at FROM notifications n WHERE n.app_id = f.app_id ORDER BY n.id LIMIT 1
        ), f.left_at + 1)
        ORDER BY f.left_at, f.user_id, f.endpoint_id LIMIT ?
        """
    /// One of them: user, endpoint.
    static let deleteFormerDevice = "DELETE FROM former_devices WHERE user_id = ? AND endpoint_id = ?"

    /// Results: notification, user, endpoints.
    static let personResults = """
        SELECT endpoint_id, state, reason, attempts, settled_at FROM deliveries
        WHERE notification_id = ?1 AND endpoint_id IN (\(places)) AND user_id = ?2
        """

    /// Deliveries that were not made: notification, user, keys.
    static let personSuppressions = """
        SELECT key, reason, held_by, detail, created_at FROM suppressions
        WHERE notification_id = ?1 AND key IN (\(places)) AND user_id = ?2
        """

    /// The same of a notification that is small, whatever device it was: notification, user.
    static let allPersonResults = """
        SELECT endpoint_id, state, reason, attempts, settled_at FROM deliveries WHERE notification_id = ? AND user_id = ?
        """

    /// As above: notification, user.
    static let allPersonSuppressions = """
        SELECT key, reason, held_by, detail, created_at FROM suppressions WHERE notification_id = ? AND user_id = ?
        """

    /// Lists of accepted deliveries that may have some endpoints: notification, the last endpoint, the first.
    static let personAccepted = """
        SELECT members, attempts, settled_at AS at FROM accepted
        WHERE notification_id = ? AND first_endpoint <= ? AND last_endpoint >= ?
        """

    /// Likewise batches.
    static let personPending = """
        SELECT members, attempts, CASE WHEN state = 0 THEN wait_until ELSE NULL END AS at, \(Waiting.columns), id
        FROM batches
        WHERE notification_id = ? AND first_endpoint <= ? AND last_endpoint >= ?
        """

    /// Which preference change a notification was decided with: notification.
    static let mark = """
        SELECT coalesce(
            (SELECT mark FROM inbox_items WHERE notification_id = ?1 ORDER BY id LIMIT 1),
            (SELECT min(mark) FROM batches WHERE notification_id = ?1),
            (SELECT mark FROM fan_outs WHERE notification_id = ?1 AND hold_id = 0)
        ) AS mark
        """

    /// What was chosen before the first change after a mark: user, category, mark.
    static let choiceBefore = """
        SELECT before_enabled AS enabled, before_push AS push, before_inbox AS inbox FROM preference_changes
        WHERE user_id = ? AND category_id = ? AND id > ? ORDER BY id LIMIT 1
        """

    /// What is chosen: user, category.
    static let choice = "SELECT enabled, push, inbox FROM preferences WHERE user_id = ? AND category_id = ?"

    /// A person's changes, the newest first: user, since, up to, limit.
    static let timelineChanges = """
        SELECT p.id, c.key AS category, p.after_enabled, p.after_push, p.after_inbox, p.actor, p.at
        FROM preference_changes p LEFT JOIN categories c ON c.id = p.category_id
        WHERE p.user_id = ? AND p.at >= ? AND p.at <= ? ORDER BY p.id DESC LIMIT ?
        """

    /// An app's notifications, the newest first: app, before which key, limit.
    static let timelineNotifications =
        "SELECT id, public_id FROM notifications WHERE app_id = ? AND id < ? ORDER BY id DESC LIMIT ?"

    /// The newest events of an app that are a person's: app, since, up to, how many are looked at, user.
    static let timelineEvents = """
        SELECT e.type, e.time, e.message_id, e.value
        FROM (
            SELECT type, time, message_id, value, user_id, subject_id FROM push_events
            WHERE app_id = ?1 AND time >= ?2 AND time <= ?3 ORDER BY time DESC LIMIT ?4
        ) e LEFT JOIN event_subjects s ON s.id = e.subject_id
        WHERE coalesce(e.user_id, s.user_id) = ?5
        """

    /// The moment of the event with so many newer ones: app, since, up to, how many.
    static let eventHorizon = """
        SELECT time FROM push_events
        WHERE app_id = ? AND time >= ? AND time <= ? ORDER BY time DESC LIMIT 1 OFFSET ?
        """
}
