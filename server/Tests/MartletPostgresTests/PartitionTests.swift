import Dispatch
import MartletCore
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletPostgres

/// The partitions of a database, made and dropped by stores on it.
@Suite(.serialized) struct PartitionTests {
    @Test("a store that opens makes partitions for today and seven days, of every table, for keys of their own")
    func opening() async throws {
        try await Scene.with(day: 0) { scene in
            for table in DailyPartitions.tables {
                let days = try scene.days(of: table.name)
                #expect(days == Scene.names(0...7), "\(table.name)")
            }
            let sql = "SELECT reloptions FROM pg_class WHERE relname = 'progress_\(Scene.name(0))'"
            let storage = try scene.run(sql)
            #expect(storage == "{autovacuum_freeze_min_age=0,fillfactor=70}")
        }
    }

    @Test("what is sent now is in today's partition")
    func realClock() async throws {
        try await Databases.with { address in
            let store = try await PostgresStore.open(address, clock: SystemClock())
            let app = try await store.createApp(name: "app", identity: Identity())
            let now = SystemClock().now()
            _ = try await store.submit(Scene.draft(app, at: now), idempotency: nil)
            for table in ["notifications", "messages"] {
                let place = try PostgresServer.run("SELECT tableoid::regclass FROM \(table)", in: address)
                #expect(place == "\(table)_\(UTCDay(now).name)\n")
            }
            await store.close()
        }
    }

    @Test("an old day in which nothing is open is dropped with what belongs to it, and the others stay")
    func drop() async throws {
        try await Scene.with(day: 0) { scene in
            let old = try await scene.send()
            _ = try await scene.store.cancel(RowID(old.key))
            scene.clock.advance(by: .seconds(86_400))
            let young = try await scene.send()
            scene.clock.advance(by: .seconds(2 * 86_400))
            try await scene.purgeForHours(before: 1)
            for table in DailyPartitions.tables {
                #expect(try scene.days(of: table.name) == Scene.names(1...10), "\(table.name)")
            }
            #expect(try await scene.store.notification(old) == nil)
            #expect(try await scene.store.notification(young) != nil)
            #expect(try scene.run("SELECT count(*) FROM cancellations") == "0")
        }
    }

    @Test("an old day stays while something is open in it, and its other notifications are deleted one by one")
    func open() async throws {
        try await Scene.with(day: 0) { scene in
            let (unread, batched, over) = (try await scene.send(), try await scene.send(), try await scene.send())
            for id in [batched, over] { _ = try await scene.store.cancel(RowID(id.key)) }
            try scene.addBatch(of: batched)
            scene.clock.advance(by: .seconds(3 * 86_400))
            try await scene.purge(before: 2)
            #expect(try scene.days(of: "notifications") == Scene.names(0...0) + Scene.names(2...10))
            #expect(try scene.days(of: "deliveries") == Scene.names(0...0) + Scene.names(2...10))
            #expect(try await scene.store.notification(over) == nil)
            #expect(try await scene.store.notification(unread) != nil)
            _ = try await scene.store.cancel(RowID(unread.key))
            try await scene.purgeNextHour(before: 2)
            #expect(try await scene.store.notification(batched) != nil)
            try scene.run("DELETE FROM batches")
            try await scene.purgeNextHour(before: 2)
            #expect(try scene.days(of: "notifications") == Scene.names(2...10))
        }
    }

    @Test("a day that somebody reads is dropped later, and nobody fails")
    func busy() async throws {
        try await Scene.with(day: 0) { scene in
            scene.clock.advance(by: .seconds(2 * 86_400))
            let (reads, hasRead) = AsyncStream.makeStream(of: Void.self)
            let end = DispatchSemaphore(value: 0)
            async let reading: Void = scene.store.database.read { transaction in
                // Again and again: the database gives up a transaction in which nothing happens for ten seconds.
                repeat {
                    _ = try transaction.prepare("SELECT 1 FROM notifications WHERE id = ?").bind(Int64(1)).exists()
                    hasRead.yield()
                } while end.wait(timeout: .now() + 1) == .timedOut
            }
            for await _ in reads { break }
            do { try await scene.purge(before: 1) } catch { Issue.record(error) }
            end.signal()
            try await reading
            #expect(try scene.days(of: "notifications") == Scene.names(0...7))
            try await scene.purgeNextHour(before: 1)
            #expect(try scene.days(of: "notifications") == Scene.names(1...9))
        }
    }

    @Test("a day of which rows are in the default partition gets none, and the other days do")
    func defaultRows() async throws {
        try await Scene.with(day: 0) { scene in
            scene.clock.advance(by: .seconds(9 * 86_400))
            let early = try await scene.send()
            let next = try await PostgresStore.open(scene.address, clock: scene.clock)
            #expect(try scene.days(of: "notifications") == Scene.names(0...7) + Scene.names(10...16))
            #expect(try scene.days(of: "progress") == Scene.names(0...7) + Scene.names(9...16))
            #expect(try await next.notification(early) != nil)
            await next.close()
        }
    }

    @Test("the duty is done once an hour by one of the processes")
    func duty() async throws {
        try await Scene.with(day: 0) { scene in
            let other = try await PostgresStore.open(scene.address, clock: scene.clock)
            try await scene.purge(before: 0)
            try scene.run("DROP TABLE messages_\(Scene.name(7))")
            _ = try await other.purge(.notifications, before: Scene.day(0).start, limit: 10)
            #expect(try scene.days(of: "messages") == Scene.names(0...6))
            scene.clock.advance(by: .seconds(3_600))
            _ = try await other.purge(.notifications, before: Scene.day(0).start, limit: 10)
            #expect(try scene.days(of: "messages") == Scene.names(0...7))
            #expect(try scene.run("SELECT term FROM duties WHERE name = 'partitions'") == "2")
            await other.close()
        }
    }

    @Test("processes that make and drop the same days at once do not fail")
    func together() async throws {
        try await Scene.with(day: 0) { scene in
            scene.clock.advance(by: .seconds(3 * 86_400))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let connection = PostgresConnection(address: scene.address, options: "", limit: nil)
                        let partitions = DailyPartitions(connection: connection)
                        try connection.open()
                        try partitions.create(at: scene.clock.now())
                        try partitions.drop(before: Scene.day(2).start, at: scene.clock.now())
                    }
                }
                try await group.waitForAll()
            }
            try await scene.purgeForHours(before: 2)
            for table in DailyPartitions.tables {
                #expect(try scene.days(of: table.name) == Scene.names(2...10), "\(table.name)")
            }
        }
    }

    @Test("every table with a notification's key is partitioned, or forgotten with a day, or outlives it")
    func tables() async throws {
        try await Databases.with { address in
            let names = try PostgresServer.run(
                """
                SELECT t.relname FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
                WHERE a.attname = 'notification_id' AND t.relkind IN ('r', 'p') AND NOT t.relispartition
                """,
                in: address
            )
            let known =
                DailyPartitions.tables.dropFirst().map(\.name) + DailyPartitions.plainTables
                + ["batches", "fan_outs", "claims", "dead_letters", "inbox_items"]
            #expect(names.split(separator: "\n").map(String.init).sorted() == known.sorted())
        }
    }
}

/// A store on a database of its own, whose days are counted from 25 November 2026.
private struct Scene: Sendable {
    let address: String
    let clock: ManualClock
    let store: Store
    let app: App

    static func with(day: Int64, _ body: (Scene) async throws -> Void) async throws {
        try await Databases.with { address in
            let clock = ManualClock(Self.day(day).start + .seconds(43_200))
            let store = try await PostgresStore.open(address, clock: clock)
            let app = try await store.createApp(name: "app", identity: Identity())
            do { try await body(Scene(address: address, clock: clock, store: store, app: app)) } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }

    static func day(_ number: Int64) -> UTCDay { UTCDay(number: 20_782 + number) }

    static func name(_ number: Int64) -> String { day(number).name }

    static func names(_ days: ClosedRange<Int64>) -> [String] { days.map(name) }

    /// The days that have a partition, without those of the template, which are earlier.
    func days(of table: String) throws -> [String] {
        let sql = """
            SELECT relname FROM pg_class JOIN pg_inherits ON inhrelid = oid
            WHERE inhparent = '\(table)'::regclass ORDER BY relname
            """
        return try run(sql).split(separator: "\n").compactMap { UTCDay(name: $0.dropFirst(table.count + 1)) }
            .filter { $0 >= Self.day(0) }.map(\.name)
    }

    @discardableResult
    func run(_ sql: String) throws -> String {
        let text = try PostgresServer.run(sql, in: address)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    func purge(before day: Int64) async throws {
        while try await store.purge(.notifications, before: Self.day(day).start, limit: 1_000) > 0 {}
    }

    func purgeNextHour(before day: Int64) async throws {
        clock.advance(by: .seconds(3_600))
        try await purge(before: day)
    }

    /// Some rounds: a table that somebody uses, such as the server's own vacuum, keeps its day until a later one.
    func purgeForHours(before day: Int64) async throws {
        try await purge(before: day)
        for _ in 1...5 { try await purgeNextHour(before: day) }
    }

    /// A notification for everybody whose audience is not read yet.
    func send() async throws -> PublicID {
        try await store.submit(Self.draft(app, at: clock.now()), idempotency: nil).id
    }

    func addBatch(of notification: PublicID) throws {
        try run(
            """
            INSERT INTO batches (id, notification_id, app_id, platform, environment, is_environment_known, state, class,
                attempts, accepted_at, expires_at, lease_until, lease_count, waiting_count, first_endpoint,
                last_endpoint, members)
            VALUES (1, \(notification.key), \(app.row.rawValue), 1, 2, 1, 1, 2, 0, 0, \(Int64.max), 0, 0, 1, 1, 1, '')
            """
        )
    }

    /// With ids of its own: those of the process follow the clocks of other tests.
    static func draft(_ app: App, at now: Timestamp) -> NotificationDraft {
        NotificationDraft(
            id: NotificationIDs().next(at: now),
            app: app.row,
            audience: .all,
            content: Content(),
            priority: .high,
            dedup: nil,
            collapseID: nil,
            sendAt: nil,
            expiresAt: now + .seconds(60),
            retry: .standard,
            messages: [Message(platform: .apns, headers: [:], payload: Payload([1]))]
        )
    }
}
