import GRDB
import MartletTesting
import Testing

@testable import MartletSQL
@testable import MartletSQLite

/// Counts over time are written by key, and read, added up and deleted through an index: an app's as one range of it. They
/// are sorted by step where they are read, at most a few thousand rows of an app.
@Suite struct CountPlanTests {
    private static let range = "SEARCH c USING PRIMARY KEY (app_id=? AND begins_at>? AND begins_at<?)"
    private static let grouped = "USE TEMP B-TREE FOR GROUP BY"
    private static let minute =
        "SEARCH minute_counts USING COVERING INDEX minute_counts_age (begins_at=? AND app_id=? AND platform=? AND slot=?)"

    private static func expect(_ name: String, _ sql: String, _ plan: String...) -> QueryPlanTests.Expectation {
        QueryPlanTests.Expectation(name: name, sql: sql, plan: plan)
    }

    static let expectations = [
        expect("counting a minute", SQL.countMinute),
        expect("counting an hour", SQL.countHour),
        expect("an app's minutes", SQL.counts(isOfApp: true, isByMinute: true), range, grouped),
        expect(
            "an app's hours",
            SQL.counts(isOfApp: true, isByMinute: false),
            "CO-ROUTINE found",
            "COMPOUND QUERY",
            "LEFT-MOST SUBQUERY",
            range,
            "UNION ALL",
            range,
            "SCAN found",
            grouped
        ),
        expect("all minutes", SQL.counts(isOfApp: false, isByMinute: true), "SCAN a", range, grouped),
        expect(
            "all hours",
            SQL.counts(isOfApp: false, isByMinute: false),
            "CO-ROUTINE found",
            "COMPOUND QUERY",
            "LEFT-MOST SUBQUERY",
            "SCAN a",
            range,
            "UNION ALL",
            "SCAN a",
            range,
            "SCAN found",
            grouped
        ),
        expect(
            "old minutes",
            SQL.oldMinutes,
            "SEARCH minute_counts USING COVERING INDEX minute_counts_age (begins_at<?)"
        ),
        expect("one minute", SQL.deleteMinute, minute),
        expect("old hours", SQL.oldHours, "SEARCH hour_counts USING COVERING INDEX hour_counts_age (begins_at<?)"),
        expect(
            "one hour",
            SQL.deleteHour,
            "SEARCH hour_counts USING PRIMARY KEY (app_id=? AND begins_at=? AND platform=?)"
        ),
        expect(
            "the minutes of an app that is gone",
            SQL.forgetCounts[0],
            minute,
            "LIST SUBQUERY 1",
            "SEARCH minute_counts USING PRIMARY KEY (app_id=?)"
        ),
        expect(
            "its hours",
            SQL.forgetCounts[1],
            "SEARCH hour_counts USING COVERING INDEX hour_counts_age (begins_at=? AND app_id=? AND platform=?)",
            "LIST SUBQUERY 1",
            "SEARCH hour_counts USING PRIMARY KEY (app_id=?)"
        ),
    ]

    @Test("the plan of", arguments: expectations)
    func plan(_ expectation: QueryPlanTests.Expectation) async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let plan = try await store.sqlite.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + SQLiteDialect.text(expectation.sql))
            statement.setUncheckedArguments(StatementArguments())
            return try GRDB.Row.fetchAll(statement).map { $0["detail"] as String }
        }
        #expect(plan == expectation.plan)
        await store.close()
    }
}
