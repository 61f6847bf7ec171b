import GRDB
import MartletTesting
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// The reasons of one notification are counted among its own rows, of which so many are read and no more.
@Suite struct NotificationDetailPlanTests {
    private static func expect(_ name: String, _ sql: String, of table: String) -> QueryPlanTests.Expectation {
        let search = "SEARCH \(table) USING PRIMARY KEY (notification_id=?)"
        let plan = ["CO-ROUTINE part", search, "SCAN part", "USE TEMP B-TREE FOR GROUP BY"]
        return QueryPlanTests.Expectation(name: name, sql: sql, plan: plan)
    }

    static let expectations = [
        expect("why deliveries were not made", SQL.suppressionReasons, of: "suppressions"),
        expect("how deliveries ended that were not accepted", SQL.failureReasons, of: "deliveries"),
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
