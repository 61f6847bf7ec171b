import Foundation
import GRDBSQLite
import MartletCore
import MartletStore
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
        var statement: (any SQLStatement)?
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
            row?.pointee = EventVirtualTable.cursor(base!).pointee.statement?.int(0) ?? 0
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
        let cursor = cursor(base)
        cursor.deinitialize(count: 1)
        cursor.deallocate()
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
        let (first, last) = seconds(Bounds(rawValue: number), (0..<Int(count)).map { values?[$0] })
        return move(cursor) { source in
            let made = cursor.pointee.statement
            let statement = try made ?? source.transaction.connection.makeStatement(EventColumn.select)
            cursor.pointee.statement = statement
            statement.reset()
            let app = source.query.app?.rawValue
            for (index, value) in [app ?? 0, app ?? .max, first * 1_000, last * 1_000 + 999].enumerated() {
                statement.bind(value, at: Int32(index + 1))
            }
            return try statement.step()
        }
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
        move(cursor) { _ in try cursor.pointee.statement?.step() ?? false }
    }

    /// Moves a cursor; keeps what went wrong.
    private static func move(
        _ cursor: UnsafeMutablePointer<Cursor>,
        _ step: (EventSource) throws -> Bool
    ) -> Int32 {
        let source = EventSource.at(cursor.pointee.source)
        do {
            cursor.pointee.isAtEnd = try !step(source)
            return SQLITE_OK
        } catch {
            source.failure = error
            return SQLITE_ERROR
        }
    }

    private static func show(_ cursor: UnsafeMutablePointer<Cursor>, _ context: OpaquePointer?, _ index: Int32) -> Int32
    {
        guard let statement = cursor.pointee.statement, let column = EventColumn(rawValue: index) else {
            return SQLITE_ERROR
        }
        let position = column.position
        switch column {
        case .type: give(EventType(code: statement.int(position))?.rawValue, context)
        case .platform: give(EventPlatform(code: statement.int(position))?.rawValue, context)
        case .installationID, .eventID:
            give(statement.bytes(position).flatMap { PublicID(bytes: $0) }?.description, context)
        case .clientTimeMilliseconds where statement.isNull(position): sqlite3_result_null(context)
        case _ where column.isInteger: sqlite3_result_int64(context, statement.int(position))
        default: give(statement.bytes(position), context)
        }
        return SQLITE_OK
    }

    /// Answers a column, or a function, with a text.
    static func give(_ text: String?, _ context: OpaquePointer?) {
        guard var text else { return sqlite3_result_null(context) }
        text.withUTF8 { give($0, context) }
    }

    private static func give(_ text: UnsafeBufferPointer<UInt8>?, _ context: OpaquePointer?) {
        guard let text else { return sqlite3_result_null(context) }
        // SQLite copies the bytes before the call returns (SQLITE_TRANSIENT, a macro that Swift does not import).
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        // An empty buffer may have no address, and no address would be NULL.
        guard let start = text.baseAddress else { return sqlite3_result_text(context, "", 0, copied) }
        start.withMemoryRebound(to: CChar.self, capacity: text.count) {
            sqlite3_result_text(context, $0, Int32(text.count), copied)
        }
    }
}
