import Foundation
import GRDB
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

@Suite struct OpeningTests {
    @Test("the writer is in WAL mode with full synchronisation and foreign keys, after GRDB's own set-up")
    func pragmas() async throws {
        try await TemporaryFolder.with { folder in
            let store = try await SQLiteStore.open(at: folder.database, clock: ManualClock())
            let values = try await store.sqlite.writeWithoutTransaction { database in
                try ["synchronous", "foreign_keys", "busy_timeout"].map {
                    try Int.fetchOne(database, sql: "PRAGMA \($0)")
                }
            }
            // synchronous 2 is FULL, https://sqlite.org/pragma.html#pragma_synchronous
            #expect(values == [2, 1, 5_000])
            let mode = try await store.sqlite.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
            #expect(mode == "wal")
            try await store.write { _ in }
            let later = try await store.sqlite.writeWithoutTransaction {
                try Int.fetchOne($0, sql: "PRAGMA synchronous")
            }
            #expect(later == 2)
            await store.close()
        }
    }

    @Test("a store that was closed leaves nothing in its log: the file alone is the database")
    func emptyLog() async throws {
        try await TemporaryFolder.with { folder in
            let store = try await SQLiteStore.open(at: folder.database, clock: ManualClock())
            _ = try await store.createApp(name: "one", identity: Identity())
            _ = try await store.apps(PageRequest())
            await store.close()
            let log = try? FileManager.default.attributesOfItem(atPath: folder.database + "-wal")[.size] as? Int
            #expect(log ?? 0 == 0)
        }
    }

    @Test("missing folders are made for the owner alone, and so are the files")
    func permissions() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/a/b/martlet.sqlite"
            let store = try await SQLiteStore.open(at: path, clock: ManualClock())
            for name in ["/a", "/a/b"] { #expect(try mode(folder.path + name) == 0o700) }
            for suffix in ["", "-wal", "-shm", ".lock"] { #expect(try mode(path + suffix) == 0o600) }
            await store.close()
        }
    }

    @Test("a folder that cannot be made is a clear error")
    func impossibleFolder() async throws {
        try await TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
            await #expect(throws: Failure.self) {
                _ = try await SQLiteStore.open(at: folder.path + "/file/martlet.sqlite", clock: ManualClock())
            }
        }
    }

    @Test("a second server is refused while the first is open; a command beside it is not")
    func lock() async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock()
            let first = try await SQLiteStore.open(at: folder.database, clock: clock)
            let failure = await #expect(throws: Failure.self) {
                _ = try await SQLiteStore.open(at: folder.database, clock: clock)
            }
            #expect(failure?.code == .conflict)
            #expect(failure?.detail.message.contains("Another server") == true)
            let command = try await SQLiteStore.open(at: folder.database, clock: clock, role: .bootstrap)
            let app = try await command.createApp(name: "app", identity: Identity())
            #expect(try await first.app(.name("app")) == app)
            await command.close()
            await first.close()
            let second = try await SQLiteStore.open(at: folder.database, clock: clock)
            #expect(try await second.app(.name("app")) == app)
            await second.close()
        }
    }

    @Test("a server that starts goes on at once with what a crashed one held; a command leaves it held")
    func crash() async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock()
            let before = try await SQLiteStore.open(at: folder.database, clock: clock)
            let queue = try await prepareWork(before, clock)
            let lease = Lease(holder: 1)
            let batch = try #require(try await before.leaseBatches(queue, limit: 1, lease: lease).first)
            let fanOut = try #require(try await before.leaseFanOuts(limit: 1, lease: lease).first)
            // What a killed process leaves: the files as they are, and no lock.
            try await TemporaryFolder.with { crashed in
                try FileManager.default.createDirectory(atPath: crashed.path, withIntermediateDirectories: true)
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(
                        atPath: folder.database + suffix,
                        toPath: crashed.database + suffix
                    )
                }
                let command = try await SQLiteStore.open(at: crashed.database, clock: clock, role: .bootstrap)
                #expect(try await command.dueWork().queues == [])
                await command.close()
                let after = try await SQLiteStore.open(at: crashed.database, clock: clock)
                let leased = try await after.leaseBatches(queue, limit: 1, lease: Lease(holder: 2))
                var again = batch
                again.wasLeased = true
                #expect(leased == [again])
                let resumed = try await after.leaseFanOuts(limit: 1, lease: Lease(holder: 2))
                #expect(resumed.map(\.notification) == [fanOut.notification])
                #expect(resumed.map(\.cursor) == [fanOut.cursor])
                await after.close()
            }
            await before.close()
        }
    }

    @Test("an app whose deletion was interrupted is gone, and the clean-up takes the rest of it")
    func interruptedDeletion() async throws {
        let clock = ManualClock()
        let store = try await SQLiteStore.inMemory(clock: clock)
        let queue = try await prepareWork(store, clock)
        let app = try #require(try await store.app(.row(queue.app)))
        try await store.writeConfiguration { try $0.hide(app.row) }
        #expect(try await store.app(.row(app.row)) == nil)
        #expect(try await store.app(.id(app.id)) == nil)
        #expect(try await store.app(.name(app.name)) == nil)
        #expect(try await store.apps(PageRequest()).items == [])
        await #expect(throws: Failure.self) {
            _ = try await store.register(Registration(app: app.row, platform: .apns, token: "cd"))
        }
        while try await store.purge(.notifications, before: clock.now(), limit: 1) > 0 {}
        let tables = ["apps", "users", "endpoints", "notifications", "batches", "accepted", "fan_outs"]
        let counts = try await store.sqlite.read { database in
            try tables.map { try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") }
        }
        #expect(counts == tables.map { _ in 0 })
        await store.close()
    }

    /// One batch and one open fan-out.
    private func prepareWork(_ store: Store, _ clock: ManualClock) async throws -> DeliveryQueue {
        let app = try await store.createApp(name: "app", identity: Identity())
        _ = try await store.register(
            Registration(app: app.row, platform: .apns, token: "ab", environment: .production)
        )
        for _ in 0..<2 {
            let draft = NotificationDraft(
                id: NotificationIDs().next(at: clock.now()),
                app: app.row,
                audience: .all,
                content: Content(),
                priority: .high,
                dedup: nil,
                collapseID: nil,
                sendAt: nil,
                expiresAt: clock.now() + .seconds(60),
                retry: .standard,
                messages: []
            )
            _ = try await store.submit(draft, idempotency: nil)
        }
        let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .production)
        let fanOut = try #require(try await store.leaseFanOuts(limit: 1, lease: Lease(holder: 9)).first)
        let page = try await store.audience(of: fanOut, limit: 10)
        _ = try await store.commit(Gate(app: app.row, queues: [queue]).decide(page), of: fanOut)
        return queue
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
