import GRDB
import MartletCore
import MartletTesting
import MartletWire
import Synchronization
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// A row that cannot be read is itself out of order and nothing else.
@Suite struct DamageTests {
    /// A store with one app, one device, and notifications whose batches wait.
    struct Scene {
        let store: Store
        let clock = ManualClock()
        let ids = NotificationIDs()
        let queue: DeliveryQueue

        init(_ options: Store.Options = Store.Options()) async throws {
            store = try await SQLiteStore.inMemory(clock: clock, options: options)
            let app = try await store.createApp(name: "com.example.app", identity: Identity())
            queue = DeliveryQueue(app: app.row, platform: .apns, environment: .production)
            let registration = Registration(app: app.row, platform: .apns, token: "aa", environment: .production)
            _ = try await store.register(registration)
        }

        func submit() async throws -> PublicID {
            let draft = NotificationDraft(
                id: ids.next(at: clock.now()),
                app: queue.app,
                audience: .all,
                content: Content(title: "Line 4 is late"),
                priority: .high,
                dedup: nil,
                collapseID: nil,
                sendAt: nil,
                expiresAt: clock.now() + .seconds(3_600),
                retry: .standard,
                messages: [Message(platform: .apns, headers: [:], payload: Payload([]))]
            )
            return try await store.submit(draft, idempotency: nil).id
        }

        func fanOut() async throws -> [PublicID] {
            let leased = try await store.leaseFanOuts(limit: 10, lease: Lease(holder: 1))
            for fanOut in leased {
                let page = try await store.audience(of: fanOut, limit: 10)
                _ = try await store.commit(Gate(app: queue.app, queues: [queue]).decide(page), of: fanOut)
            }
            return leased.map(\.notification.id)
        }

        func damage(_ sql: String) async throws {
            try await store.sqlite.write { try $0.execute(sql: sql) }
        }
    }

    @Test("a batch whose members cannot be read is quarantined, and its queue goes on")
    func batch() async throws {
        let scene = try await Scene()
        let first = try await scene.submit()
        let second = try await scene.submit()
        _ = try await scene.fanOut()
        try await scene.damage("UPDATE batches SET members = x'80' WHERE id = (SELECT min(id) FROM batches)")
        let leased = try await scene.store.leaseBatches(scene.queue, limit: 10, lease: Lease(holder: 2))
        #expect(leased.map(\.notificationID) == [second])
        let work = try #require(try await scene.store.failedWork(QuarantinedWork.self).items.first)
        #expect(work.notification == first)
        #expect(work.reason == .unreadable)
        #expect(work.deliveries == 1)
        let row = try #require(try await scene.store.notification(first)).row
        #expect(try await scene.store.deliveries(row, PageRequest()).items.isEmpty)
        // A retry looks again, and comes to the same end.
        _ = try await scene.store.retry(QuarantinedWork.self, work.id)
        #expect(try await scene.store.leaseBatches(scene.queue, limit: 10, lease: Lease(holder: 3)).isEmpty)
        #expect(try await scene.store.failedWork(QuarantinedWork.self).items.map(\.notification) == [first])
        await scene.store.close()
    }

    @Test("batches expire past one that cannot be read, which ends by its number")
    func expiry() async throws {
        let scene = try await Scene()
        let ids = [try await scene.submit(), try await scene.submit()]
        _ = try await scene.fanOut()
        try await scene.damage("UPDATE batches SET members = x'80' WHERE id = (SELECT min(id) FROM batches)")
        scene.clock.advance(by: .seconds(3_600))
        var ended: [EndedBatch] = []
        while let batch = try await scene.store.expire(limit: 1, process: 0).batches.first { ended.append(batch) }
        #expect(ended.map(\.deliveries) == [1, 1])
        #expect(ended.allSatisfy { $0.queue != nil && $0.state == .expired })
        for id in ids {
            let notification = try #require(try await scene.store.notification(id))
            #expect(notification.counts == DeliveryCounts(expired: 1))
            #expect(notification.state == .done)
        }
        await scene.store.close()
    }

    @Test("a notification that cannot be read is quarantined, and other fan-outs go on")
    func fanOut() async throws {
        let scene = try await Scene()
        let first = try await scene.submit()
        let second = try await scene.submit()
        try await scene.damage("UPDATE notifications SET audience = '{' WHERE id = (SELECT min(id) FROM notifications)")
        #expect(try await scene.fanOut() == [second])
        let work = try #require(try await scene.store.failedWork(QuarantinedWork.self).items.first)
        #expect(work.notification == first)
        #expect(work.queue == nil)
        #expect(work.reason == .unreadable)
        try await scene.damage("UPDATE notifications SET audience = (SELECT max(audience) FROM notifications)")
        _ = try await scene.store.retry(QuarantinedWork.self, work.id)
        #expect(try await scene.fanOut() == [first])
        await scene.store.close()
    }

    @Test("what was quarantined stays so when the server starts again; leases of a crashed server count")
    func restart() async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock()
            var store = try await SQLiteStore.open(at: folder.database, clock: clock)
            let app = try await store.createApp(name: "com.example.app", identity: Identity())
            let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .production)
            let registration = Registration(app: app.row, platform: .apns, token: "aa", environment: .production)
            _ = try await store.register(registration)
            let draft = NotificationDraft(
                id: try #require(PublicID("01890a5d-ac96-774b-bcce-b302099a8057")),
                app: app.row,
                audience: .all,
                content: Content(title: "Line 4 is late"),
                priority: .high,
                dedup: nil,
                collapseID: nil,
                sendAt: nil,
                expiresAt: clock.now() + .seconds(3_600),
                retry: .standard,
                messages: []
            )
            _ = try await store.submit(draft, idempotency: nil)
            let fanOut = try #require(try await store.leaseFanOuts(limit: 1, lease: Lease(holder: 1)).first)
            let page = try await store.audience(of: fanOut, limit: 10)
            _ = try await store.commit(Gate(app: app.row, queues: [queue]).decide(page), of: fanOut)
            for failures in 0..<LeaseAdmission.limit {
                // What may be poison waits after a start, so that a server that is killed at once does not blame it.
                let leased = try await store.leaseBatches(queue, limit: 1, lease: Lease(holder: 2))
                #expect(leased.count == (failures < LeaseAdmission.isolatedFrom ? 1 : 0))
                clock.advance(by: LeaseAdmission.pauseAfterStart)
                if leased.isEmpty {
                    #expect(try await store.leaseBatches(queue, limit: 1, lease: Lease(holder: 2)).count == 1)
                }
                await store.close()
                store = try await SQLiteStore.open(at: folder.database, clock: clock)
            }
            clock.advance(by: LeaseAdmission.pauseAfterStart)
            #expect(try await store.leaseBatches(queue, limit: 1, lease: Lease(holder: 3)).isEmpty)
            await store.close()
            store = try await SQLiteStore.open(at: folder.database, clock: clock)
            #expect(try await store.leaseBatches(queue, limit: 1, lease: Lease(holder: 4)).isEmpty)
            #expect(try await store.failedWork(QuarantinedWork.self).items.map(\.tries) == [LeaseAdmission.limit])
            await store.close()
        }
    }

    @Test("a full disk refuses what is new as overloaded and keeps what was accepted")
    func fullDisk() async throws {
        let failures = Failures()
        let scene = try await Scene(Store.Options(onCommitFailure: { failures.add($0) }))
        let accepted = try await scene.submit()
        let pages = try await scene.store.sqlite.write { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
            return pages
        }
        #expect(pages > 0)
        let failure = await #expect(throws: Failure.self) {
            for _ in 0..<1_000 { _ = try await scene.submit() }
        }
        #expect(failure?.code == .overloaded)
        #expect(failures.all == [.full])
        #expect(try await scene.store.notification(accepted) != nil)
        try await scene.damage("PRAGMA max_page_count = 100000")
        _ = try await scene.submit()
        await scene.store.close()
    }
}

/// The commits that were lost.
private final class Failures: Sendable {
    private let state = Mutex<[CommitFailure]>([])

    var all: [CommitFailure] { state.withLock { $0 } }

    func add(_ failure: CommitFailure) { state.withLock { $0.append(failure) } }
}
