import GRDB
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// A page of notifications is read along their keys, newest first and sorted by nothing: those of an app by its index, those
/// of a state that few are in along these few.
@Suite struct NotificationListPlanTests {
    typealias State = NotificationStatus

    private static func expect(
        _ name: String,
        _ state: State?,
        all: String,
        ofApp: String,
        _ rest: String...
    ) -> [QueryPlanTests.Expectation] {
        [(nil, all), (RowID<App>(1), ofApp)].flatMap { app, search in
            let filter = NotificationFilter(app: app, state: state)
            let whose = app == nil ? name : "\(name) of an app"
            let plan = [search] + rest
            return [
                QueryPlanTests.Expectation(name: whose, sql: SQL.notifications(filter), plan: plan),
                QueryPlanTests.Expectation(name: "\(whose), texts", sql: SQL.notificationTexts(filter), plan: plan),
            ]
        }
    }

    private static let (range, one) = (
        "SEARCH n USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)", "SEARCH n USING INTEGER PRIMARY KEY (rowid=?)"
    )
    private static let (rangeOfApp, oneOfApp) = (
        "SEARCH n USING INDEX notifications_app (app_id=? AND id>? AND id<?)",
        "SEARCH n USING INDEX notifications_app (app_id=? AND id=? AND rowid>? AND rowid<?)"
    )

    static let expectations =
        expect("notifications", nil, all: range, ofApp: rangeOfApp)
        + expect(
            "cancelled ones",
            .cancelled,
            all: one,
            ofApp: oneOfApp,
            "USING ROWID SEARCH ON TABLE cancellations FOR IN-OPERATOR"
        )
        + expect(
            "scheduled ones",
            .scheduled,
            all: one,
            ofApp: oneOfApp,
            "SEARCH fan_outs USING COVERING INDEX fan_outs_queue (state=?)"
        )
        + expect("those under way", .sending, all: one, ofApp: oneOfApp, open[0], open[1], open[2], open[3], open[4])
        + expect(
            "those that are over",
            .done,
            all: range,
            ofApp: rangeOfApp,
            open[0],
            open[1],
            open[2],
            open[3],
            open[4]
        )
        + expectOwn(
            "those of a dedup key",
            "SEARCH n USING INDEX notifications_dedup (dedup_key=? AND id>? AND id<?)"
        ) { $0.dedupKey = "key" }
        + expectOwn(
            "those of a category",
            "SEARCH n USING INDEX notifications_category (category_id=? AND id>? AND id<?)"
        ) { $0.category = RowID(1) }

    /// Those with a dedup key or of a category, of one app or all, are read by these alone.
    private static func expectOwn(_ name: String, _ index: String, _ set: (inout NotificationFilter) -> Void)
        -> [QueryPlanTests.Expectation]
    {
        [nil, RowID<App>(1)].flatMap { app in
            var filter = NotificationFilter(app: app)
            set(&filter)
            let whose = app == nil ? name : "\(name) of an app"
            return [
                QueryPlanTests.Expectation(name: whose, sql: SQL.notifications(filter), plan: [index]),
                QueryPlanTests.Expectation(name: "\(whose), texts", sql: SQL.notificationTexts(filter), plan: [index]),
            ]
        }
    }

    /// The rows of open work, of which there is one for a thousand deliveries that wait.
    private static let open = [
        "COMPOUND QUERY", "LEFT-MOST SUBQUERY", "SCAN fan_outs USING COVERING INDEX fan_outs_queue",
        "UNION USING TEMP B-TREE", "SCAN batches USING COVERING INDEX batches_notification",
    ]

    /// What is read of each notification by its key.
    private static let details = [
        "SEARCH p USING PRIMARY KEY (notification_id=?) LEFT-JOIN", "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH f USING PRIMARY KEY (notification_id=? AND hold_id=?)",
        "SEARCH f USING PRIMARY KEY (notification_id=?)",
        "SEARCH b USING COVERING INDEX batches_notification (notification_id=?)",
    ]

    @Test("the plan of", arguments: expectations)
    func plan(_ expectation: QueryPlanTests.Expectation) async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let plan = try await store.sqlite.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + SQLiteDialect.text(expectation.sql))
            statement.setUncheckedArguments(StatementArguments())
            return try GRDB.Row.fetchAll(statement).map { $0["detail"] as String }
        }
        let read = plan.filter { !$0.contains(" SUBQUERY ") && !Self.details.contains($0) }
        #expect(read == expectation.plan)
        await store.close()
    }
}
