import Foundation
import GRDB
import MartletCore
import MartletTesting
import MartletWire
import Synchronization
import Testing

@testable import MartletSQLite
@testable import MartletStore

@Suite struct GroupCommitTests {
    @Test("writes that arrive during a commit share the next one")
    func sharing() async throws {
        try await withStore { store, reports in
            let app = try await store.createApp(name: "app", identity: Identity())
            let before = reports.all.count
            let results = try await withThrowingTaskGroup(of: Submitted.self) { group in
                try await whileBlocked(store, waiting: 200) {
                    for _ in 0..<200 { group.addTask { try await store.submit(draft(app), idempotency: nil) } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(results.map(\.id)).count == 200)
            #expect(reports.all.dropFirst(before).map(\.writes) == [1, 200])
        }
    }

    @Test("a commit is shared by a bounded number of writes")
    func groupLimit() async throws {
        try await withStore { store, reports in
            let count = CommitQueue.groupLimit + 1
            let before = reports.all.count
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await whileBlocked(store, waiting: count) {
                    for _ in 0..<count { group.addTask { try await store.write { _ in } } }
                }
                try await group.waitForAll()
            }
            #expect(reports.all.dropFirst(before).map(\.writes) == [1, CommitQueue.groupLimit, 1])
        }
    }

    @Test("a write that fails takes back what it wrote and fails no neighbour")
    func failingNeighbour() async throws {
        try await withStore { store, reports in
            let before = reports.all.count
            let failures = Collected<String>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await whileBlocked(store, waiting: 9) {
                    for index in 0..<9 {
                        group.addTask {
                            do {
                                try await store.write { transaction in
                                    try insertApp("app\(index)", transaction)
                                    if index.isMultiple(of: 3) { throw Failure.notFound("\(index)") }
                                }
                            } catch let failure as Failure {
                                failures.add(failure.detail.message)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(Set(failures.all) == ["There is no such 0.", "There is no such 3.", "There is no such 6."])
            #expect(reports.all.dropFirst(before).map(\.writes) == [1, 9])
            let names = try await store.apps(PageRequest()).items.map(\.name)
            #expect(Set(names) == ["app1", "app2", "app4", "app5", "app7", "app8"])
        }
    }

    @Test("what the writes of a commit count is one row of it, without what a write that failed had counted")
    func counting() async throws {
        try await withStore { store, reports in
            let app = try await store.createApp(name: "app", identity: Identity())
            let before = reports.all.count
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await whileBlocked(store, waiting: 9) {
                    for index in 0..<9 {
                        group.addTask {
                            try? await store.write { transaction in
                                transaction.tally(app.row, .apns) { $0.opens = 1 }
                                if index.isMultiple(of: 3) { throw Failure.notFound("\(index)") }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(reports.all.dropFirst(before).map(\.writes) == [1, 9])
            let rows = try await store.read {
                try $0.prepare("SELECT opens FROM minute_counts").all { $0.int("opens") }
            }
            #expect(rows == [6])
        }
    }

    @Test("when the commit fails, all who share it are told and nothing is written")
    func failingCommit() async throws {
        try await withStore { store, reports in
            let before = reports.all.count
            let failures = Collected<Int>()
            await withTaskGroup(of: Void.self) { group in
                try? await whileBlocked(store, waiting: 3) {
                    for index in 0..<3 {
                        group.addTask {
                            do {
                                try await store.write { transaction in
                                    try insertApp("app\(index)", transaction)
                                    guard index == 1 else { return }
                                    // A violation that SQLite finds only when it commits.
                                    try transaction.sqlite.execute(sql: "PRAGMA defer_foreign_keys = ON")
                                    try transaction.sqlite.execute(
                                        sql: "INSERT INTO users (app_id, external_id) VALUES (999, 'ann')"
                                    )
                                }
                            } catch {
                                #expect((error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT)
                                failures.add(index)
                            }
                        }
                    }
                }
            }
            #expect(Set(failures.all) == [0, 1, 2])
            #expect(try await store.apps(PageRequest()).items.isEmpty)
            #expect(reports.all.dropFirst(before).map(\.writes) == [1])
            try await store.write { try insertApp("afterwards", $0) }
            #expect(try await store.apps(PageRequest()).items.map(\.name) == ["afterwards"])
        }
    }

    @Test("more writes than may wait are refused at once, and the others go through")
    func overload() async throws {
        try await withStore(Store.Options(waitingWriteLimit: 5)) { store, _ in
            let refused = Collected<ErrorCode>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await whileBlocked(store, waiting: 5) {
                    for index in 0..<5 { group.addTask { try await store.write { try insertApp("app\(index)", $0) } } }
                } then: {
                    do {
                        try await store.write { try insertApp("one too many", $0) }
                    } catch let failure as Failure {
                        refused.add(failure.code)
                    }
                }
                try await group.waitForAll()
            }
            #expect(refused.all == [.overloaded])
            #expect(try await store.apps(PageRequest()).items.count == 5)
        }
    }

    @Test("closing answers what waits and refuses what comes after")
    func closing() async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock()
            let store = try await SQLiteStore.open(at: folder.database, clock: clock)
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await whileBlocked(store, waiting: 50) {
                    for index in 0..<50 { group.addTask { try await store.write { try insertApp("app\(index)", $0) } } }
                }
                await store.close()
                try await group.waitForAll()
            }
            await #expect(throws: Failure.self) { try await store.write { try insertApp("late", $0) } }
            let reopened = try await SQLiteStore.open(at: folder.database, clock: clock)
            #expect(try await reopened.apps(PageRequest(count: 100)).items.count == 50)
            await reopened.close()
        }
    }

    @Test("a write is in the files when it returns")
    func durable() async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock()
            let store = try await SQLiteStore.open(at: folder.database, clock: clock)
            let app = try await store.createApp(name: "app", identity: Identity())
            let submitted = try await store.submit(draft(app), idempotency: nil)
            try await TemporaryFolder.with { copy in
                try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy.database + suffix)
                }
                let other = try await SQLiteStore.open(at: copy.database, clock: clock)
                #expect(try await other.notification(submitted.id)?.id == submitted.id)
                await other.close()
            }
            await store.close()
        }
    }

    @Test("a caller that is cancelled while it waits is answered with what became of its write")
    func cancelledCaller() async throws {
        try await withStore { store, _ in
            var task: Task<Void, any Error>?
            try await whileBlocked(store, waiting: 1) {
                task = Task { try await store.write { try insertApp("app", $0) } }
            } then: {
                task?.cancel()
            }
            try await task?.value
            #expect(try await store.apps(PageRequest()).items.map(\.name) == ["app"])
        }
    }
}

/// What concurrent tasks reported.
private final class Collected<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])

    var all: [Item] { items.withLock { $0 } }

    func add(_ item: Item) { items.withLock { $0.append(item) } }
}

private func withStore(
    _ options: Store.Options = Store.Options(),
    _ body: (Store, Collected<CommitReport>) async throws -> Void
) async throws {
    try await TemporaryFolder.with { folder in
        let reports = Collected<CommitReport>()
        var options = options
        options.onCommit = { reports.add($0) }
        let store = try await SQLiteStore.open(at: folder.database, clock: ManualClock(), options: options)
        try await body(store, reports)
        await store.close()
    }
}

/// Keeps the writer inside a write until so many others wait.
private func whileBlocked(
    _ store: Store,
    waiting count: Int,
    _ enqueue: () -> Void,
    then: () async throws -> Void = {}
) async throws {
    // It blocks the writer's own thread, as a slow disk does; the wait ends by itself.
    let gate = DispatchSemaphore(value: 0)
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    async let blocker: Void = store.write { _ in
        enter.finish()
        #expect(gate.wait(timeout: .now() + 60) == .success)
    }
    for await _ in entered {}
    enqueue()
    while store.waitingWrites < count { await Task.yield() }
    try await then()
    gate.signal()
    try await blocker
}

private func insertApp(_ name: String, _ transaction: Transaction) throws {
    try transaction.prepare("INSERT INTO apps (public_id, name, identity_mode, created_at) VALUES (?, ?, 1, 0)")
        .bind(transaction.makeID(), name)
        .run()
}

private func draft(_ app: App) -> NotificationDraft {
    return NotificationDraft(
        id: NotificationIDs().next(at: Timestamp(milliseconds: 1_750_000_000_000)),
        app: app.row,
        audience: .all,
        content: Content(title: "Line 4 is late"),
        priority: .high,
        dedup: nil,
        collapseID: nil,
        sendAt: nil,
        expiresAt: Timestamp(milliseconds: .max),
        retry: .standard,
        messages: []
    )
}
