import MartletCore

/// The statements about events that run often or over many rows; a test reads each one's plan.
extension SQL {
    /// Events in the order of their receipt: app, type, message, user, since, until, after which key, how many. One
    /// text for all filters of a kind, so that each finds the index that serves it.
    static func events(_ filter: EventFilter, columns: String) -> String {
        "\(selection(filter, columns)) AND e.id > ?7 ORDER BY e.id LIMIT ?8"
    }

    /// The key of the event that has so many newer ones: as above, the last number is how many.
    static func eventsFromNewest(_ filter: EventFilter) -> String {
        "\(selection(filter, "e.id")) AND e.id > ?7 ORDER BY e.id DESC LIMIT 1 OFFSET ?8"
    }

    private static func selection(_ filter: EventFilter, _ columns: String) -> String {
        // By key: the app's index is of another order, and would be read and sorted as a whole for each page.
        let live = "CAST(?1 AS bigint) IS NULL AND e.app_id + 0 IN (SELECT id FROM apps WHERE deleted_at IS NULL)"
        let ofApp = filter.app == nil ? live : "e.app_id + 0 = ?1"
        let user = filter.user == nil ? "CAST(?4 AS bigint) IS NULL" : "coalesce(e.user_id, s.user_id) = ?4"
        return """
            SELECT \(columns) FROM push_events e LEFT JOIN event_subjects s ON s.id = e.subject_id
            WHERE \(ofApp) AND (CAST(?2 AS bigint) IS NULL OR e.type = ?2)
                AND (CAST(?3 AS text) IS NULL OR e.message_id = ?3) AND \(user)
                AND (CAST(?5 AS bigint) IS NULL OR e.time + 0 >= ?5)
                AND (CAST(?6 AS bigint) IS NULL OR e.time + 0 < ?6)
            """
    }

    /// A message's counts: app, message.
    static let eventCounts = "SELECT type, count FROM event_counts WHERE app_id = ? AND message_id = ?"

    /// The subject of a device: app, kind, identity.
    static let eventSubject = """
        SELECT s.id, s.user_id FROM event_identities i JOIN event_subjects s ON s.id = i.subject_id
        WHERE i.app_id = ? AND i.kind = ? AND i.identity = ?
        """

    /// Events that are old, by their keys, which grow with the time of receipt: limit, before.
    static let purgeEvents = """
        DELETE FROM push_events WHERE id IN (SELECT id FROM push_events ORDER BY id LIMIT ?) AND received_at < ?
        """

    /// Keys that are needed no more: before, limit. They are deleted one by one, because an engine such as SQLite looks
    /// up a list of pairs by the first of each, which is the app: all of its rows.
    static let oldEventKeys = """
        SELECT app_id, event_key FROM event_keys WHERE known_until < ?
        ORDER BY known_until, app_id, event_key LIMIT ?
        """
    /// One of them: app, key.
    static let deleteEventKey = "DELETE FROM event_keys WHERE app_id = ? AND event_key = ?"

    /// Counts of messages that nothing was reported of for long, likewise: before, limit.
    static let oldEventCounts = """
        SELECT app_id, message_id, type FROM event_counts WHERE counted_at < ?
        ORDER BY counted_at, app_id, message_id, type LIMIT ?
        """
    /// One of them: app, message, type.
    static let deleteEventCount = "DELETE FROM event_counts WHERE app_id = ? AND message_id = ? AND type = ?"

    /// Subjects whose events are gone, with what they are found by: before, limit.
    static let purgeEventSubjects = """
        DELETE FROM event_subjects WHERE id IN (
            SELECT id FROM event_subjects WHERE used_at < ? ORDER BY used_at, id LIMIT ?
        )
        """

    /// A part of the events of an app that is gone: app, limit.
    static let forgetEvents = """
        DELETE FROM push_events WHERE id IN (
            SELECT id FROM push_events WHERE app_id = ? ORDER BY time, id LIMIT ?
        )
        """
    /// A part of its keys: app, limit.
    static let forgetEventKeys = """
        DELETE FROM event_keys WHERE app_id = ?1
            AND event_key IN (SELECT event_key FROM event_keys WHERE app_id = ?1 ORDER BY event_key LIMIT ?2)
        """
    /// A part of its counts: app, limit.
    static let forgetEventCounts = """
        DELETE FROM event_counts WHERE app_id = ?1
            AND (message_id, type) IN (
                SELECT message_id, type FROM event_counts WHERE app_id = ?1 ORDER BY message_id, type LIMIT ?2
            )
        """
    /// A part of what its devices were known by, to be deleted one by one: app, limit.
    static let identitiesOfApp =
        "SELECT kind, identity FROM event_identities WHERE app_id = ? ORDER BY kind, identity LIMIT ?"
    /// One of them: app, kind, identity.
    static let deleteEventIdentity = "DELETE FROM event_identities WHERE app_id = ? AND kind = ? AND identity = ?"
}
