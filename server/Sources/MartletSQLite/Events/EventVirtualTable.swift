import Foundation
import GRDBSQLite
import MartletCore
import MartletSQL
import MartletWire

/// The virtual table `push_events` (https://www.sqlite.org/vtab.html): a query's connection has no other table, so
/// that nothing else can be read, whatever is asked.
enum EventVirtualTable {
    /// A table as SQLite keeps it: its own part first, as its interface asks for.
    private struct Table {
        var base = sqlite3_vtab()
        var source: UnsafeMutableRawPointer
    }

    /// A place in a table, likewise.
    private struct Cursor {
        var base = sqlite3_vtab_cursor()
        var source: UnsafeMutableRawPointer
        var statement: OpaquePointer?
        var isAtEnd = true
    }

    /// Which bounds on the time a plan uses; the bounds come as arguments in this order.
    private struct Bounds: OptionSet {
        let rawValue: Int32
        static let equal = Bounds(rawValue: 1)
        static let above = Bounds(rawValue: 2)
        static let below = Bounds(rawValue: 4)
    }

    /// The table's functions, for as long as the connection lives.
    static func makeModule() -> UnsafeMutablePointer<sqlite3_module> {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        module.initialize(to: sqlite3_module())
        module.pointee.xCreate = { database, source, _, _, made, _ in
            EventVirtualTable.connect(database, source, made)
        }
        module.pointee.xConnect = { database, source, _, _, made, _ in
            EventVirtualTable.connect(database, source, made)
        }
        module.pointee.xBestIndex = { EventVirtualTable.plan($1!) }
        module.pointee.xDisconnect = { EventVirtualTable.disconnect($0) }
        module.pointee.xDestroy = { EventVirtualTable.disconnect($0) }
        module.pointee.xOpen = { EventVirtualTable.openCursor($0!, $1!) }
        module.pointee.xClose = { EventVirtualTable.closeCursor($0!) }
        module.pointee.xFilter = { base, bounds, _, count, values in
            EventVirtualTable.filter(base!, bounds, count, values)
        }
        module.pointee.xNext = { EventVirtualTable.next(EventVirtualTable.cursor($0!)) }
        module.pointee.xEof = { EventVirtualTable.cursor($0!).pointee.isAtEnd ? 1 : 0 }
        module.pointee.xColumn = { EventVirtualTable.show(EventVirtualTable.cursor($0!), $1, $2) }
        module.pointee.xRowid = { base, row in
            row?.pointee = sqlite3_column_int64(EventVirtualTable.cursor(base!).pointee.statement, 0)
            return SQLITE_OK
        }
        return module
    }

    private static func cursor(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> UnsafeMutablePointer<Cursor> {
        UnsafeMutableRawPointer(base).assumingMemoryBound(to: Cursor.self)
    }

    private static func connect(
        _ connection: OpaquePointer?,
        _ source: UnsafeMutableRawPointer?,
        _ made: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
    ) -> Int32 {
        guard let source, let made else { return SQLITE_MISUSE }
        let code = sqlite3_declare_vtab(connection, EventColumn.declaration)
        guard code == SQLITE_OK else { return code }
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        table.initialize(to: Table(source: source))
        made.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    private static func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
        table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self).deallocate() }
        return SQLITE_OK
    }

    /// Takes the first bound of each kind on `time`; SQLite checks all conditions once more.
    private static func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>) -> Int32 {
        var positions: [Int32: Int] = [:]
        for index in 0..<Int(info.pointee.nConstraint) {
            let constraint = info.pointee.aConstraint[index]
            guard constraint.usable != 0, constraint.iColumn == EventColumn.time.rawValue else { continue }
            let kind: Bounds? =
                switch Int32(constraint.op) {
                case SQLITE_INDEX_CONSTRAINT_EQ: .equal
                case SQLITE_INDEX_CONSTRAINT_GT, SQLITE_INDEX_CONSTRAINT_GE: .above
                case SQLITE_INDEX_CONSTRAINT_LT, SQLITE_INDEX_CONSTRAINT_LE: .below
                default: nil
                }
            if let kind, positions[kind.rawValue] == nil { positions[kind.rawValue] = index }
        }
        var bounds: Bounds = []
        var argument: Int32 = 0
        for kind in positions.keys.sorted() {
            argument += 1
            bounds.insert(Bounds(rawValue: kind))
            info.pointee.aConstraintUsage[positions[kind]!].argvIndex = argument
        }
        info.pointee.idxNum = bounds.rawValue
        // Less is better: what has an end on both sides is taken for a thousandth, on one for a tenth.
        info.pointee.estimatedCost = bounds.contains(.equal) ? 1e2 : bounds.isEmpty ? 1e6 : argument > 1 ? 1e3 : 1e5
        return SQLITE_OK
    }

    private static func openCursor(
        _ table: UnsafeMutablePointer<sqlite3_vtab>,
        _ made: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>
    ) -> Int32 {
        let source = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.source
        let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
        cursor.initialize(to: Cursor(source: source))
        made.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    private static func closeCursor(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> Int32 {
        sqlite3_finalize(cursor(base).pointee.statement)
        cursor(base).deallocate()
        return SQLITE_OK
    }

    /// Begins to read; a cursor may be filtered many times.
    private static func filter(
        _ base: UnsafeMutablePointer<sqlite3_vtab_cursor>,
        _ number: Int32,
        _ count: Int32,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        let cursor = cursor(base)
        let source = EventSource.at(cursor.pointee.source)
        if cursor.pointee.statement == nil {
            let code = sqlite3_prepare_v2(source.connection, EventColumn.select, -1, &cursor.pointee.statement, nil)
            guard code == SQLITE_OK else { return SQLITE_ERROR }
        }
        let (first, last) = seconds(Bounds(rawValue: number), (0..<Int(count)).map { values?[$0] })
        let statement = cursor.pointee.statement
        sqlite3_reset(statement)
        sqlite3_bind_int64(statement, 1, source.app?.rawValue ?? 0)
        sqlite3_bind_int64(statement, 2, source.app?.rawValue ?? .max)
        sqlite3_bind_int64(statement, 3, first * 1_000)
        sqlite3_bind_int64(statement, 4, last * 1_000 + 999)
        return next(cursor)
    }

    /// The seconds between which events are read. What is no number leaves a bound open: SQLite compares by itself.
    private static func seconds(_ bounds: Bounds, _ values: [OpaquePointer?]) -> (first: Int64, last: Int64) {
        // The largest time in milliseconds is far below.
        let most: Int64 = 1 << 50
        var range: (first: Int64, last: Int64) = (-most, most)
        let kinds = [Bounds.equal, .above, .below].filter { bounds.contains($0) }
        for (kind, value) in zip(kinds, values) {
            guard let value, [SQLITE_INTEGER, SQLITE_FLOAT].contains(sqlite3_value_type(value)) else { continue }
            let number = sqlite3_value_double(value)
            let second = Int64(min(max(number, Double(-most)), Double(most)))
            if kind != .below { range.first = max(range.first, second) }
            if kind != .above { range.last = min(range.last, second + (kind == .below ? 1 : 0)) }
        }
        return range
    }

    private static func next(_ cursor: UnsafeMutablePointer<Cursor>) -> Int32 {
        switch sqlite3_step(cursor.pointee.statement) {
        case SQLITE_ROW: cursor.pointee.isAtEnd = false
        case SQLITE_DONE: cursor.pointee.isAtEnd = true
        case SQLITE_INTERRUPT: return SQLITE_INTERRUPT
        default: return SQLITE_ERROR
        }
        return SQLITE_OK
    }

    private static func show(_ cursor: UnsafeMutablePointer<Cursor>, _ context: OpaquePointer?, _ index: Int32) -> Int32
    {
        let statement = cursor.pointee.statement
        let position = index + 1
        switch EventColumn(rawValue: index) {
        case .type: give(EventType(code: sqlite3_column_int64(statement, position))?.rawValue, context)
        case .platform: give(EventPlatform(code: sqlite3_column_int64(statement, position))?.rawValue, context)
        case .installationID, .eventID:
            give(PublicID(bytes: EventQueryConnection.bytes(statement, position))?.description, context)
        default: sqlite3_result_value(context, sqlite3_column_value(statement, position))
        }
        return SQLITE_OK
    }

    /// Answers a column, or a function, with a text.
    static func give(_ text: String?, _ context: OpaquePointer?) {
        guard var text else { return sqlite3_result_null(context) }
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // SQLite copies the bytes before the call returns (SQLITE_TRANSIENT, a macro that Swift does not import).
                let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                sqlite3_result_text(context, $0.baseAddress, Int32($0.count), copied)
            }
        }
    }
}
