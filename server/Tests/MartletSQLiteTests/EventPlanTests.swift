import GRDB
import MartletCore
import MartletEventQuery
import MartletTesting
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// What runs for each upload, each page of events and each round of the retention finds its rows through an index, and
/// sorts nothing.
@Suite struct EventPlanTests {
    private static let ofApp = EventFilter(app: RowID(1))
    private static let ofUser = {
        var filter = ofApp
        filter.user = "ann"
        return filter
    }()

    private static let byKey = "SEARCH e USING INTEGER PRIMARY KEY (rowid>?)"
    private static let subject = "SEARCH s USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"
    private static func expect(_ name: String, _ sql: String, _ plan: String...) -> QueryPlanTests.Expectation {
        QueryPlanTests.Expectation(name: name, sql: sql, plan: plan)
    }

    static let expectations = [
        expect("an app's events as they came", SQL.events(ofApp, columns: Event.columns), byKey, subject),
        expect("a user's events as they came", SQL.events(ofUser, columns: Event.columns), byKey, subject),
        expect(
            "all events as they came",
            SQL.events(EventFilter(), columns: Event.columns),
            byKey,
            "LIST SUBQUERY 1",
            "SCAN apps",
            subject
        ),
        expect("the newest events of an app", SQL.eventsFromNewest(ofApp), byKey),
        expect(
            "the rows of a query",
            EventColumn.select,
            "SEARCH a USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
            "SEARCH e USING INDEX push_events_time (app_id=? AND time>? AND time<?)",
            subject
        ),
        expect(
            "a message's counts",
            SQL.eventCounts,
            "SEARCH event_counts USING PRIMARY KEY (app_id=? AND message_id=?)"
        ),
        expect(
            "a device's subject",
            SQL.eventSubject,
            "SEARCH i USING PRIMARY KEY (app_id=? AND kind=? AND identity=?)",
            "SEARCH s USING INTEGER PRIMARY KEY (rowid=?)"
        ),
        // The scan is in the order of the keys and ends with the limit.
        expect(
            "old events",
            SQL.purgeEvents,
            "SEARCH push_events USING INTEGER PRIMARY KEY (rowid=?)",
            "LIST SUBQUERY 1",
            "SCAN push_events"
        ),
        expect(
            "old keys of events",
            SQL.oldEventKeys,
            "SEARCH event_keys USING COVERING INDEX event_keys_age (known_until<?)"
        ),
        expect(
            "one key",
            SQL.deleteEventKey,
            "SEARCH event_keys USING PRIMARY KEY (app_id=? AND event_key=?)"
        ),
        expect(
            "old counts",
            SQL.oldEventCounts,
            "SEARCH event_counts USING COVERING INDEX event_counts_age (counted_at<?)"
        ),
        expect(
            "one count",
            SQL.deleteEventCount,
            "SEARCH event_counts USING PRIMARY KEY (app_id=? AND message_id=? AND type=?)"
        ),
        expect(
            "old subjects",
            SQL.purgeEventSubjects,
            "SEARCH event_subjects USING INTEGER PRIMARY KEY (rowid=?)",
            "LIST SUBQUERY 1",
            "SEARCH event_subjects USING COVERING INDEX event_subjects_age (used_at<?)",
            "SEARCH event_identities USING COVERING INDEX event_identities_subject (subject_id=?)"
        ),
        expect(
            "the events of an app that is gone",
            SQL.forgetEvents,
            "SEARCH push_events USING INTEGER PRIMARY KEY (rowid=?)",
            "LIST SUBQUERY 1",
            "SEARCH push_events USING COVERING INDEX push_events_time (app_id=?)"
        ),
        expect(
            "its keys",
            SQL.forgetEventKeys,
            "SEARCH event_keys USING PRIMARY KEY (app_id=? AND event_key=?)",
            "LIST SUBQUERY 1",
            "SEARCH event_keys USING PRIMARY KEY (app_id=?)"
        ),
        expect(
            "its counts",
            SQL.forgetEventCounts,
            "SEARCH event_counts USING PRIMARY KEY (app_id=? AND message_id=? AND type=?)",
            "LIST SUBQUERY 1",
            "SEARCH event_counts USING PRIMARY KEY (app_id=?)"
        ),
        expect("its devices", SQL.identitiesOfApp, "SEARCH event_identities USING PRIMARY KEY (app_id=?)"),
        expect(
            "one device",
            SQL.deleteEventIdentity,
            "SEARCH event_identities USING PRIMARY KEY (app_id=? AND kind=? AND identity=?)"
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
