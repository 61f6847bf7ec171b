import GRDB
import MartletCore
import MartletTesting
import Synchronization
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// The lists that operators page through walk along an index from where a page begins, and sort nothing; but for what there
/// is little of: pauses, of which a queue has one, and an app's categories, which have a limit. The statements are those that
/// the store runs.
@Suite struct ListPlanTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        var name: String
        var plans: [[String]]
        var read: @Sendable (Store, RowID<App>, RowID<Topic>) async throws -> Void

        var testDescription: String { name }
    }

    private static let page = PageRequest(after: 1_000, count: 50)

    private static func reading(
        _ name: String,
        _ plans: [String]...,
        by read: @escaping @Sendable (Store, RowID<App>, RowID<Topic>) async throws -> Void
    ) -> Reading {
        Reading(name: name, plans: plans, read: read)
    }

    private static let quarantinePlan = [
        "SEARCH w USING INTEGER PRIMARY KEY (rowid<?)",
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH f USING PRIMARY KEY (notification_id=? AND hold_id=?)",
        "SEARCH n USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH b USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
    ]

    private static func subscriptionPlan(_ first: String) -> [String] {
        [
            first, "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH p USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            "SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
        ]
    }

    static let readings = [
        reading("dead letters", ["SEARCH w USING INTEGER PRIMARY KEY (rowid<?)"]) { store, _, _ in
            _ = try await store.failedWork(.delivery, .open(of: nil), page)
        },
        reading(
            "an app's dead letters",
            ["SEARCH w USING INDEX dead_letters_app (app_id=? AND retried_at=? AND rowid<?)"]
        ) { store, app, _ in
            _ = try await store.failedWork(.delivery, .open(of: app), page)
        },
        reading(
            "webhooks' dead letters",
            ["SEARCH w USING INDEX dead_letters_app (app_id=? AND retried_at=? AND rowid<?)"]
        ) { store, _, _ in
            _ = try await store.failedWork(.webhook, .open(of: nil), page)
        },
        reading("quarantined work", quarantinePlan) { store, _, _ in
            _ = try await store.failedWork(.quarantined, .open(of: nil), page)
        },
        reading("an app's quarantined work", quarantinePlan) { store, app, _ in
            _ = try await store.failedWork(.quarantined, .open(of: app), page)
        },
        reading("apps", ["SEARCH apps USING INTEGER PRIMARY KEY (rowid>?)"]) { store, _, _ in
            _ = try await store.apps(.all, page)
        },
        reading("keys", ["SEARCH api_keys USING INTEGER PRIMARY KEY (rowid>?)"]) { store, _, _ in
            _ = try await store.keys(.api(app: nil), page)
        },
        reading("an app's keys", ["SEARCH api_keys USING INDEX api_keys_app (app_id=? AND rowid>?)"]) { store, app, _ in
            _ = try await store.keys(.api(app: app), page)
        },
        reading("access keys", ["SEARCH access_keys USING INTEGER PRIMARY KEY (rowid>?)"]) { store, _, _ in
            _ = try await store.keys(.access, page)
        },
        reading("topics", ["SEARCH t USING INTEGER PRIMARY KEY (rowid>?)"]) { store, _, _ in
            _ = try await store.topics(.all, page)
        },
        reading("an app's topics", ["SEARCH t USING INDEX topics_app (app_id=? AND region=? AND id>?)"]) {
            store,
            app,
            _ in
            _ = try await store.topics(.owned(by: app, region: "us-east-1"), page)
        },
        reading(
            "a topic's subscriptions",
            subscriptionPlan("SEARCH s USING INDEX subscriptions_topic (topic_id=? AND rowid>?)")
        ) { store, _, topic in
            _ = try await store.subscriptions(.topic(topic), page)
        },
        reading(
            "a topic's webhook URLs",
            subscriptionPlan("SEARCH s USING INDEX subscriptions_webhooks (topic_id=? AND is_confirmed=? AND rowid>?)")
        ) { store, _, topic in
            _ = try await store.subscriptions(.webhooks(topic), page)
        },
        reading(
            "a person's subscriptions",
            [
                "SEARCH s USING INDEX subscriptions_user (subject_id=? AND id>?)", "SCALAR SUBQUERY 1",
                "SEARCH users USING COVERING INDEX sqlite_autoindex_users_1 (app_id=? AND external_id=?)",
            ] + subscriptionPlan("").dropFirst()
        ) { store, app, _ in _ = try await store.subscriptions(.user("ann", app: app), page) },
        reading("subscriptions to an app's topics", subscriptionPlan("SEARCH s USING INTEGER PRIMARY KEY (rowid>?)")) {
            store,
            app,
            _ in
            _ = try await store.subscriptions(.owned(by: app, region: "us-east-1"), page)
        },
        reading("pauses", ["SCAN p"]) { store, _, _ in _ = try await store.pauses(PauseSelection.all) },
        reading("an app's pauses", ["SEARCH p USING PRIMARY KEY (app_id=?)"]) { store, app, _ in
            _ = try await store.pauses(PauseSelection.app(app))
        },
        reading(
            "an app's categories",
            ["SEARCH c USING INDEX sqlite_autoindex_categories_1 (app_id=?)", "USE TEMP B-TREE FOR ORDER BY"]
        ) { store, app, _ in _ = try await store.categories(of: app) },
    ]

    @Test("the plan of", arguments: readings)
    func plan(_ reading: Reading) async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let app = try await store.createApp(name: "one", identity: Identity())
        let topic = try await store.createTopic(TopicDraft(name: "news")).topic
        let statements = Mutex<[String]>([])
        try await store.sqlite.write { database in
            database.trace(options: .statement) { event in
                guard case .statement(let statement) = event else { return }
                statements.withLock { $0.append(statement.sql) }
            }
        }
        try await reading.read(store, app.row, topic.row)
        let plans = try await store.sqlite.write { database in
            database.trace(options: [])
            return try statements.withLock(\.self).filter { $0.contains("SELECT") }.map { sql in
                let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
                statement.setUncheckedArguments(StatementArguments())
                return try GRDB.Row.fetchAll(statement).map { $0["detail"] as String }
            }
        }
        #expect(plans == reading.plans)
        await store.close()
    }
}
