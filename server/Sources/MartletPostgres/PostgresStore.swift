public import MartletCore
public import MartletStore
import MartletWire

/// The shared store: a PostgreSQL database, of which every `martlet serve` is an equal.
public enum PostgresStore {
    /// Connects to a database, such as `postgres://martlet@db1,db2/martlet`, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - address: what libpq takes as a connection string (PostgreSQL manual, section 34.1.1).
    ///   - clock: for tests; `nil` is the database's own.
    /// - Throws: `Failure` with ``ErrorCode/overloaded`` when it cannot be reached, and with ``ErrorCode/conflict`` when its
    ///   schema is newer than this program's.
    public static func open(
        _ address: String,
        clock: (any WallClock)? = nil,
        options: Store.Options = Store.Options()
    ) async throws -> Store {
        let database = try await PostgresDatabase(address: address, given: clock, options: options)
        let store = Store(database, options)
        try await store.write { try $0.followKeys() }
        return store
    }
}
