import GRDB
public import MartletCore
public import MartletStore
import MartletWire

/// The embedded store: one SQLite file, one writer, many readers.
///
/// Every write waits in a bounded queue, shares a transaction with those that wait beside it, and returns when that is on
/// the disk (`synchronous=FULL`).
public enum SQLiteStore {
    /// Who opens the database.
    public enum Role: Sendable, Hashable {
        /// The one server; it holds the lock beside the file, so leases that it finds are of nobody who lives.
        case server
        /// A command that makes the first key or migrates, perhaps beside a running server.
        case bootstrap
    }

    /// Opens the database in a file, which is made where it is missing, and brings its schema up to date.
    ///
    /// - Parameter acceptsLoss: whether to go on where the last server did not end cleanly and its log is gone.
    /// - Throws: `Failure` with `conflict` when another server uses it, its log is gone or its schema is newer than this
    ///   program's.
    public static func open(
        at path: String,
        clock: any WallClock,
        role: Role = .server,
        acceptsLoss: Bool = false,
        options: Store.Options = Store.Options()
    ) async throws -> Store {
        try DataFolder.prepare(forDatabaseAt: path)
        let path = try DataFolder.resolved(path)
        let lock = role == .server ? try LockFile(beside: path, acceptsLoss: acceptsLoss) : nil
        if lock == nil {
            try LockFile.checkLinks(of: path)
            try LockFile.checkLog(of: path)
        }
        let pool = try DatabasePool(path: path, configuration: SQLiteDatabase.configuration())
        let database = try await SQLiteDatabase(
            pool,
            longReaders: { try DatabasePool(path: path, configuration: SQLiteDatabase.longReaderConfiguration()) },
            clock: clock,
            options: options,
            path: path,
            lock: lock
        )
        try lock?.markOpen()
        let store = Store(database, options)
        if lock != nil { try await store.releaseAllLeases() }
        return store
    }

    /// A database that is gone when the store is.
    public static func inMemory(
        clock: any WallClock,
        options: Store.Options = Store.Options()
    ) async throws -> Store {
        let queue = try DatabaseQueue(configuration: SQLiteDatabase.configuration())
        let database = try await SQLiteDatabase(
            queue,
            longReaders: { queue },
            clock: clock,
            options: options,
            path: nil,
            lock: nil
        )
        return Store(database, options)
    }
}
