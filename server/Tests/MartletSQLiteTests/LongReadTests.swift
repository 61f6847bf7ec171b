import GRDB
import MartletCore
import MartletTesting
import MartletWire
import Synchronization
import Testing

@testable import MartletSQLite

/// Lists that look at many rows: bounded in time, and nobody else waits for them.
@Suite struct LongReadTests {
    private final class Count: Sendable {
        let value = Atomic(0)
    }

    /// A clock that counts how often it is looked at: a read does that once, when it has begun.
    private final class CountingClock: WallClock {
        let looks = Atomic(0)

        func now() -> Timestamp {
            looks.add(1, ordering: .relaxed)
            return Timestamp(milliseconds: 1_750_000_000_000)
        }

        func sleep(until deadline: Timestamp) async throws { try Task.checkCancellation() }
    }

    /// Events of one app, as many as take some hundred milliseconds to look through.
    private static func fill(_ store: SQLiteStore) async throws {
        let app = try await store.createApp(name: "one", identity: Identity())
        try await store.write { transaction in
            try transaction.prepare(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
                INSERT INTO push_events (app_id, type, platform, time, received_at, user_id) SELECT ?, 1, 1, i, i, 'a'
                FROM n
                """
            )
            .bind(app.row)
            .run()
        }
    }

    private static let ofNobody = {
        var filter = EventFilter()
        filter.user = "nobody"
        return filter
    }()

    @Test("a short read waits for none of many long ones")
    func shortReadsPass() async throws {
        try await TemporaryFolder.with { folder in
            let clock = CountingClock()
            let store = try await SQLiteStore.open(at: folder.database, clock: clock)
            try await Self.fill(store)
            let before = clock.looks.load(ordering: .relaxed)
            let finished = Count()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        let found = try await store.events(Self.ofNobody, PageRequest())
                        #expect(found.items.isEmpty)
                        finished.value.add(1, ordering: .relaxed)
                    }
                }
                while clock.looks.load(ordering: .relaxed) < before + 3 { await Task.yield() }
                #expect(try await store.key(hash: SecretHash(of: "none")) == nil)
                #expect(finished.value.load(ordering: .relaxed) == 0)
                try await group.waitForAll()
            }
            await store.close()
        }
    }

    @Test("a list that takes too long ends with what to do, and its reader serves the next")
    func endsInTime() async throws {
        try await TemporaryFolder.with { folder in
            let options = SQLiteStore.Options(longReadLimit: .milliseconds(10))
            let store = try await SQLiteStore.open(at: folder.database, clock: ManualClock(), options: options)
            try await Self.fill(store)
            for _ in 0..<8 {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await store.events(Self.ofNobody, PageRequest())
                }
                #expect(failure?.code == .queryTimedOut)
                #expect(failure?.detail.hint != nil)
            }
            #expect(try await store.events(EventFilter(), PageRequest(count: 3)).items.count == 3)
            await store.close()
        }
    }
}
