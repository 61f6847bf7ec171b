import GRDB
import MartletCore
import MartletTesting
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// What is asked of one person finds its rows by key, however many others there are, and sorts nothing.
@Suite struct PersonPlanTests {
    private static func expect(_ name: String, _ sql: String, _ plan: String...) -> QueryPlanTests.Expectation {
        QueryPlanTests.Expectation(name: name, sql: sql, plan: plan)
    }

    static let expectations = [
        expect(
            "a person's devices",
            SQL.devices(areGone: false),
            "SEARCH endpoints USING INDEX endpoints_audience (app_id=? AND user_id=?)"
        ),
        expect(
            "those that are gone",
            SQL.devices(areGone: true),
            "SEARCH endpoints USING INDEX endpoints_former (app_id=? AND user_id=?)"
        ),
        expect(
            "those that are somebody else's",
            SQL.formerDevices,
            "SEARCH former_devices USING PRIMARY KEY (user_id=?)"
        ),
        expect(
            "those that left long ago",
            SQL.oldFormerDevices,
            "SEARCH f USING INDEX former_devices_age (left_at<?)",
            "CORRELATED SCALAR SUBQUERY 1",
            "SEARCH n USING INDEX notifications_app (app_id=?)"
        ),
        expect(
            "the next notifications of an app",
            SQL.lastOfNextNotifications,
            "CO-ROUTINE part",
            "SEARCH notifications USING COVERING INDEX notifications_app (app_id=? AND id>?)",
            "SEARCH part"
        ),
        expect(
            "those that name a user",
            SQL.notificationsNaming,
            "SEARCH notifications USING INDEX notifications_app (app_id=? AND id>? AND id<?)"
        ),
        expect(
            "a person's results",
            SQL.personResults,
            "SEARCH deliveries USING PRIMARY KEY (notification_id=? AND endpoint_id=?)"
        ),
        expect(
            "a person's suppressions",
            SQL.personSuppressions,
            "SEARCH suppressions USING PRIMARY KEY (notification_id=? AND key=?)"
        ),
        expect(
            "accepted deliveries that may be a person's",
            SQL.personAccepted,
            "SEARCH accepted USING PRIMARY KEY (notification_id=? AND first_endpoint<?)"
        ),
        expect(
            "batches that may have a person",
            SQL.personPending,
            "SEARCH batches USING INDEX batches_notification (notification_id=? AND first_endpoint<?)"
        ),
        expect(
            "what was chosen at a mark",
            SQL.choiceBefore,
            "SEARCH preference_changes USING INDEX preference_changes_user (user_id=? AND id>?)"
        ),
        expect("what is chosen", SQL.choice, "SEARCH preferences USING PRIMARY KEY (user_id=? AND category_id=?)"),
        expect(
            "a person's changes",
            SQL.timelineChanges,
            "SEARCH p USING INDEX preference_changes_user (user_id=?)",
            "SEARCH c USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"
        ),
        expect(
            "the newest notifications",
            SQL.timelineNotifications,
            "SEARCH notifications USING INDEX notifications_app (app_id=? AND id<?)"
        ),
        expect(
            "how far back the newest events go",
            SQL.eventHorizon,
            "SEARCH push_events USING COVERING INDEX push_events_time (app_id=? AND time>? AND time<?)"
        ),
        expect(
            "who did not get it: people and devices that were left out",
            SQL.suppressions,
            "SEARCH suppressions USING PRIMARY KEY (notification_id=? AND key>?)"
        ),
        expect(
            "who did not get it: those of them for one reason",
            SQL.suppressionsForReason,
            "CO-ROUTINE part",
            "SEARCH suppressions USING PRIMARY KEY (notification_id=? AND key>?)",
            "SCAN part",
            "USE TEMP B-TREE FOR ORDER BY"
        ),
        expect(
            "who did not get it: results for any reason",
            SQL.failures,
            "SEARCH deliveries USING PRIMARY KEY (notification_id=? AND endpoint_id>?)"
        ),
        expect(
            "who did not get it: results",
            SQL.failuresForReason,
            "CO-ROUTINE part",
            "SEARCH deliveries USING PRIMARY KEY (notification_id=? AND endpoint_id>?)",
            "SCAN part",
            "USE TEMP B-TREE FOR ORDER BY"
        ),
        expect(
            "who did not get it: how far a page for one reason looks",
            SQL.lastSuppression,
            "SEARCH suppressions USING PRIMARY KEY (notification_id=? AND key>?)"
        ),
        expect(
            "who did not get it: how far a page for one reason looks at results",
            SQL.lastFailure,
            "SEARCH deliveries USING PRIMARY KEY (notification_id=? AND endpoint_id>?)"
        ),
        expect(
            "where accepted deliveries of some devices may be",
            SQL.acceptedRanges,
            "SEARCH accepted USING PRIMARY KEY (notification_id=? AND first_endpoint<?)"
        ),
        expect(
            "users by the beginning of their id",
            SQL.usersByName,
            "SEARCH users USING COVERING INDEX sqlite_autoindex_users_1 (app_id=? AND external_id>? AND external_id<?)"
        ),
        expect(
            "the device of a token",
            SQL.tokenOwner,
            "SEARCH e USING INDEX sqlite_autoindex_endpoints_2 (app_id=? AND platform=? AND token=?)",
            "SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"
        ),
        expect(
            "the devices of an installation",
            SQL.installationOwners,
            "SEARCH i USING COVERING INDEX sqlite_autoindex_installations_1 (app_id=? AND public_id=?)",
            "SEARCH e USING INDEX endpoints_installation (app_id=? AND installation_id=?)",
            "SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"
        ),
        expect(
            "users who have a device",
            SQL.countedUsers,
            "CO-ROUTINE part",
            "SEARCH endpoints USING COVERING INDEX endpoints_audience (app_id=? AND user_id>? AND user_id<?)",
            "SCAN part"
        ),
        expect(
            "subscribers of a policy",
            SQL.countedSubscribers(withPolicy: true),
            "CO-ROUTINE part",
            "SEARCH subscriptions USING COVERING INDEX subscriptions_policy (topic_id=? AND app_id=? AND kind=? AND policy_id=?)",
            "SCAN part"
        ),
        expect(
            "texts of an app's notifications",
            SQL.notificationTexts(NotificationFilter(app: RowID(1))),
            "SEARCH n USING INDEX notifications_app (app_id=? AND id>? AND id<?)"
        ),
    ]

    /// Statements for the people of a page, each in the texts of all lengths.
    static let pages = [
        (SQL.reportDevices, "endpoints USING INTEGER PRIMARY KEY (rowid=?)"),
        (SQL.reportUsers, "users USING INTEGER PRIMARY KEY (rowid=?)"),
        (SQL.reportNotifications, "notifications USING INTEGER PRIMARY KEY (rowid=?)"),
        (
            SQL.devicesOfPeople(areGone: false),
            "endpoints USING COVERING INDEX endpoints_audience (app_id=? AND user_id=?)"
        ),
        (
            SQL.devicesOfPeople(areGone: true),
            "endpoints USING INDEX endpoints_former (app_id=? AND user_id=?)"
        ),
        (SQL.formerDevicesOfPeople, "former_devices USING PRIMARY KEY (user_id=?)"),
        (SQL.acceptedLists, "accepted USING PRIMARY KEY (notification_id=? AND first_endpoint=?)"),
        (SQL.acceptedLate, "deliveries USING PRIMARY KEY (notification_id=? AND endpoint_id=?)"),
    ]
    .flatMap { statement, plan in
        statement.all.enumerated().map { number, text in
            // Of one key they are in order already.
            let isSorted = text.contains("ORDER BY") && text.contains(#/IN \(\?\d*, /#)
            let sorting = isSorted ? ["USE TEMP B-TREE FOR ORDER BY"] : []
            return QueryPlanTests.Expectation(
                name: "\(plan), text \(number)",
                sql: text,
                plan: ["SEARCH \(plan)"] + sorting
            )
        }
    }

    @Test("the plan of", arguments: expectations + pages)
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
