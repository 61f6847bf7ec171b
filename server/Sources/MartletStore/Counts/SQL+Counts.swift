/// The statements of the counts over time; a test reads each one's plan.
extension SQL {
    /// The columns of ``OutcomeCounts``, in the order of ``Statement/set(_:from:)``.
    private static let outcomes = [
        "accepted", "rejected", "suppressed", "expired", "cancelled", "dead", "deliveries", "opens", "dismissals",
    ]

    /// The same for a statement.
    private static let outcomeColumns = outcomes.joined(separator: ", ")

    /// Adds counts of a minute: app, its beginning, platform, slot, counts.
    static let countMinute = add(to: "minute_counts", key: "app_id, begins_at, platform, slot", width: 4)

    /// Adds counts of a minute that is over, of all writers: app, its beginning, platform, counts.
    static let countPastMinute = add(to: "past_minute_counts", key: "app_id, begins_at, platform", width: 3)

    /// Adds counts of an hour: app, its beginning, platform, counts.
    static let countHour = add(to: "hour_counts", key: "app_id, begins_at, platform", width: 3)

    private static func add(to table: String, key: String, width: Int) -> String {
        let values = Array(repeating: "?", count: width + outcomes.count).joined(separator: ", ")
        let sums = outcomes.map { "\($0) = \(table).\($0) + excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(table) (\(key), \(outcomeColumns)) VALUES (\(values))
            ON CONFLICT (\(key)) DO UPDATE SET \(sums)
            """
    }

    /// Counts by step: from, to, the step's milliseconds, platform or NULL, and the app where it is one. Minutes that are
    /// not added up yet belong to their minutes and to their hours.
    static func counts(isOfApp: Bool, isByMinute: Bool) -> String {
        let tables = ["minute_counts", isByMinute ? "past_minute_counts" : "hour_counts"]
        let parts = tables.map { countedIn($0, isOfApp: isOfApp) }.joined(separator: " UNION ALL ")
        let sums = outcomes.map { "CAST(sum(\($0)) AS bigint) AS \($0)" }.joined(separator: ", ")
        return "SELECT point, \(sums) FROM (\(parts)) AS found GROUP BY point"
    }

    /// App by app where it is all: in each one's own range of the key.
    private static func countedIn(_ table: String, isOfApp: Bool) -> String {
        let ofApp =
            isOfApp
            ? "\(table) c WHERE c.app_id = ?5"
            : """
            apps a /*+ CROSS */ JOIN \(table) c ON c.app_id = a.id WHERE a.deleted_at IS NULL
            """
        let columns = outcomes.map { "c.\($0)" }.joined(separator: ", ")
        return """
            SELECT c.begins_at - c.begins_at % ?3 AS point, \(columns) FROM \(ofApp)
                AND c.begins_at >= ?1 AND c.begins_at < ?2 AND (CAST(?4 AS bigint) IS NULL OR c.platform = ?4)
            """
    }

    /// Minutes that are old: before, limit. They are deleted one by one: see ``oldIdempotency``.
    static let oldMinutes = """
        SELECT app_id, begins_at, platform, slot FROM minute_counts
        WHERE begins_at < ? ORDER BY begins_at, app_id, platform, slot LIMIT ?
        """
    /// One of them, with what it counted: app, beginning, platform, slot.
    static let deleteMinute = """
        DELETE FROM minute_counts WHERE app_id = ? AND begins_at = ? AND platform = ? AND slot = ?
        RETURNING \(outcomeColumns)
        """

    /// Minutes that were added up and are kept no longer: before, limit.
    static let oldPastMinutes = """
        SELECT app_id, begins_at, platform FROM past_minute_counts
        WHERE begins_at < ? ORDER BY begins_at, app_id, platform LIMIT ?
        """
    /// One of them: app, beginning, platform.
    static let deletePastMinute = "DELETE FROM past_minute_counts WHERE app_id = ? AND begins_at = ? AND platform = ?"

    /// Hours that are old: before, limit.
    static let oldHours = """
        SELECT app_id, begins_at, platform FROM hour_counts
        WHERE begins_at < ? ORDER BY begins_at, app_id, platform LIMIT ?
        """
    /// One of them: app, beginning, platform.
    static let deleteHour = "DELETE FROM hour_counts WHERE app_id = ? AND begins_at = ? AND platform = ?"

    /// A part of the counts of an app that is gone: app, limit.
    static let forgetCounts = [
        """
        DELETE FROM minute_counts WHERE app_id = ?1 AND (begins_at, platform, slot) IN (
            SELECT begins_at, platform, slot FROM minute_counts WHERE app_id = ?1
            ORDER BY begins_at, platform, slot LIMIT ?2
        )
        """,
        """
        DELETE FROM past_minute_counts WHERE app_id = ?1 AND (begins_at, platform) IN (
            SELECT begins_at, platform FROM past_minute_counts WHERE app_id = ?1 ORDER BY begins_at, platform LIMIT ?2
        )
        """,
        """
        DELETE FROM hour_counts WHERE app_id = ?1 AND (begins_at, platform) IN (
            SELECT begins_at, platform FROM hour_counts WHERE app_id = ?1 ORDER BY begins_at, platform LIMIT ?2
        )
        """,
    ]
}
