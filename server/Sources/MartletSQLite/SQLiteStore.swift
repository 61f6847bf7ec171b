import GRDB
public import MartletCore
import MartletWire

/// The embedded store: one SQLite file, one writer, many readers.
///
/// Every write waits in a bounded queue, shares a transaction with those that wait beside it, and returns when that is on
/// the disk (`synchronous=FULL`).
public final class SQLiteStore: Store {
    /// Who opens the database.
    public enum Role: Sendable, Hashable {
        /// The one server; it holds the lock beside the file, so leases that it finds are of nobody who lives.
        case server
        /// A command that makes the first key or migrates, perhaps beside a running server.
        case bootstrap
    }

    /// How the database is opened.
    public struct Options: Sendable {
        /// Who opens it.
        public var role: Role
        /// How many writes may wait before more are refused as `overloaded`. Ours: a few seconds of writing.
        public var waitingWriteLimit: Int
        /// How many different filter policies a topic may have. Ours: some hundred bytes of memory each, and compiled
        /// in a second or two when the topic is first sent to.
        public var policiesPerTopic: Int
        /// How long a read may take that may look at many rows. Ours: a few million rows are read in that time.
        public var longReadLimit: Duration
        /// Called after each commit, on the writer's thread: return soon.
        public var onCommit: (@Sendable (CommitReport) -> Void)?
        /// Called after each commit that was lost, on the writer's thread.
        public var onCommitFailure: (@Sendable (CommitFailure) -> Void)?

        /// Options from their parts.
        public init(
            role: Role = .server,
            waitingWriteLimit: Int = 10_000,
            policiesPerTopic: Int = 100_000,
            longReadLimit: Duration = .seconds(5),
            onCommit: (@Sendable (CommitReport) -> Void)? = nil,
            onCommitFailure: (@Sendable (CommitFailure) -> Void)? = nil
        ) {
            self.role = role
            self.waitingWriteLimit = waitingWriteLimit
            self.policiesPerTopic = policiesPerTopic
            self.longReadLimit = longReadLimit
            self.onCommit = onCommit
            self.onCommitFailure = onCommitFailure
        }
    }

    /// The connections; written to through the queue alone.
    let database: any DatabaseWriter
    /// Readers of their own for what may look at many rows, so that nothing else waits for a reader because of them.
    let longReaders: any DatabaseReader
    /// How long a read may take that may look at many rows.
    let longReadLimit: Duration
    let clock: any WallClock
    private let queue: CommitQueue
    private let lock: LockFile?

    /// The filter policies of topics that are sent to.
    let policies = PolicyIndexCache()
    /// How many different filter policies a topic may have.
    let policiesPerTopic: Int

    /// The queries about events that are being answered.
    let queries = QuerySemaphore()

    // What a request and an attempt ask for: as many as a busy server has under way, of some hundred bytes each.
    let knownKeys = ReadCache<SecretHash, APIKey>(limit: 1_000)
    let knownApps = ReadCache<AppSelector, App>(limit: 1_000)
    let knownCredentials = ReadCache<RowID<App>, [Credential]>(limit: 1_000)
    let knownAccessKeys = ReadCache<String, StoredAccessKey>(limit: 1_000)
    let knownApplications = ReadCache<PlatformApplicationName, PlatformApplication>(limit: 1_000)
    /// By queue; of a queue without one it is known that it has none.
    let queueApplications = ReadCache<DeliveryQueue, PlatformApplication?>(limit: 1_000)

    /// Opens the database in a file, which is made where it is missing, and brings its schema up to date.
    ///
    /// - Throws: `Failure` with `conflict` when another server uses it or its schema is newer than this program's.
    public static func open(
        at path: String,
        clock: any WallClock,
        options: Options = Options()
    ) async throws -> SQLiteStore {
        try DataFolder.prepare(forDatabaseAt: path)
        let lock = options.role == .server ? try LockFile(beside: path) : nil
        let pool = try DatabasePool(path: path, configuration: configuration())
        let store = try await SQLiteStore(
            pool,
            longReaders: { try DatabasePool(path: path, configuration: longReaderConfiguration()) },
            clock: clock,
            options: options,
            lock: lock
        )
        return store
    }

    /// A database that is gone when the store is.
    public static func inMemory(clock: any WallClock, options: Options = Options()) async throws -> SQLiteStore {
        let queue = try DatabaseQueue(configuration: configuration())
        return try await SQLiteStore(queue, longReaders: { queue }, clock: clock, options: options, lock: nil)
    }

    private init(
        _ database: any DatabaseWriter,
        longReaders: @Sendable () throws -> any DatabaseReader,
        clock: any WallClock,
        options: Options,
        lock: LockFile?
    ) async throws {
        self.database = database
        self.clock = clock
        self.lock = lock
        policiesPerTopic = options.policiesPerTopic
        longReadLimit = options.longReadLimit
        queue = CommitQueue(
            database: database,
            clock: clock,
            limit: options.waitingWriteLimit,
            observer: options.onCommit,
            failureObserver: options.onCommitFailure
        )
        try await database.writeWithoutTransaction { database in
            // After GRDB's own set-up, which says NORMAL: that survives a crash of the program, not a loss of power.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try Migrator.migrate(database, with: Migration.all, at: clock.now())
        }
        self.longReaders = try longReaders()
        if lock != nil { try await write { try $0.releaseAllLeases() } }
    }

    private static func configuration() -> Configuration {
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
    private static func longReaderConfiguration() -> Configuration {
        var configuration = configuration()
        configuration.label = "martlet-long"
        configuration.readonly = true
        configuration.maximumReaderCount = 3
        return configuration
    }

    /// How many writes wait for the next commit.
    public var waitingWrites: Int { queue.waitingCount }

    /// Finishes the writes that wait and closes the database; ends the server's lock.
    public func close() async {
        await queue.close()
        // The readers are closed last and cannot do it: without this the log would stay, and grow from what it had been.
        if !(longReaders is DatabaseQueue) { try? longReaders.close() }
        _ = try? await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        // A reader that is still under way keeps its connection open; it closes when the store goes.
        try? database.close()
        lock?.release()
    }

    /// Runs a write; durable when it returns.
    @discardableResult
    func write<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await queue.write(body)
    }

    /// Writes keys, apps or credentials, which are kept in memory.
    @discardableResult
    func writeConfiguration<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        // Also when it fails: its result may be unknown.
        defer {
            knownKeys.forget()
            knownApps.forget()
            knownCredentials.forget()
            knownAccessKeys.forget()
            knownApplications.forget()
            queueApplications.forget()
        }
        return try await write(body)
    }

    /// Reads, beside the writer and beside other readers, what was committed before.
    ///
    /// It runs to its end also when the caller is cancelled: what has to be settled at shutdown needs to be read.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { answer in
            database.asyncRead { [clock] database in
                answer.resume(with: Result { try body(Transaction(database: database.get(), now: clock.now())) })
            }
        }
    }
}
