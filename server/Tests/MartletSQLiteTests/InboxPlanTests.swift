import GRDB
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// Feeds, counts and marks find their rows through an index, most of them in the index alone, and sort nothing.
@Suite struct InboxPlanTests {
    private static func expect(_ name: String, _ sql: String, _ plan: String...) -> QueryPlanTests.Expectation {
        QueryPlanTests.Expectation(name: name, sql: sql, plan: plan)
    }

    private static let openWork = [
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH b USING COVERING INDEX batches_notification (notification_id=?)",
        "CORRELATED SCALAR SUBQUERY 2",
        "SEARCH f USING PRIMARY KEY (notification_id=?)",
    ]

    /// A person's own items have one plan, whatever they are asked by.
    static let own = InboxStatusName.allCases.flatMap { status in
        [false, true].map { ofCategory in
            expect(
                "own items, \(status)\(ofCategory ? ", of a category" : "")",
                SQL.ownItems(status, ofCategory: ofCategory),
                "SEARCH inbox_entries USING PRIMARY KEY (user_id=? AND item_id<?)"
            )
        }
    }

    static let reads = [
        expect(
            "shared items",
            SQL.sharedItems,
            "SEARCH inbox_items USING COVERING INDEX inbox_items_shared (app_id=? AND id<?)"
        ),
        expect(
            "shared items of a category",
            SQL.sharedOfCategory,
            "SEARCH inbox_items USING COVERING INDEX inbox_items_shared (app_id=? AND id<?)"
        ),
        expect(
            "sets",
            SQL.sets,
            "SEARCH inbox_sets USING PRIMARY KEY (app_id=? AND block=? AND item_id>? AND item_id<?)"
        ),
        expect(
            "an item by its id",
            SQL.itemByID,
            "SEARCH inbox_items USING INDEX inbox_items_public (app_id=? AND public_id=?)"
        ),
        expect(
            "the item of a notification",
            SQL.itemOfNotification,
            "SEARCH inbox_items USING INDEX inbox_items_notification (notification_id=?)"
        ),
        expect(
            "the newest of a person's own",
            SQL.newestOwn,
            "SEARCH inbox_entries USING PRIMARY KEY (user_id=? AND item_id>?)"
        ),
        expect(
            "the oldest that is kept",
            SQL.oldestKept,
            "SEARCH inbox_entries USING PRIMARY KEY (user_id=?)"
        ),
        expect("notifications that are not over", SQL.isItemOpen, "SEARCH i USING PRIMARY KEY (app_id=? AND id=?)"),
        expect(
            "shared notifications that are not over",
            SQL.openShared,
            "SEARCH i USING COVERING INDEX inbox_items_shared (app_id=? AND id>? AND id<?)"
        ),
        expect(
            "own notifications that are taken back",
            SQL.withdrawOwn(ofCategory: false),
            "SEARCH e USING COVERING INDEX inbox_entries_unread (user_id=? AND item_id<?)",
            "SEARCH i USING PRIMARY KEY (app_id=? AND id=?)"
        ),
        expect(
            "entries that are marked",
            SQL.markEntries(.read, ofCategory: false),
            "SEARCH inbox_entries USING PRIMARY KEY (user_id=? AND item_id<?)"
        ),
        expect(
            "the entries of an item",
            SQL.entriesOfItem,
            "SEARCH inbox_entries USING COVERING INDEX inbox_entries_age (expires_at=? AND item_id=?)"
        ),
        expect(
            "entries that ended",
            SQL.endedEntries,
            "SEARCH inbox_entries USING COVERING INDEX inbox_entries_age (expires_at<?)"
        ),
        expect(
            "the item that ended first",
            SQL.endedItem,
            "SEARCH inbox_items USING INDEX inbox_items_age (expires_at<?)"
        ),
        expect(
            "the sets of an item",
            SQL.setsOfItem,
            "SEARCH inbox_sets USING COVERING INDEX inbox_sets_item (app_id=? AND item_id=?)"
        ),
    ]

    /// Statements for many people, each in the text for one and that for many.
    static let people = [
        (SQL.inboxStates, "inbox_state USING INTEGER PRIMARY KEY (rowid=?)"),
        (
            SQL.sharedEntries,
            "inbox_entries USING COVERING INDEX inbox_entries_shared (user_id=? AND item_id>? AND item_id<?)"
        ),
        (SQL.unreadOwn, "inbox_entries USING COVERING INDEX inbox_entries_unread (user_id=?)"),
        (SQL.unseenOwn, "inbox_entries USING COVERING INDEX inbox_entries_unseen (user_id=?)"),
        (SQL.inboxChoices, "preferences USING PRIMARY KEY (user_id=?)"),
        (SQL.inboxChanges, "preference_changes USING INDEX preference_changes_user (user_id=? AND id>?)"),
        (SQL.holders, "inbox_entries USING PRIMARY KEY (user_id=? AND item_id=?)"),
        (SQL.overfullInboxes, "inbox_entries USING PRIMARY KEY (user_id=?)"),
        (SQL.itemIDs, "inbox_items USING PRIMARY KEY (app_id=? AND id=?)"),
        (SQL.inboxUsers, "users USING COVERING INDEX sqlite_autoindex_users_1 (app_id=? AND external_id=?)"),
    ]
    .flatMap { statement, plan in
        statement.all.enumerated().map { expect("\(plan), text \($0)", $1, "SEARCH \(plan)") }
    }

    @Test("the plan of", arguments: own + reads + people)
    func plan(_ expectation: QueryPlanTests.Expectation) async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let plan = try await store.sqlite.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + SQLiteDialect.text(expectation.sql))
            statement.setUncheckedArguments(StatementArguments())
            return try GRDB.Row.fetchAll(statement).map { $0["detail"] as String }
        }
        #expect(plan.filter { !Self.openWork.contains($0) } == expectation.plan)
        await store.close()
    }
}
