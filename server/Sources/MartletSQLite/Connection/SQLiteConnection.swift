import GRDB
import GRDBSQLite
import MartletStore
import Synchronization

/// The connections of one database, each with its statements.
///
/// GRDB opens and closes them and says whose turn it is; a connection is used only inside its calls.
final class SQLiteConnections: Sendable {
    private let known = Mutex<[ObjectIdentifier: Entry]>([:])
    private let lock: LockFile?

    init(lock: LockFile?) { self.lock = lock }

    /// A connection on its way through the lock.
    private struct Entry: @unchecked Sendable {  // GRDB gives a connection to one thread at a time.
        let connection: SQLiteConnection
    }

    /// The connection of one of GRDB's, which lives as long as this does.
    func connection(of database: Database) -> SQLiteConnection {
        known.withLock { known in
            if let entry = known[ObjectIdentifier(database)] { return entry }
            let entry = Entry(connection: SQLiteConnection(database, lock: lock))
            known[ObjectIdentifier(database)] = entry
            return entry
        }
        .connection
    }

    /// Forgets all of them, with their statements, before GRDB closes them.
    func removeAll() { known.withLock { $0.removeAll() } }
}

/// A connection with the statements that it has prepared.
final class SQLiteConnection: SQLConnection {
    /// GRDB's connection.
    let database: Database
    private let lock: LockFile?
    private var statements: [String: MartletStore.Statement] = [:]

    init(_ database: Database, lock: LockFile? = nil) { (self.database, self.lock) = (database, lock) }

    /// Prepares a text once.
    func prepare(_ sql: String) throws -> MartletStore.Statement {
        if let known = statements[sql] { return known }
        let statement = MartletStore.Statement(try makeStatement(sql))
        statements[sql] = statement
        return statement
    }

    /// Compiles a text.
    func makeStatement(_ sql: String) throws -> any SQLStatement {
        let prepared = try database.makeStatement(sql: SQLiteDialect.text(sql))
        return SQLiteStatement(prepared, connection: database.sqliteConnection)
    }
}

extension SQLiteConnection: SQLWriterConnection {
    /// Waits for another process that writes, for as long as the connection's busy timeout.
    ///
    /// - Throws: `Failure` with `overloaded` where the file is not the one any more that was locked.
    func begin(_ isolation: Isolation) throws {
        try lock?.check()
        try execute("BEGIN IMMEDIATE TRANSACTION")
    }

    /// Ends the transaction; what it wrote is on the disk then.
    func commit() throws { try execute("COMMIT TRANSACTION") }

    /// Also where an error has ended the transaction by itself.
    func rollBack() { if database.isInsideTransaction { try? database.rollback() } }

    /// Whether SQLite has left it open.
    var isInTransaction: Bool { database.isInsideTransaction }

    /// Runs a cached statement: GRDB's own calls compile it for every transaction.
    func execute(_ sql: String) throws { try prepare(sql).run() }

    /// What SQLite's code says.
    func failure(_ error: any Error) -> CommitFailure? {
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_FULL: return .full
        case .SQLITE_BUSY: return .locked
        case .SQLITE_CONSTRAINT: return nil
        default: return .other
        }
    }

    /// Nobody else writes while this does.
    func mayRunAgain(after error: any Error) -> Bool { false }

    /// A commit that fails is rolled back.
    func mayHaveCommitted(after error: any Error) -> Bool { false }
}

/// The writer of a database.
struct SQLiteWriter: SQLWriter {
    let database: any DatabaseWriter
    let connections: SQLiteConnections

    /// Runs `body` as GRDB's writer.
    func onThread(_ body: @escaping @Sendable (any SQLWriterConnection) -> Void) {
        database.asyncWriteWithoutTransaction { [connections] in body(connections.connection(of: $0)) }
    }
}

/// What SQLite wants to have said otherwise.
enum SQLiteDialect {
    /// A script's text with its hints in SQLite's words.
    static func text(_ sql: String) -> String {
        guard sql.contains("/*+") else { return sql }
        return sql.replacing("/*+ CROSS */", with: "CROSS").replacing(#/\/\*\+ SKIP LOCKED \w+ \*\//#, with: "")
            .replacing(#/\/\*\+ (\w+) \*\//#) {
                "INDEXED BY \($0.output.1)"
            }
    }
}

/// A statement, bound and stepped through SQLite's own calls: GRDB's argument arrays and row objects cost more than the
/// row itself where there is one call for each delivery.
final class SQLiteStatement: SQLStatement {
    private let statement: GRDB.Statement
    private let handle: OpaquePointer
    private let connection: OpaquePointer?
    /// The columns' names, in their order.
    let columnNames: [String]

    init(_ statement: GRDB.Statement, connection: OpaquePointer?) {
        self.statement = statement
        handle = statement.sqliteStatement
        self.connection = connection
        columnNames = statement.columnNames
    }

    /// Binds an INTEGER, or NULL.
    func bind(_ value: Int64?, at position: Int32) {
        if let value { sqlite3_bind_int64(handle, position, value) } else { sqlite3_bind_null(handle, position) }
    }

    // SQLite copies the bytes before the call returns (SQLITE_TRANSIENT, a macro that Swift does not import).
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Binds a TEXT, or NULL.
    func bind(text: UnsafeBufferPointer<UInt8>?, at position: Int32) {
        guard let text else {
            sqlite3_bind_null(handle, position)
            return
        }
        // An empty buffer may have no address, and no address would bind NULL.
        guard let start = text.baseAddress else {
            sqlite3_bind_text(handle, position, "", 0, SQLiteStatement.copied)
            return
        }
        start.withMemoryRebound(to: CChar.self, capacity: text.count) {
            _ = sqlite3_bind_text(handle, position, $0, Int32(text.count), SQLiteStatement.copied)
        }
    }

    /// Binds a BLOB, or NULL.
    func bind(bytes: UnsafeBufferPointer<UInt8>?, at position: Int32) {
        guard let bytes else {
            sqlite3_bind_null(handle, position)
            return
        }
        if bytes.isEmpty {
            sqlite3_bind_zeroblob(handle, position, 0)
        } else {
            sqlite3_bind_blob(handle, position, bytes.baseAddress, Int32(bytes.count), SQLiteStatement.copied)
        }
    }

    /// Runs to the end: the engine is here.
    func send() throws {
        defer { reset() }
        while try step() {}
    }

    /// Goes to the next row, or to the end.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            // The message names tables and columns, never values.
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: connection.flatMap { String(cString: sqlite3_errmsg($0)) },
                sql: statement.sql
            )
        }
    }

    /// Makes the statement ready to run again.
    func reset() { sqlite3_reset(handle) }

    /// How many rows the connection's last INSERT, UPDATE or DELETE changed.
    var changedRows: Int { Int(sqlite3_changes(connection)) }

    /// Whether the row has NULL there.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// An integer; 0 for NULL.
    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A blob, or a text's UTF-8.
    func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
        // The bytes first and their number after it, in the order that SQLite's documentation asks for.
        guard let start = sqlite3_column_blob(handle, column)?.assumingMemoryBound(to: UInt8.self) else {
            return isNull(column) ? nil : UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
