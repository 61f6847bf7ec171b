import MartletCore
import MartletEventQuery
import MartletStore
import MartletWire

@testable import MartletPostgres
@testable import MartletTesting

/// A database with one app, and two processes on it, stepped by hand: both have begun a transaction, and seen what there
/// is, before either of them writes.
struct RaceScene {
    /// One of the two: all that its store reads and writes is one transaction.
    struct Side {
        /// 1 writes first, 2 second.
        let number: Int
        let connection: PostgresConnection
        let database: SteppedDatabase
        let world: World

        var store: Store { Store(database, Store.Options()) }
        var transaction: Transaction { database.transaction }

        fileprivate init(_ number: Int, _ address: String, _ clock: ManualClock) {
            self.number = number
            connection = PostgresConnection(address: address, options: "-c lock_timeout=500", limit: nil)
            database = SteppedDatabase(connection, clock, slot: Int64(number))
            world = World(
                store: Store(database, Store.Options()),
                clock: clock,
                withdraw: { _, _ in preconditionFailure("Nobody withdraws here.") }
            )
        }

        /// Begins a transaction, which sees from here on what is committed now.
        func begin(_ isolation: Isolation = .serial) throws {
            try connection.begin(isolation)
            try catchUp()
        }

        /// Returns when all that was written is in the database, also what waits to be written with other rows.
        func catchUp() throws {
            try connection.flush()
            _ = try transaction.prepare("SELECT 1 AS one FROM apps").exists()
        }

        /// Whether the other one was in the way.
        func mayRunAgain(after error: any Error) -> Bool {
            connection.mayRunAgain(after: (error as? WebhookFanOutFailure)?.cause ?? error)
        }
    }

    /// What there is before the race and after it, each step committed.
    let world: World
    let app: App
    let first: Side
    let second: Side
    let opened: Store

    private init(_ address: String) async throws {
        let clock = ManualClock()
        opened = try await PostgresStore.open(address, clock: clock)
        world = World(store: opened, clock: clock, withdraw: opened.withdraw)
        app = try await world.makeApp()
        first = Side(1, address, clock)
        second = Side(2, address, clock)
    }

    /// Gives a test a scene on each server, and its address.
    static func with(_ body: (RaceScene, String) async throws -> Void) async throws {
        try await Databases.with { address in
            let scene = try await RaceScene(address)
            do { try await body(scene, address) } catch {
                await scene.close()
                throw error
            }
            await scene.close()
        }
    }

    private func close() async {
        first.connection.close()
        second.connection.close()
        await opened.close()
    }

    /// What a script came to in both, and how often the second had to run.
    struct Outcome<Value> {
        var first: Value
        var second: Value
        var runs: Int
    }

    /// Runs a script in both. The second is run again where it is told to, after the first has committed.
    func race<Value>(
        _ isolation: Isolation = .serial,
        _ script: (Side) async throws -> Value
    ) async throws -> Outcome<Value> {
        try first.begin(isolation)
        try second.begin(isolation)
        let value = try await runFirst(isolation, script)
        var late: Value?
        do { late = try await script(second) } catch  where second.mayRunAgain(after: error) {
            second.connection.rollBack()
        }
        try first.connection.commit()
        var runs = 1
        while true {
            do {
                if late == nil {
                    runs += 1
                    try second.begin(isolation)
                    late = try await script(second)
                }
                try second.connection.commit()
                if let late { return Outcome(first: value, second: late, runs: runs) }
            } catch  where runs < Self.runs && second.mayRunAgain(after: error) {
                second.connection.rollBack()
                late = nil
            }
        }
    }

    /// Nobody is in its way; it is run again where a row was not what was taken for granted.
    private func runFirst<Value>(_ isolation: Isolation, _ script: (Side) async throws -> Value) async throws -> Value {
        do {
            let value = try await script(first)
            try first.catchUp()
            return value
        } catch  where first.mayRunAgain(after: error) {
            first.connection.rollBack()
            try first.begin(isolation)
            let value = try await script(first)
            try first.catchUp()
            return value
        }
    }

    /// How often it is run at most: again for the other, and once more where a row was not what was taken for granted.
    private static let runs = 3
}

/// A database all of whose reads and writes are in the one transaction that a test has begun.
final class SteppedDatabase: SQLDatabase, @unchecked Sendable {  // One test uses it, one step after the other.
    private let connection: PostgresConnection
    private let keys = NotificationIDs()
    let clock: any WallClock

    private let slot: Int64

    init(_ connection: PostgresConnection, _ clock: ManualClock, slot: Int64) {
        self.connection = connection
        self.clock = clock
        self.slot = slot
    }

    var transaction: Transaction {
        Transaction(connection: connection, now: clock.now(), keys: keys, slot: slot)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try body(transaction)
    }

    func readLong<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try body(transaction)
    }

    func write<Value: Sendable>(
        isUrgent: Bool,
        isolation: Isolation,
        questions: CommitQueue.Questions?,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value { try body(transaction) }

    func writeSoon<Value: Sendable>(
        isolation: Isolation,
        _ body: @escaping @Sendable (Transaction) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        answer(Result { try body(transaction) })
    }

    var hasOwnClock: Bool { false }
    var isShared: Bool { false }
    var waitingWrites: Int { 0 }
    var refusal: Failure? { nil }

    func query(_ query: EventQuery) async throws -> EventTable { preconditionFailure("Nobody asks here.") }
    func dropDays(before moment: Timestamp) async throws -> Timestamp { moment }
    func close() async {}
}
