import GRDB
import MartletTesting
import Testing

@testable import MartletSQLite
@testable import MartletStore

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

    private static func counts(_ name: String, isOfApp: Bool, isByMinute: Bool) -> QueryPlanTests.Expectation {
        let part = isOfApp ? [range] : ["SCAN a", range]
        return QueryPlanTests.Expectation(
            name: name,
            sql: SQL.counts(isOfApp: isOfApp, isByMinute: isByMinute),
            plan: ["CO-ROUTINE found", "COMPOUND QUERY", "LEFT-MOST SUBQUERY"] + part + ["UNION ALL"] + part
                + ["SCAN found", grouped]
        )
    }

    static let expectations = [
        expect("counting a minute", SQL.countMinute),
        expect("counting a minute that is over", SQL.countPastMinute),
        expect("counting an hour", SQL.countHour),
        counts("an app's minutes", isOfApp: true, isByMinute: true),
        counts("an app's hours", isOfApp: true, isByMinute: false),
        counts("all minutes", isOfApp: false, isByMinute: true),
        counts("all hours", isOfApp: false, isByMinute: false),
        expect(
            "old minutes",
            SQL.oldMinutes,
            "SEARCH minute_counts USING COVERING INDEX minute_counts_age (begins_at<?)"
        ),
        expect("one minute", SQL.deleteMinute, minute),
        expect(
            "old minutes that were added up",
            SQL.oldPastMinutes,
            "SEARCH past_minute_counts USING COVERING INDEX past_minute_counts_age (begins_at<?)"
        ),
        expect(
            "one of them",
            SQL.deletePastMinute,
            "SEARCH past_minute_counts USING PRIMARY KEY (app_id=? AND begins_at=? AND platform=?)"
        ),
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
            "its minutes that were added up",
            SQL.forgetCounts[1],
            "SEARCH past_minute_counts USING COVERING INDEX past_minute_counts_age (begins_at=? AND app_id=? AND platform=?)",
            "LIST SUBQUERY 1",
            "SEARCH past_minute_counts USING PRIMARY KEY (app_id=?)"
        ),
        expect(
            "its hours",
            SQL.forgetCounts[2],
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
