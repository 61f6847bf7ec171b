import GRDB
import MartletCore
import MartletEventQuery
import MartletStore
import MartletWire

/// The engine over SQLite: one writer behind a queue, and readers beside it.
final class SQLiteDatabase: SQLDatabase {
    /// The connections; written to through the queue alone.
    let database: any DatabaseWriter
    /// Readers of their own for what may look at many rows, so that nothing else waits for a reader because of them.
    let longReaders: any DatabaseReader
    /// The statements of all of them.
    let connections: SQLiteConnections
    /// How long a read may take that may look at many rows.
    let longReadLimit: Duration
    let clock: any WallClock
    private let queue: CommitQueue
    /// Where it is; `nil` in memory.
    private let path: String?
    private let lock: LockFile?
    private let queries = EventQueries()

    /// Brings the schema up to date.
    ///
    /// - Throws: `Failure` with `conflict` when it is newer than this program's.
    init(
        _ database: any DatabaseWriter,
        longReaders: @Sendable () throws -> any DatabaseReader,
        clock: any WallClock,
        options: Store.Options,
        path: String?,
        lock: LockFile?
    ) async throws {
        self.path = path
        self.database = database
        self.clock = clock
        self.lock = lock
        let connections = SQLiteConnections(lock: lock)
        self.connections = connections
        longReadLimit = options.longReadLimit
        queue = CommitQueue(
            writer: SQLiteWriter(database: database, connections: connections),
            clock: clock,
            limit: options.waitingWriteLimit,
            observer: options.onCommit,
            failureObserver: options.onCommitFailure
        )
        try await database.writeWithoutTransaction { database in
            // After GRDB's own set-up, which says NORMAL: that survives a crash of the program, not a loss of power.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            let connection = connections.connection(of: database)
            try Migrator.migrate(connection, at: clock.now())
        }
        self.longReaders = try longReaders()
    }

    /// It is the machine's, which may be set.
    var hasOwnClock: Bool { false }

    /// One server has the database's lock.
    var isShared: Bool { false }

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
        try await queue.write(isUrgent: isUrgent, questions: questions, body)
    }

    /// Has a write wait in the queue.
    func writeSoon<Value: Sendable>(
        isolation: Isolation,
        _ body: @escaping @Sendable (Transaction) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        queue.add(.soon, body, answer: answer)
    }

    /// Reads beside the writer and beside other readers.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try lock?.check()
        return try await withCheckedThrowingContinuation { answer in
            database.asyncRead { [clock, connections] database in
                answer.resume(
                    with: Result {
                        try body(Transaction(connection: connections.connection(of: database.get()), now: clock.now()))
                    }
                )
            }
        }
    }

    /// Reads on readers of its own.
    func readLong<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await readLong(within: longReadLimit) { [clock] in try body(Transaction(connection: $0, now: clock.now())) }
    }

    func query(_ query: EventQuery) async throws -> EventTable { try await queries.answer(query, from: self) }

    /// All rows of a table are in one tree.
    func dropDays(before moment: Timestamp) async throws -> Timestamp { moment }

    /// Ends the server's lock too.
    func close() async {
        await queue.close()
        connections.removeAll()
        // The readers are closed last and cannot do it: without this the log would stay, and grow from what it had been.
        if !(longReaders is DatabaseQueue) { try? longReaders.close() }
        try? await database.writeWithoutTransaction { [lock, path] database in
            // The mark goes before the log does: a process that ends between the two leaves nothing that is missed.
            try database.checkpoint(.full)
            lock?.markWhole()
            // A running server's log keeps its length: an empty one would look like one that lost what was in it.
            let mayEmpty = lock != nil || path.map { LockFile.markWhole(for: $0) } ?? true
            if mayEmpty { try database.checkpoint(.truncate) }
        }
        // A reader that is still under way keeps its connection open; it closes when the store goes.
        try? database.close()
        lock?.release()
    }

    static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = "martlet"
        configuration.foreignKeysEnabled = true
        // Only a command beside the server ever holds the database; it does so for milliseconds.
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            // 2 MiB keeps the inner pages of a million endpoints' indexes at hand; what is read in key order is not read
            // twice, and the operating system has the rest. With 16 and 4 MiB the server took 13 MB more and as much CPU.
            let kibibytes = database.configuration.readonly ? 512 : 2_048
            try database.execute(sql: "PRAGMA cache_size = -\(kibibytes)")
            // What is deleted or replaced is overwritten, so that no secret stays behind in a page. Debian's own default.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // 16 MiB of log before it is written back, four times SQLite's own: a page that many commits change is
            // written back once for all of them.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
        }
        return configuration
    }

    /// Three readers: two for queries in SQL, and one that lists are never without.
    static func longReaderConfiguration() -> Configuration {
        var configuration = configuration()
        configuration.label = "martlet-long"
        configuration.readonly = true
        configuration.maximumReaderCount = 3
        return configuration
    }
}
