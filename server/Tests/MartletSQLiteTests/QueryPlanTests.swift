import GRDB
import MartletTesting
import Testing

@testable import MartletSQLite

/// The statements that run for each delivery, batch or poll find their rows through an index and sort nothing.
@Suite struct QueryPlanTests {
    struct Expectation: Sendable, CustomTestStringConvertible {
        var name: String
        var sql: String
        var plan: [String]

        var testDescription: String { name }
    }

    static let expectations = [
        // Within an app a walk along the partial index of fan-outs that are open, in the order in which they are leased.
        Expectation(
            name: "apps with open fan-outs",
            sql: SQL.nextFanOutApp,
            plan: ["SEARCH notifications USING INDEX notifications_fan_out (app_id>?)"]
        ),
        Expectation(
            name: "open fan-outs",
            sql: SQL.openFanOuts,
            plan: ["SEARCH notifications USING INDEX notifications_fan_out (app_id=?)"]
        ),
        Expectation(
            name: "open fan-outs when an endpoint moves",
            sql: SQL.noteMove,
            plan: ["SEARCH notifications USING INDEX notifications_fan_out (app_id=?)"]
        ),
        Expectation(
            name: "endpoints that moved",
            sql: SQL.movedEndpoints,
            plan: [
                "SEARCH m USING PRIMARY KEY (notification_id=? AND endpoint_id>?)",
                "SEARCH e USING INTEGER PRIMARY KEY (rowid=?)",
                "SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            ]
        ),
        Expectation(
            name: "stale endpoints",
            sql: SQL.staleEndpoints,
            plan: ["SEARCH endpoints USING INDEX endpoints_age (registered_at<?)"]
        ),
        Expectation(
            name: "endpoints of nobody",
            sql: SQL.nobodysEndpoints,
            plan: ["SEARCH endpoints USING COVERING INDEX endpoints_audience (app_id=? AND user_id=? AND id>?)"]
        ),
        Expectation(
            name: "endpoints by user",
            sql: SQL.usersEndpoints,
            plan: ["SEARCH endpoints USING COVERING INDEX endpoints_audience (app_id=? AND user_id>?)"]
        ),
        Expectation(
            name: "one user's endpoints",
            sql: SQL.userEndpoints,
            plan: ["SEARCH endpoints USING COVERING INDEX endpoints_audience (app_id=? AND user_id=? AND id>?)"]
        ),
        Expectation(name: "claims", sql: SQL.claim, plan: []),
        Expectation(name: "suppressions", sql: SQL.suppress, plan: []),
        Expectation(name: "facts", sql: SQL.fact, plan: []),
        Expectation(
            name: "due lanes",
            sql: SQL.nextLane,
            plan: ["SEARCH batches USING COVERING INDEX batches_due ((app_id,platform,environment)>(?,?,?))"]
        ),
        Expectation(
            name: "due batches",
            sql: SQL.dueBatches,
            plan: [
                "SEARCH b USING INDEX batches_queue (app_id=? AND platform=? AND environment=?)",
                "SEARCH n USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        Expectation(
            name: "targets",
            sql: SQL.target,
            plan: ["SEARCH endpoints USING INTEGER PRIMARY KEY (rowid=?)"]
        ),
        Expectation(
            name: "ended batches",
            sql: SQL.endedBatches,
            plan: ["SEARCH batches USING INDEX batches_ending (ends_at<?)"]
        ),
        Expectation(
            name: "next scheduled notification",
            sql: SQL.nextScheduled,
            plan: ["SEARCH notifications USING INDEX notifications_scheduled (send_at>?)"]
        ),
        Expectation(
            name: "next fan-out lease to end",
            sql: SQL.nextFanOut,
            plan: ["SEARCH notifications USING INDEX notifications_fan_out"]
        ),
        Expectation(
            name: "scheduled notifications that begin",
            sql: SQL.beginScheduled,
            plan: ["SEARCH notifications USING INDEX notifications_scheduled (send_at<?)"]
        ),
    ]

    @Test("the plan of", arguments: expectations)
    func plan(_ expectation: Expectation) async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let plan = try await store.database.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + expectation.sql)
            statement.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(statement).map { $0["detail"] as String }
        }
        #expect(plan == expectation.plan)
        await store.close()
    }

    @Test("giving claims back looks only at the notification's own rows and finds each claim by its key")
    func givingBack() async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let plan = try await store.database.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + SQL.giveBackClaims)
            statement.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(statement).map { $0["detail"] as String }
        }
        #expect(plan.first == "SEARCH claims USING PRIMARY KEY (key_id=? AND subject=?)")
        #expect(!plan.contains { $0.hasPrefix("SCAN") })
        await store.close()
    }
}
