import Foundation
import GRDBSQLite
import MartletCore
import MartletWire

/// The connection on which one query is answered: a database in memory that holds the virtual table
/// `mobile.push_events` and nothing else. Used by one thread.
struct EventQueryConnection {
    private let source: EventSource
    private let connection: OpaquePointer?
    private let module: UnsafeMutablePointer<sqlite3_module>

    /// Opens the connection and takes from it all that a query does not need.
    ///
    /// - Throws: `Failure` when there is no memory for it.
    init(source: EventSource) throws(Failure) {
        self.source = source
        module = EventVirtualTable.makeModule()
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY
        let files = EventTemporaryFiles.isRegistered ? EventTemporaryFiles.name : nil
        let code = sqlite3_open_v2(":memory:", &opened, flags, files)
        connection = opened
        guard files != nil, code == SQLITE_OK, prepareConnection() else {
            close()
            throw Failure(.internalError, "The connection for a query could not be opened.")
        }
    }

    /// Closes the connection.
    func close() {
        sqlite3_close(connection)
        module.deallocate()
    }

    private func prepareConnection() -> Bool {
        guard sqlite3_create_module_v2(connection, "martlet_events", module, source.pointer, nil) == SQLITE_OK,
            EventFunctions.add(to: connection, source: source), EventTextFunctions.add(to: connection),
            EventJSONFunctions.add(to: connection),
            sqlite3_exec(connection, EventQueryConnection.preparation, nil, nil, nil) == SQLITE_OK
        else { return false }
        for (kind, value) in EventQueryConnection.limits { sqlite3_limit(connection, kind, value) }
        sqlite3_set_authorizer(
            connection,
            { _, action, first, second, database, _ in
                EventQueryConnection.allows(action, first, second, database) ? SQLITE_OK : SQLITE_DENY
            },
            nil
        )
        source.limit(connection)
        return true
    }

    /// What is sorted goes to files that have no names and a bound, and not into memory.
    private static let preparation = """
        ATTACH ':memory:' AS mobile;
        CREATE VIRTUAL TABLE mobile.push_events USING martlet_events;
        PRAGMA temp_store = FILE;
        PRAGMA cache_size = -2000;
        PRAGMA query_only = ON;
        """

    /// Bounds on what one row can cost, because the time is looked at between two of them at least. Texts of 100,000 bytes
    /// are 25 times the longest value; a pattern of 100 bytes is tried at each place of one within some milliseconds; five
    /// thousand operations are a query of some hundred columns.
    private static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, 100_000), (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_COLUMN, 200),
        (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 50), (SQLITE_LIMIT_VDBE_OP, 10_000),
        (SQLITE_LIMIT_FUNCTION_ARG, 50), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 0), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// Whether a query may do something: it selects, calls functions, and reads the one table.
    private static func allows(
        _ action: Int32,
        _ first: UnsafePointer<CChar>?,
        _ second: UnsafePointer<CChar>?,
        _ database: UnsafePointer<CChar>?
    ) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: true
        case SQLITE_READ:
            mayRead(
                first.map { String(cString: $0) } ?? "",
                column: second.map { String(cString: $0) } ?? "",
                of: database.map { String(cString: $0) }
            )
        case SQLITE_FUNCTION: second.map { EventFunctions.allowed.contains(String(cString: $0).lowercased()) } ?? false
        default: false
        }
    }

    /// The table itself; and the query's own common table expressions, of which SQLite asks when no column is used,
    /// without a database.
    private static func mayRead(_ table: String, column: String, of database: String?) -> Bool {
        if database == "mobile" { return table == "push_events" }
        let name = table.lowercased()
        return database == nil && column.isEmpty && !name.hasPrefix("sqlite_") && !name.hasPrefix("pragma_")
    }

    /// Answers the query.
    ///
    /// - Throws: `Failure` naming `sql`, or with ``ErrorCode/queryTimedOut``; what the engine throws.
    func answer() throws -> EventTable {
        let query = source.query
        let statement = try statement(query.sql)
        defer { sqlite3_finalize(statement) }
        let width = sqlite3_column_count(statement)
        var table = EventTable(
            columns: (0..<width).map { sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? "" }
        )
        var bytes = 0
        while true {
            let code = sqlite3_step(statement)
            if let failure = source.failure { throw failure }
            // One row alone may have taken all of the time, without a look at the clock.
            guard !source.isLate else { throw query.timedOut }
            switch code {
            case SQLITE_DONE: return table
            case SQLITE_ROW: break
            default: throw refusal
            }
            var row: [JSONValue] = []
            for column in 0..<width {
                bytes += Int(sqlite3_column_bytes(statement, column)) + 8
                row.append(EventQueryConnection.value(statement, column))
            }
            guard table.rows.count < query.rowLimit, bytes <= query.byteLimit else {
                table.isTruncated = true
                return table
            }
            table.rows.append(row)
        }
    }

    /// The one statement of a text.
    private func statement(_ sql: String) throws(Failure) -> OpaquePointer? {
        guard !sql.utf8.contains(0) else { throw EventQueryConnection.refused("It has an invalid character.") }
        let statements = try statements(sql)
        defer { for statement in statements.dropFirst() { sqlite3_finalize(statement) } }
        guard let statement = statements.first, statements.count == 1, sqlite3_column_count(statement) > 0,
            sqlite3_stmt_readonly(statement) != 0, sqlite3_stmt_isexplain(statement) == 0
        else {
            if let first = statements.first { sqlite3_finalize(first) }
            throw EventQueryConnection.refused("A query is one SELECT.")
        }
        return statement
    }

    /// The first two statements of a text; comments and what is empty are none.
    private func statements(_ sql: String) throws(Failure) -> [OpaquePointer] {
        var found: [OpaquePointer] = []
        var sql = sql
        let isRead = sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text -> Bool in
                var position = text.baseAddress
                let end = position.map { $0 + text.count }
                while let start = position, let end, start < end, found.count < 2 {
                    var statement: OpaquePointer?
                    let code = sqlite3_prepare_v2(connection, start, Int32(end - start), &statement, &position)
                    guard code == SQLITE_OK else { return false }
                    if let statement { found.append(statement) }
                }
                return true
            }
        }
        guard isRead else {
            for statement in found { sqlite3_finalize(statement) }
            throw refusal
        }
        return found
    }

    /// What the database says about the query. It knows nothing but the query.
    private var refusal: Failure {
        let code = sqlite3_errcode(connection) & 0xFF
        if code == SQLITE_INTERRUPT || source.isLate { return source.query.timedOut }
        let function = sqlite3_errmsg(connection).map { String(cString: $0) }?
            .wholeMatch(of: #/not authorized to use function: (\w+)/#)?.1
        if let function { return EventQueryConnection.refused("A query has no function \(function).") }
        if code == SQLITE_AUTH {
            return EventQueryConnection.refused("A query reads mobile.push_events and nothing else.")
        }
        if code == SQLITE_FULL {
            return EventQueryConnection.refused("It sorts or groups more than \(EventTemporaryFiles.limit >> 20) MiB.")
        }
        if code == SQLITE_NOMEM { return EventQueryConnection.refused("The query is too long.") }
        return EventQueryConnection.refused(sqlite3_errmsg(connection).map { String(cString: $0) } ?? "It is not SQL.")
    }

    private static func refused(_ message: String) -> Failure {
        .invalid("sql", message, hint: "Such as: SELECT type, count(*) FROM mobile.push_events GROUP BY type")
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> JSONValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT:
            let number = sqlite3_column_double(statement, column)
            // JSON has no infinity.
            return number.isFinite ? .number(number) : .null
        case SQLITE_TEXT: return .string(String(decoding: bytes(statement, column), as: UTF8.self))
        case SQLITE_BLOB: return .string(bytes(statement, column).map { String(format: "%02x", $0) }.joined())
        default: return .null
        }
    }

    /// A blob, or a text's UTF-8; empty for NULL.
    private static func bytes(_ statement: OpaquePointer?, _ column: Int32) -> [UInt8] {
        // The bytes first and their number after it, in the order that SQLite's documentation asks for.
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
