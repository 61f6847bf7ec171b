import MartletCore
import MartletWire

extension Transaction {
    /// Events by their keys, which grow with the time of receipt.
    func purgeEvents(before: Timestamp, limit: Int) throws -> Int {
        try prepare(
            """
            DELETE FROM push_events WHERE id IN (SELECT id FROM push_events ORDER BY id LIMIT ?) AND received_at < ?
            """
        )
        .bind(limit, before)
        .run()
    }

    /// Keys that are needed no more.
    func purgeEventKeys(before: Timestamp, limit: Int) throws -> Int {
        try prepare(
            """
            DELETE FROM event_keys WHERE (app_id, event_key) IN (
                SELECT app_id, event_key FROM event_keys WHERE known_until < ? ORDER BY known_until LIMIT ?
            )
            """
        )
        .bind(before, limit)
        .run()
    }

    /// Counts of messages that nothing was reported of for long.
    func purgeEventCounts(before: Timestamp, limit: Int) throws -> Int {
        try prepare(
            """
            DELETE FROM event_counts WHERE (app_id, message_id, type) IN (
                SELECT app_id, message_id, type FROM event_counts WHERE counted_at < ? ORDER BY counted_at LIMIT ?
            )
            """
        )
        .bind(before, limit)
        .run()
    }

    /// Subjects whose events are gone, with what they are found by.
    func purgeEventSubjects(before: Timestamp, limit: Int) throws -> Int {
        try prepare(
            "DELETE FROM event_subjects WHERE id IN (SELECT id FROM event_subjects WHERE used_at < ? ORDER BY used_at LIMIT ?)"
        )
        .bind(before, limit)
        .run()
    }

    /// Deletes a part of the events of an app that is gone; says how many rows that were.
    func forgetEvents(of app: RowID<App>, limit: Int) throws -> Int {
        for (table, key) in [
            ("push_events", "id"), ("event_keys", "event_key"), ("event_counts", "message_id, type"),
            ("event_identities", "kind, identity"),
        ] {
            let count = try prepare(
                """
                DELETE FROM \(table) WHERE app_id = ?1
                    AND (\(key)) IN (SELECT \(key) FROM \(table) WHERE app_id = ?1 LIMIT ?2)
                """
            )
            .bind(app, limit)
            .run()
            guard count == 0 else { return count }
        }
        return 0
    }
}
