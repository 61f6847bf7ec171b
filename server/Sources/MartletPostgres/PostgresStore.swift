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
    ///   - timeout: for how long it is tried again where nobody answers there, or PostgreSQL is starting.
    ///   - onWait: is told once what is waited for.
    /// - Throws: `Failure` with ``ErrorCode/overloaded`` when it cannot be reached, and with ``ErrorCode/conflict`` when its
    ///   schema is newer than this program's.
    public static func open(
        _ address: String,
        clock: (any WallClock)? = nil,
        options: Store.Options = Store.Options(),
        timeout: Duration = .zero,
        onWait: (Failure) -> Void = { _ in }
    ) async throws -> Store {
        let database = try await untilUp(timeout, onWait) {
            try await PostgresDatabase(address: address, given: clock, options: options)
        }
        let store = Store(database, options)
        try await store.write { try $0.followKeys() }
        return store
    }

    /// How long is waited before the next try. Ours: what is starting is up soon after.
    private static let pause: Duration = .milliseconds(500)

    private static func untilUp(
        _ timeout: Duration,
        _ onWait: (Failure) -> Void,
        _ open: () async throws -> PostgresDatabase
    ) async throws -> PostgresDatabase {
        let deadline = ContinuousClock.now + timeout
        var isTold = false
        while true {
            do { return try await open() } catch let error as PostgresError {
                let failure = Failure(
                    .overloaded,
                    "The PostgreSQL database cannot be used: \(error.shown)",
                    hint: "Check the address, that PostgreSQL runs there, and the role's password and rights."
                )
                guard error.mayBeStarting, ContinuousClock.now < deadline else { throw failure }
                if !isTold { onWait(failure) }
                isTold = true
            }
            try await Task.sleep(for: pause)
        }
    }
}
