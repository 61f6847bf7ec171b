import GRDB
public import MartletCore
public import MartletSQL
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
    /// - Throws: `Failure` with `conflict` when another server uses it or its schema is newer than this program's.
    public static func open(
        at path: String,
        clock: any WallClock,
        role: Role = .server,
        options: SQLStore.Options = SQLStore.Options()
    ) async throws -> SQLStore {
        try DataFolder.prepare(forDatabaseAt: path)
        let lock = role == .server ? try LockFile(beside: path) : nil
        let pool = try DatabasePool(path: path, configuration: SQLiteDatabase.configuration())
        let database = try await SQLiteDatabase(
            pool,
            longReaders: { try DatabasePool(path: path, configuration: SQLiteDatabase.longReaderConfiguration()) },
            clock: clock,
            options: options,
            lock: lock
        )
        let store = SQLStore(database, options)
        if lock != nil { try await store.releaseAllLeases() }
        return store
    }

    /// A database that is gone when the store is.
    public static func inMemory(
        clock: any WallClock,
        options: SQLStore.Options = SQLStore.Options()
    ) async throws -> SQLStore {
        let queue = try DatabaseQueue(configuration: SQLiteDatabase.configuration())
        let database = try await SQLiteDatabase(
            queue,
            longReaders: { queue },
            clock: clock,
            options: options,
            lock: nil
        )
        return SQLStore(database, options)
    }
}
