import CLibPQ
import Foundation
import MartletCore
import MartletSQL

/// One connection of libpq, which owns its socket and blocks. Used by one thread at a time.
final class PostgresConnection: SQLSchemaConnection {
    private let address: String
    private let options: String
    private(set) var handle: OpaquePointer?
    private var statements: [String: Statement] = [:]
    private var count = 0

    /// A connection that is opened when it is first used.
    ///
    /// - Parameter options: what the session is told at its beginning, as `-c name=value`.
    init(address: String, options: String) {
        self.address = address
        self.options = options
    }

    deinit { close() }

    /// Opens the connection, or opens it again after it broke.
    ///
    /// - Throws: `PostgresError`.
    func open() throws {
        if handle != nil, PQstatus(handle) == CONNECTION_OK, PQtransactionStatus(handle) != PQTRANS_UNKNOWN { return }
        close()
        // The second of two values counts, so that the address can say otherwise.
        let keywords = ["connect_timeout", "tcp_user_timeout", "application_name", "options", "dbname"]
        let values = ["5", "10000", "martlet", options, address]
        handle = PostgresConnection.withCStrings(keywords) { keywords in
            PostgresConnection.withCStrings(values) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            let error = error(nil)
            close()
            throw error
        }
    }

    private static func withCStrings<Value>(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { UnsafePointer($0) } + [nil])
    }

    /// Closes it; it is opened again when it is next used.
    func close() {
        statements.removeAll()
        PQfinish(handle)
        handle = nil
    }

    /// Prepares a text once.
    func prepare(_ sql: String) throws -> Statement {
        if let known = statements[sql] { return known }
        count += 1
        let statement = Statement(PostgresStatement(sql, name: "s\(count)", connection: self))
        statements[sql] = statement
        return statement
    }

    /// Begins a transaction that is as if nobody else wrote at the same time.
    func begin() throws {
        try open()
        try execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
    }

    /// Begins one that sees what was committed before, and writes nothing.
    func beginReading() throws {
        try open()
        try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }

    /// Ends the transaction; what it wrote is durable as the database's `synchronous_commit` says.
    func commit() throws {
        let result = PQexec(handle, "COMMIT")
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw error(result, isClearing: false) }
        // After an error PostgreSQL answers COMMIT with ROLLBACK.
        guard String(cString: PQcmdStatus(result)) == "COMMIT" else {
            throw PostgresError(code: "25P02", message: "the transaction was rolled back")
        }
    }

    /// Takes the transaction back; a broken connection has done so.
    func rollBack() {
        guard handle != nil, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        try? execute("ROLLBACK")
    }

    /// An error leaves a transaction in which only savepoints can be gone back to.
    var isInTransaction: Bool { [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(handle)) }

    /// Runs statements without parameters.
    func execute(_ sql: String) throws { try check(PQexec(handle, sql), PGRES_COMMAND_OK) }

    /// Runs statements that are separated by semicolons.
    func runScript(_ sql: String) throws { try execute(sql) }

    /// A lock of the table keeps other processes out.
    func lockMigrations() throws {
        try execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                version bigint PRIMARY KEY,
                name text NOT NULL,
                applied_at bigint NOT NULL
            )
            """
        )
        try execute("LOCK TABLE schema_migrations IN EXCLUSIVE MODE")
    }

    /// What PostgreSQL's code says.
    func failure(_ error: any Error) -> CommitFailure? { (error as? PostgresError)?.failure }

    /// Another process was in the way.
    func mayRunAgain(after error: any Error) -> Bool { (error as? PostgresError)?.mayBeRunAgain ?? false }

    /// Clears a result.
    ///
    /// - Throws: `PostgresError` when it is not the one that was to be.
    func check(_ result: OpaquePointer?, _ wanted: ExecStatusType) throws {
        guard PQresultStatus(result) == wanted else { throw error(result) }
        PQclear(result)
    }

    /// What a failed result says.
    func error(_ result: OpaquePointer?, isClearing: Bool = true) -> PostgresError {
        defer { if isClearing { PQclear(result) } }
        return PostgresError(result, on: handle)
    }
}
