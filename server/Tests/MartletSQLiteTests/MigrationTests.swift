import GRDB
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

@Suite struct MigrationTests {
    @Test("a new database has every migration, once, with the time of its application")
    func fresh() async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock()
            for _ in 0..<2 {
                let store = try await SQLiteStore.open(at: folder.database, clock: clock)
                let applied = try await store.sqlite.read { database in
                    try GRDB.Row.fetchAll(database, sql: "SELECT version, name, applied_at FROM schema_migrations")
                        .map { "\($0["version"] as Int64) \($0["name"] as String) \($0["applied_at"] as Int64)" }
                }
                #expect(applied == Migration.all.map { "\($0.version) \($0.name) 1750000000000" })
                await store.close()
                clock.advance(by: .seconds(1))
            }
        }
    }

    @Test("migrations are numbered without gaps, and their names say so")
    func numbers() {
        for (index, migration) in Migration.all.enumerated() {
            #expect(migration.version == Int64(index + 1))
            let digits = String(migration.version)
            #expect(migration.name.hasPrefix(String(repeating: "0", count: 4 - digits.count) + digits + "_"))
            #expect(!migration.sql.isEmpty)
        }
    }

    @Test("a database of a newer program is refused and left as it is")
    func newer() async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock()
            let store = try await SQLiteStore.open(at: folder.database, clock: clock)
            try await store.write { transaction in
                try transaction.prepare("INSERT INTO schema_migrations VALUES (99, '0099_later', 0)").run()
            }
            await store.close()
            for role in [SQLiteStore.Role.server, .bootstrap] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await SQLiteStore.open(at: folder.database, clock: clock, role: role)
                }
                #expect(failure?.code == .conflict)
                #expect(failure?.detail.message.contains("schema version 99") == true)
            }
        }
    }

    @Test("a migration that fails leaves nothing of itself, and those before it stay")
    func failing() throws {
        let queue = try DatabaseQueue()
        let good = Migration(version: 1, name: "0001_good", sql: "CREATE TABLE good (id INTEGER PRIMARY KEY)")
        let bad = Migration(
            version: 2,
            name: "0002_bad",
            sql: "CREATE TABLE bad (id INTEGER); INSERT INTO missing VALUES (1)"
        )
        let mended = Migration(version: 2, name: "0002_mended", sql: "CREATE TABLE mended (id INTEGER)")
        func tables(_ database: Database) throws -> Set<String> {
            try String.fetchSet(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        try queue.inDatabase { database in
            let now = Timestamp(milliseconds: 5)
            #expect(throws: DatabaseError.self) {
                try Migrator.migrate(MartletSQLite.SQLiteConnection(database), with: [good, bad], at: now)
            }
            #expect(try tables(database) == ["schema_migrations", "good"])
            try Migrator.migrate(MartletSQLite.SQLiteConnection(database), with: [good, mended], at: now)
            #expect(try tables(database) == ["schema_migrations", "good", "mended"])
            let versions = try Int.fetchAll(database, sql: "SELECT version FROM schema_migrations ORDER BY version")
            #expect(versions == [1, 2])
        }
    }

    @Test(
        "the schema refuses what must not be",
        arguments: [
            "UPDATE notifications SET public_id = x'00'", "INSERT INTO notifications SELECT * FROM notifications",
            "UPDATE endpoints SET status = 1",
            "UPDATE endpoints SET user_id = (SELECT id FROM users WHERE external_id = 'stranger')",
            "UPDATE endpoints SET token = 'ab'", "INSERT INTO batches SELECT * FROM batches",
            "UPDATE apps SET public_id = x'00'", "INSERT INTO claims VALUES (1, 0, 1, 1, NULL)",
            "INSERT INTO accepted VALUES (1, 1, 2, 1, 1, 1, x'0100')", "DELETE FROM apps",
        ]
    )
    func constraints(_ sql: String) async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        try await store.write { transaction in
            try transaction.sqlite.execute(
                sql: """
                    INSERT INTO apps (public_id, name, identity_mode, created_at)
                        VALUES (randomblob(16), 'one', 1, 0), (randomblob(16), 'two', 1, 0);
                    INSERT INTO users (app_id, external_id) VALUES (1, 'ann'), (2, 'stranger');
                    INSERT INTO endpoints (app_id, user_id, status, platform, token, public_id, status_at, created_at,
                        registered_at, is_registered)
                        VALUES (1, 1, 0, 1, 'ab', randomblob(16), 0, 0, 0, 1),
                            (1, 1, 0, 1, 'cd', randomblob(16), 0, 0, 0, 1);
                    INSERT INTO dedup_keys (app_id, key) VALUES (1, 'alert');
                    INSERT INTO notifications (id, public_id, app_id, class, priority, origin, send_at, expires_at,
                        created_at, max_attempts, steady_tries, growing_tries, minimum_delay, maximum_delay,
                        rate_limited_delay, content, audience)
                        VALUES (1, randomblob(16), 1, 2, 10, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, '{}', '{}');
                    INSERT INTO batches (id, notification_id, app_id, platform, environment, is_environment_known,
                        state, class, attempts, accepted_at, expires_at, lease_until, lease_count, waiting_count,
                        first_endpoint, last_endpoint, members)
                        VALUES (1, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 1, 1, 1, x'0100');
                    INSERT INTO accepted VALUES (1, 1, 1, 1, 1, 1, x'0100');
                    """
            )
        }
        let error = await #expect(throws: DatabaseError.self) {
            try await store.write { try $0.sqlite.execute(sql: sql) }
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        await store.close()
    }
}
