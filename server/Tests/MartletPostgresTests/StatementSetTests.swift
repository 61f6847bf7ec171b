import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletPostgres
@testable import MartletStore

/// Rows that are written together, and questions that are asked together.
@Suite struct StatementSetTests {
    private static let addUser = """
        INSERT INTO users (app_id, external_id) VALUES (?, ?) ON CONFLICT (app_id, external_id) DO NOTHING
        """
    private static let count = """
        INSERT INTO progress (notification_id, slot, planned, withheld, accepted, rejected, suppressed, expired, cancelled,
            dead)
        VALUES (?, 0, ?, 0, 0, 0, 0, 0, 0, 0)
        ON CONFLICT (notification_id, slot) DO UPDATE SET planned = progress.planned + excluded.planned
        """

    /// What a test does with a store that has one app.
    private static func withApp(_ body: (Store, RowID<App>) async throws -> Void) async throws {
        try await Databases.with { address in
            let store = try await PostgresStore.open(address, clock: ManualClock())
            let app = try await store.createApp(name: "shop", identity: Identity())
            try await body(store, app.row)
            await store.close()
        }
    }

    private static func users(_ transaction: Transaction, _ app: RowID<App>) throws -> [String] {
        try transaction.prepare("SELECT external_id FROM users WHERE app_id = ? ORDER BY external_id").bind(app)
            .all { $0.text("external_id") }
    }

    @Test("a statement that reads a table finds the rows that are not sent yet")
    func reads() async throws {
        try await Self.withApp { store, app in
            let found = try await store.write { transaction in
                for name in ["ann", "bob", "cem"] { try transaction.prepare(Self.addUser).bind(app, name).run() }
                return try Self.users(transaction, app)
            }
            #expect(found == ["ann", "bob", "cem"])
        }
    }

    @Test(
        "a row that was taken for new and is not has the write run again, which is told so; its neighbours are written"
    )
    func taken() async throws {
        try await Self.withApp { store, app in
            try await store.write { try $0.prepare(Self.addUser).bind(app, "bob").run() }
            let said = try await store.write { transaction in
                try ["ann", "bob", "cem"].map { try transaction.prepare(Self.addUser).bind(app, $0).writeOne() }
            }
            #expect(said == [true, false, true])
            let found = try await store.read { try Self.users($0, app) }
            #expect(found == ["ann", "bob", "cem"])
            // The next transaction takes for granted again.
            let next = try await store.write { transaction in
                (try transaction.prepare(Self.addUser).bind(app, "dan").writeOne(), transaction.connection.isOptimistic)
            }
            #expect(next.0 && next.1)
        }
    }

    @Test("rows of which two say the same are counted both")
    func same() async throws {
        try await Self.withApp { store, _ in
            let planned = try await store.write { transaction in
                for number in 1...4 { try transaction.prepare(Self.count).bind(Int64(7 + number % 2), number).run() }
                return try transaction.prepare("SELECT planned FROM progress ORDER BY notification_id")
                    .all { $0.int("planned") }
            }
            #expect(planned == [6, 4])
        }
    }

    @Test("NULL, empty and long values come back as they were, in any number of rows", arguments: [1, 2, 2_500])
    func values(count: Int) async throws {
        try await Self.withApp { store, app in
            let long = String(repeating: "ü", count: 3_000)
            let sql = """
                INSERT INTO suppressions (notification_id, key, user_id, reason, held_by, created_at, detail)
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (notification_id, key) DO NOTHING
                """
            try await store.write { transaction in
                for key in 0..<Int64(count) {
                    let user = key % 2 == 0 ? nil : RowID<User>(key)
                    let detail = key % 3 == 0 ? nil : key % 3 == 1 ? "" : long
                    try transaction.prepare(sql).bind(Int64(1), key, user, Int64(1), Int64?.none, Int64(5), detail)
                        .run()
                }
            }
            try await store.read { transaction in
                var key: Int64 = 0
                try transaction.prepare("SELECT key, user_id, detail FROM suppressions ORDER BY key").forEach { row in
                    #expect(row.int("key") == key)
                    #expect(row.optionalInt("user_id") == (key % 2 == 0 ? nil : key))
                    #expect(row.isNull("detail") == (key % 3 == 0))
                    if key % 3 > 0 { #expect(row.text("detail") == (key % 3 == 1 ? "" : long)) }
                    key += 1
                }
                #expect(key == Int64(count))
            }
        }
    }

    @Test(
        "what was asked is answered until its table is written: a row that is there stays, one that was not is looked for"
    )
    func questions() async throws {
        try await Self.withApp { store, app in
            try await store.write { try $0.prepare(Self.addUser).bind(app, "ann").run() }
            let questions: CommitQueue.Questions = { transaction, turn in
                guard turn == 0 else { return }
                for name in ["ann", "bob", "ann"] { try transaction.prepare(SQL.user).bind(app, name).ask() }
            }
            try await store.write(questions: questions) { transaction in
                func isAnswered(_ name: String) throws -> Bool {
                    try transaction.prepare(SQL.user).bind(app, name).isAnswered
                }
                func exists(_ name: String) throws -> Bool {
                    try transaction.prepare(SQL.user).bind(app, name).exists()
                }
                let asked = try ["ann", "bob", "cem"].map(isAnswered)
                #expect(asked == [true, true, false])
                let there = try ["ann", "bob", "cem"].map(exists)
                #expect(there == [true, false, false])
                try transaction.prepare(Self.addUser).bind(app, "bob").run()
                let later = try ["ann", "bob"].map(isAnswered)
                #expect(later == [true, false])
                let isMade = try exists("bob")
                #expect(isMade)
                try transaction.prepare("UPDATE users SET external_id = 'zoe' WHERE app_id = ? AND external_id = 'ann'")
                    .bind(app).run()
                let renamed = try [isAnswered("ann"), exists("ann")]
                #expect(renamed == [false, false])
            }
            let next = try await store.write { try $0.prepare(SQL.user).bind(app, "bob").isAnswered }
            #expect(!next)
        }
    }

    @Test("who was not there when it was asked, and is written before the next question, is looked for")
    func staleAnswer() async throws {
        try await Self.withApp { store, app in
            let questions: CommitQueue.Questions = { transaction, turn in
                if turn == 0 { try transaction.prepare(SQL.user).bind(app, "eve").ask() }
                guard turn == 1 else { return }
                try transaction.prepare(SQL.addUser).bind(app, "eve").run()
                try transaction.prepare(SQL.user).bind(app, "dan").ask()
            }
            let found = try await store.write(questions: questions) { transaction in
                try ["eve", "dan"].map { try transaction.prepare(SQL.user).bind(app, $0).exists() }
            }
            #expect(found == [true, false])
        }
    }

    @Test("a row of another table that a deletion needs gone is written before it")
    func order() async throws {
        try await Self.withApp { store, app in
            let (user, endpoint) = try await store.write { transaction in
                let user = try transaction.makeUser("ann", of: app)
                try transaction.makeEndpoint(app, .apns, token: String(repeating: "ab", count: 32))
                let endpoint = try transaction.prepare("SELECT id FROM endpoints").one { $0.int("id") }
                try transaction.prepare("UPDATE endpoints SET user_id = ? WHERE id = ?").bind(user, endpoint).run()
                return (user, endpoint)
            }
            let deleted = try await store.write { transaction in
                try transaction.prepare("UPDATE endpoints SET user_id = ? WHERE id = ?")
                    .bind(RowID<User>?.none, endpoint).run()
                return try transaction.prepare("DELETE FROM users WHERE id = ?").bind(user).changes()
            }
            #expect(deleted == 1)
        }
    }
}
