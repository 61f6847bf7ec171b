import Dispatch
import MartletCore
import MartletEventQuery
import MartletStore
import MartletWire

/// The engine over PostgreSQL: a writer behind a queue, and readers beside it.
final class PostgresDatabase: SQLDatabase {
    private let readers: ConnectionPool
    private let longReaders: ConnectionPool
    private let writer: PostgresWriter
    private let queue: CommitQueue
    /// What every stored moment comes from.
    let clock: any WallClock
    /// The same, where it is the database's own.
    private let databaseClock: DatabaseClock?
    private let longReadLimit: Duration
    private let address: String
    /// Who this process is where one of them has a duty.
    private let process = Int64.random(in: 1...Int64.max)
    private let queries = EventQueries()

    /// Brings the schema up to date.
    ///
    /// - Throws: `PostgresError` when the database cannot be reached; `Failure` with `conflict` when its schema is newer than this
    ///   program's.
    init(address: String, given: (any WallClock)?, options: Store.Options) async throws {
        let databaseClock = given == nil ? DatabaseClock() : nil
        let clock = given ?? databaseClock ?? SystemClock()
        (self.clock, self.databaseClock) = (clock, databaseClock)
        self.address = address
        longReadLimit = options.longReadLimit
        let short = PostgresDatabase.sessionOptions(statementLimit: PostgresDatabase.statementLimit)
        let long = PostgresDatabase.sessionOptions(statementLimit: options.longReadLimit)
        readers = ConnectionPool(
            4,
            label: "martlet-read",
            address: address,
            options: short,
            limit: PostgresDatabase.statementLimit
        )
        longReaders = ConnectionPool(
            3,
            label: "martlet-long",
            address: address,
            options: long,
            limit: options.longReadLimit
        )
        writer = PostgresWriter(
            PostgresConnection(address: address, options: short, limit: PostgresDatabase.statementLimit)
        )
        queue = CommitQueue(
            writer: writer,
            clock: clock,
            limit: options.waitingWriteLimit,
            observer: options.onCommit,
            failureObserver: options.onCommitFailure
        )
        // Without a limit of time: a step of the schema may have to rewrite a table.
        let migrating = ConnectionPool(
            1,
            label: "martlet-migrate",
            address: address,
            options: PostgresDatabase.quiet,
            limit: nil
        )
        defer { migrating.close() }
        try await migrating.run { connection in
            try connection.open()
            try PostgresDatabase.checkEncoding(connection)
            try databaseClock?.adjust(on: connection)
            try PostgresDatabase.migrate(connection, at: clock.now())
            // What fails here is reported when the duty is done.
            try? DailyPartitions(connection: connection).create(at: clock.now())
        }
    }

    /// Texts are compared and counted as UTF-8.
    private static func checkEncoding(_ connection: PostgresConnection) throws {
        let encoding = try connection.setting("server_encoding")
        guard encoding != "UTF8" else { return }
        throw Failure(
            .conflict,
            "The PostgreSQL database keeps texts as \(encoding), which cannot hold every character.",
            hint: "Make one that keeps UTF-8: CREATE DATABASE martlet ENCODING 'UTF8' TEMPLATE template0."
        )
    }

    /// Two processes that make the same table at the same moment get in each other's way; the second finds it made.
    private static func migrate(_ connection: PostgresConnection, at now: Timestamp) throws {
        for attempt in 1...5 {
            do { return try Migrator.migrate(connection, at: now) } catch {
                let code = (error as? PostgresError)?.code ?? ""
                guard attempt < 5, ["23505", "42P07", "40P01"].contains(code) else { throw error }
            }
        }
    }

    /// How long a short statement may take.
    private static let statementLimit: Duration = .seconds(5)

    /// What each session is told at its beginning. A transaction in which nothing happens for ten seconds is given up.
    private static func sessionOptions(statementLimit: Duration) -> String {
        """
        -c statement_timeout=\(statementLimit.milliseconds) -c lock_timeout=2000 \
        -c idle_in_transaction_session_timeout=10000 \(quiet)
        """
    }

    /// Notices would come on standard error.
    private static let quiet = "-c client_min_messages=warning"

    /// But in tests that move a clock of theirs.
    var hasOwnClock: Bool { databaseClock != nil }

    /// Every server is an equal.
    var isShared: Bool { true }

    /// How many writes wait for the next commit.
    var waitingWrites: Int { queue.waitingCount }

    var refusal: Failure? { queue.refusal }

    /// Runs a write in the queue.
    func write<Value: Sendable>(
        isUrgent: Bool,
        isolation: Isolation,
        questions: CommitQueue.Questions?,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try await queue.write(isUrgent: isUrgent, isolation: isolation, questions: questions, body)
    }

    /// Has a write wait in the queue.
    func writeSoon<Value: Sendable>(
        isolation: Isolation,
        _ body: @escaping @Sendable (Transaction) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        queue.add(.soon, isolation: isolation, body, answer: answer)
    }

    /// Reads beside the writer and beside other readers.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        do { return try await readers.run { [self] in try read(on: $0, body) } } catch {
            throw PostgresDatabase.refusal(error)
        }
    }

    /// Reads on readers of its own, whose statements end at the limit.
    func readLong<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        do { return try await longReaders.run { [self] in try read(on: $0, body) } } catch {
            // Canceled for the statement's limit of time.
            guard let error = error as? PostgresError, error.code == "57014" else {
                throw PostgresDatabase.refusal(error)
            }
            throw Failure(
                .queryTimedOut,
                "The list took longer than \(longReadLimit.milliseconds / 1_000) seconds to read.",
                hint: "Ask for newer items only, or without a condition that few rows meet."
            )
        }
    }

    func query(_ query: EventQuery) async throws -> EventTable { try await queries.answer(query, from: self) }

    /// Makes and drops partitions, once an hour in all processes together.
    func dropDays(before moment: Timestamp) async throws -> Timestamp {
        let (duty, process) = ("partitions", process)
        guard
            try await write(
                isUrgent: false,
                isolation: .serial,
                questions: nil,
                { try $0.takeDuty(duty, holder: process, for: .seconds(3_600)) }
            )
        else {
            return PartitionPlan.rowBound(moment)
        }
        do { try await maintainPartitions(droppedBefore: moment) } catch {
            // Another process may fare better.
            _ = try? await write(isUrgent: false, isolation: .serial, questions: nil) {
                try $0.giveBackDuty(duty, holder: process)
            }
            throw PostgresDatabase.refusal(error)
        }
        return PartitionPlan.rowBound(moment)
    }

    private func maintainPartitions(droppedBefore moment: Timestamp) async throws {
        let options = PostgresDatabase.sessionOptions(statementLimit: .seconds(60))
        let connections = ConnectionPool(
            1,
            label: "martlet-partitions",
            address: address,
            options: options,
            limit: .seconds(60)
        )
        defer { connections.close() }
        try await connections.run { [clock] connection in
            let partitions = DailyPartitions(connection: connection)
            try partitions.create(at: clock.now())
            try partitions.drop(before: moment, at: clock.now())
        }
    }

    private func read<Value>(on connection: PostgresConnection, _ body: (Transaction) throws -> Value) throws -> Value {
        do {
            try connection.open()
            try databaseClock?.adjust(on: connection)
            try connection.beginReading()
            let value = try body(Transaction(connection: connection, now: clock.now()))
            try connection.commit()
            return value
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private static func refusal(_ error: any Error) -> any Error {
        (error as? PostgresError)?.failure?.refusal ?? error
    }

    /// Closes the connections once the writes that wait are done.
    func close() async {
        await queue.close()
        readers.close()
        longReaders.close()
        writer.close()
    }
}

/// The one connection that writes.
private final class PostgresWriter: SQLWriter {
    /// The connection on its way to its thread.
    private struct Writing: @unchecked Sendable {  // Only its own queue uses it.
        let connection: PostgresConnection
    }

    private let writing: Writing
    private let thread = DispatchQueue(label: "martlet-write")

    init(_ connection: PostgresConnection) { writing = Writing(connection: connection) }

    /// Runs `body` on the writer's queue.
    func onThread(_ body: @escaping @Sendable (any SQLWriterConnection) -> Void) {
        thread.async { [writing] in body(writing.connection) }
    }

    func close() { thread.async { [writing] in writing.connection.close() } }
}
