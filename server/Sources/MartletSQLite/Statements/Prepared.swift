import GRDB
import GRDBSQLite

/// A cached statement, bound and stepped through SQLite's own calls.
///
/// GRDB's argument arrays and row objects cost more than the row itself where there is one call for each delivery; its
/// connections and its statement cache are used as they are.
struct Prepared {
    private let statement: Statement
    /// The statement, for SQLite's own calls.
    let handle: OpaquePointer
    private let connection: OpaquePointer?

    /// A statement of a connection.
    init(_ statement: Statement, connection: OpaquePointer?) {
        self.statement = statement
        self.handle = statement.sqliteStatement
        self.connection = connection
    }

    /// Binds all parameters in their order.
    func bind<each Value: Storable>(_ value: repeat each Value) -> Prepared {
        var position: Int32 = 1
        for item in repeat each value {
            item.bind(to: handle, at: position)
            position += 1
        }
        return self
    }

    /// Binds one parameter of a statement that is run once for each row of many; the position counts from 1.
    func set(_ position: Int32, _ value: Int64) { sqlite3_bind_int64(handle, position, value) }

    /// Binds one parameter of a statement that is run once for each row of many; the position counts from 1.
    func set(_ position: Int32, _ value: Int64?) {
        if let value { sqlite3_bind_int64(handle, position, value) } else { sqlite3_bind_null(handle, position) }
    }

    /// Runs to the end; says how many rows were changed.
    @discardableResult
    func run() throws -> Int {
        defer { sqlite3_reset(handle) }
        while try step() {}
        return Int(sqlite3_changes(connection))
    }

    /// Calls `body` with each row.
    func forEach(_ body: (Columns) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while try step() { try body(Columns(handle: handle)) }
    }

    /// All rows.
    func all<Item>(_ decode: (Columns) throws -> Item) throws -> [Item] {
        var items: [Item] = []
        try forEach { items.append(try decode($0)) }
        return items
    }

    /// The first row; the rest is not read.
    func first<Item>(_ decode: (Columns) throws -> Item) throws -> Item? {
        defer { sqlite3_reset(handle) }
        return try step() ? try decode(Columns(handle: handle)) : nil
    }

    /// Whether there is a row.
    func exists() throws -> Bool { try first { _ in true } ?? false }

    private func step() throws -> Bool {
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
}
