import GRDB
import GRDBSQLite
import MartletCore
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

/// What the database is asked to do, in numbers that no machine's speed changes.
struct WorkCount: Equatable {
    /// Statements that ran.
    var statements = 0
    /// Steps of SQLite's machine, which grow with each row that is visited.
    var steps = 0
}

extension Stage {
    /// What the database did while `body` ran. Statements stay prepared, so that theirs are all there to be asked.
    func work(_ body: () async throws -> Void) async throws -> WorkCount {
        _ = try await counts()
        try await body()
        return try await counts()
    }

    /// How often statements ran that begin so, since what was done was asked before.
    func runs(of beginnings: String...) async throws -> [Int] {
        try await database.write { database in
            var runs = [Int](repeating: 0, count: beginnings.count)
            var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
            while let current = statement {
                let sql = sqlite3_sql(current).map { String(cString: $0) } ?? ""
                for (index, beginning) in beginnings.enumerated() where sql.hasPrefix(beginning) {
                    runs[index] += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_RUN, 0))
                }
                statement = sqlite3_next_stmt(database.sqliteConnection, current)
            }
            return runs
        }
    }

    /// What each statement did since this was asked before.
    private func counts() async throws -> WorkCount {
        try await database.write { database in
            var count = WorkCount()
            var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
            while let current = statement {
                count.statements += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_RUN, 1))
                count.steps += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_VM_STEP, 1))
                statement = sqlite3_next_stmt(database.sqliteConnection, current)
            }
            return count
        }
    }
}

/// Plans say which index is used, and not how much of it is read: here that is counted, at two sizes.
@Suite(.stageLimit) struct WorkCountTests {
    /// A stage with batches that wait for a dispatcher.
    static func waiting(_ count: Int) async throws -> Stage {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        for _ in 0..<count { _ = try await stage.submit(.users(["ann"])) }
        return stage
    }

    @Test("looking for due work costs the same however much waits")
    func dueWork() async throws {
        var counts: [WorkCount] = []
        for size in [20, 400] {
            let stage = try await Self.waiting(size)
            let work = try await stage.work {
                let due = try await stage.store.dueWork()
                #expect(due.queues.count == 1)
            }
            counts.append(work)
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0].steps > 0)
    }

    @Test("what is sent at once has nobody look for more")
    func wakesNobody() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        try await stage.dispatching {
            try await stage.advance { true }
            let before = stage.wakeUps.count(of: .batches)
            for _ in 0..<3 {
                let id = try await stage.submit(.users(["ann"]))
                #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
            }
            #expect(stage.wakeUps.count(of: .batches) == before)
        }
    }

    @Test(
        "a push to one person is handed over: it is not leased and nothing is read for it; one that waits for its time is"
    )
    func shortWay() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let (lease, message) = ("UPDATE batches SET lease_process = ?", "SELECT is_alert, headers")
        try await stage.dispatching {
            // From the first one it is known that the topic is right.
            try await stage.finished(try await stage.submit(.users(["ann"])))
            try await stage.advance { true }
            _ = try await stage.work {}
            for _ in 0..<3 { try await stage.finished(try await stage.submit(.users(["ann"]))) }
            #expect(try await stage.runs(of: lease, message) == [0, 0])
            let later = try await stage.submit(.users(["ann"])) { $0.sendAt = stage.clock.now() + .seconds(5) }
            try await stage.advance { try await stage.notification(later).state == .done }
            #expect(try await stage.runs(of: lease, message) == [1, 1])
        }
        #expect(stage.provider.attempts.count == 5)
    }

    @Test("what waits behind a full queue is leased when a batch that was sent at once is over")
    func wakesWhoWaits() async throws {
        let stage = try await Stage()
        for (token, user) in [("a1", "ann"), ("b1", "bob"), ("c1", "cem")] {
            try await stage.register(token, user: user)
        }
        stage.provider.script("a1", .hold(.accepted))
        stage.provider.script("b1", .stall)
        var settings = DispatcherSettings()
        // Six begin at once, which is half of it, and six are leased.
        settings.deliveriesPerQueue = 12 * Reservation.limit
        try await stage.dispatching(settings: settings) {
            try await stage.advance { true }
            for user in ["ann", "bob"] {
                for _ in 0..<6 { _ = try await stage.submit(.users([user])) }
            }
            await stage.provider.untilAttempts(12)
            let id = try await stage.submit(.users(["cem"]))
            try await stage.advance { true }
            #expect(stage.provider.attempts.count == 12)
            // The clock stands still: nobody looks again unless they are told to.
            stage.provider.release()
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
        }
    }
}
