import Dispatch
import GRDB
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// Lists that look at many rows: bounded in time, and nobody else waits for them.
@Suite(.timeLimit(.minutes(2))) struct LongReadTests {
    private static let ofNobody = {
        var filter = EventFilter()
        filter.user = "nobody"
        return filter
    }()

    @Test("while all readers of long reads are taken, and lists wait for one, short reads and writes go on")
    func shortReadsPass() async throws {
        try await TemporaryFolder.with { folder in
            let options = Store.Options(longReadLimit: .seconds(100))
            let store = try await SQLiteStore.open(at: folder.database, clock: ManualClock(), options: options)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let held = DispatchSemaphore(value: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await store.readLong { _ in
                            begin.yield()
                            held.wait()
                        }
                    }
                }
                var beginnings = begun.makeAsyncIterator()
                for _ in 0..<3 { await beginnings.next() }
                for _ in 0..<8 {
                    group.addTask { _ = try await store.events(Self.ofNobody, PageRequest()) }
                    group.addTask { _ = try await store.notifications(nil, state: .done, PageRequest()) }
                    group.addTask { _ = try await store.failedWork(DeadLetter.self) }
                }
                for number in 0..<20 {
                    #expect(try await store.key(.hash(SecretHash(of: "\(number)")))?.api == nil)
                    _ = try await store.createApp(name: "a\(number)", identity: Identity())
                }
                for _ in 0..<3 { held.signal() }
                try await group.waitForAll()
            }
            await store.close()
        }
    }

    @Test("a list that takes too long ends with what to do, and its reader serves the next")
    func endsInTime() async throws {
        try await TemporaryFolder.with { folder in
            let options = Store.Options(longReadLimit: .milliseconds(20))
            let store = try await SQLiteStore.open(at: folder.database, clock: ManualClock(), options: options)
            let app = try await store.createApp(name: "one", identity: Identity())
            try await store.write { transaction in
                try transaction.prepare(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
                    INSERT INTO push_events (app_id, type, platform, time, received_at, user_id)
                    SELECT ?, 1, 1, i, i, 'a' FROM n
                    """
                )
                .bind(app.row)
                .run()
            }
            for _ in 0..<4 {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await store.events(Self.ofNobody, PageRequest())
                }
                #expect(failure?.code == .queryTimedOut)
                #expect(failure?.detail.hint != nil)
            }
            // On a busy machine the few milliseconds may be over before it begins.
            let isServed = try await Self.succeeds {
                try await store.events(EventFilter(), PageRequest(count: 3)).items.count == 3
            }
            #expect(isServed)
            await store.close()
        }
    }

    private static func succeeds(_ attempt: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<1_000 {
            do { return try await attempt() } catch let failure as Failure where failure.code == .queryTimedOut {}
        }
        return false
    }
}
