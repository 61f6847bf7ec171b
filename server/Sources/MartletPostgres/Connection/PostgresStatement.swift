import CLibPQ
import MartletStore

/// A statement, prepared when it first runs: only then the kinds of its parameters are known. All values go and come in
/// binary form.
final class PostgresStatement: SQLStatement {
    /// A parameter: its kind, and its bytes in memory that is used again for the next value.
    struct Parameter {
        var kind: Oid = 0
        var length = 0
        var capacity = 0
        var bytes: UnsafeMutableRawPointer?
        var isNull = true
    }

    // The connection has the statements.
    unowned let connection: PostgresConnection
    let sql: String
    let name: String
    /// Whether its rows come page by page, from a cursor that lives until the transaction ends.
    private let hasCursor: Bool
    /// Whether PostgreSQL knows the name, of the prepared statement or of the cursor.
    private var isNamed = false
    private(set) var parameters: [Parameter] = []
    private var result: OpaquePointer?
    private var row: Int32 = -1
    private var rowCount: Int32 = 0
    /// Whether the rows are of an answer that is kept, behind the number of what was asked.
    private var isKept = false
    /// What many rows of it are written and asked with.
    var set = StatementSet()
    /// How it is said for many rows; `nil` where it is not.
    private(set) lazy var form = SetForm(sql)
    private var kinds: [Oid] = []
    /// The columns' names, known once it ran.
    private(set) var columnNames: [String] = []

    /// How many rows of a cursor are in memory. Ours: some tens of kilobytes, which are there within a millisecond.
    private static let pageSize: Int32 = 200

    init(_ sql: String, name: String, hasCursor: Bool = false, connection: PostgresConnection) {
        self.sql = PostgresDialect.text(sql)
        self.name = name
        self.hasCursor = hasCursor
        self.connection = connection
    }

    deinit {
        if !isKept { PQclear(result) }
        forgetAnswers()
        for parameter in parameters { parameter.bytes?.deallocate() }
    }

    /// Binds a bigint, or NULL.
    func bind(_ value: Int64?, at position: Int32) {
        guard let value else { return set(nil, kind: PostgresKind.bigint, at: position) }
        withUnsafeBytes(of: value.bigEndian) { set($0, kind: PostgresKind.bigint, at: position) }
    }

    /// Binds a text, or NULL.
    func bind(text: UnsafeBufferPointer<UInt8>?, at position: Int32) {
        set(text.map(UnsafeRawBufferPointer.init), kind: PostgresKind.text, at: position)
    }

    /// Binds a bytea, or NULL.
    func bind(bytes: UnsafeBufferPointer<UInt8>?, at position: Int32) {
        set(bytes.map(UnsafeRawBufferPointer.init), kind: PostgresKind.bytea, at: position)
    }

    private func set(_ bytes: UnsafeRawBufferPointer?, kind: Oid, at position: Int32) {
        let index = Int(position) - 1
        while parameters.count <= index { parameters.append(Parameter()) }
        parameters[index].kind = kind
        parameters[index].isNull = bytes == nil
        guard let bytes else { return }
        if parameters[index].bytes == nil || parameters[index].capacity < bytes.count {
            parameters[index].bytes?.deallocate()
            parameters[index].capacity = max(bytes.count, 16)
            parameters[index].bytes = .allocate(byteCount: parameters[index].capacity, alignment: 8)
        }
        parameters[index].length = bytes.count
        if let start = bytes.baseAddress { parameters[index].bytes?.copyMemory(from: start, byteCount: bytes.count) }
    }

    /// Sends what was prepared before into the pipeline of the transaction, or with more rows of it later; anything else has
    /// its answer waited for.
    func send() throws {
        if try gather(isChecked: false) { return }
        try connection.makeWay(for: self)
        guard isNamed || connection.isPooled, !hasCursor, connection.hasPipeline else {
            defer { reset() }
            while try step() {}
            return
        }
        try connection.post { send($0, unprepared) }
    }

    /// The first step runs the statement and has all of its rows, because scripts read in pages, or the cursor's first.
    func step() throws -> Bool {
        if result == nil {
            try run()
        } else if hasCursor, row + 1 == PostgresStatement.pageSize {
            try fetch()
        }
        row += 1
        return row < rowCount
    }

    private func run() throws {
        if keep() { return }
        try connection.makeWay(for: self)
        if hasCursor {
            if isNamed { try connection.execute("CLOSE \(name)") }
            isNamed = false
            let text = "DECLARE \(name) NO SCROLL CURSOR FOR \(sql)"
            try connection.check(connection.answer { send($0, text) }, PGRES_COMMAND_OK)
            isNamed = true
            return try fetch()
        }
        if !isNamed, !connection.isPooled {
            let kinds = parameters.map(\.kind)
            let prepared = connection.answer { PQsendPrepare($0, name, sql, Int32(kinds.count), kinds) }
            try connection.check(prepared, PGRES_COMMAND_OK)
            isNamed = true
        }
        try take(connection.answer { send($0, unprepared) })
    }

    /// The text, where it is not prepared.
    private var unprepared: String? { connection.isPooled ? sql : nil }

    /// Sends a text with the parameters; without one, what was prepared.
    private func send(_ handle: OpaquePointer?, _ text: String? = nil) -> Int32 {
        let count = Int32(parameters.count)
        let values = parameters.map { $0.isNull ? nil : UnsafePointer($0.bytes?.assumingMemoryBound(to: CChar.self)) }
        let lengths = parameters.map { Int32($0.length) }
        let formats = [Int32](repeating: 1, count: parameters.count)
        guard let text else { return PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) }
        return PQsendQueryParams(handle, text, count, parameters.map(\.kind), values, lengths, formats, 1)
    }

    /// Has the next page in place of this one.
    private func fetch() throws {
        reset()
        let text = "FETCH \(PostgresStatement.pageSize) FROM \(name)"
        try take(connection.answer { PQsendQueryParams($0, text, 0, nil, nil, nil, nil, 1) })
    }

    private func take(_ answer: OpaquePointer?) throws {
        guard PQresultStatus(answer) == PGRES_TUPLES_OK || PQresultStatus(answer) == PGRES_COMMAND_OK else {
            throw connection.error(answer)
        }
        result = answer
        rowCount = PQntuples(answer)
        readColumns(from: 0)
    }

    private func readColumns(from first: Int32) {
        guard columnNames.isEmpty else { return }
        let columns = first..<PQnfields(result)
        columnNames = columns.map { PQfname(result, $0).map { String(cString: $0) } ?? "" }
        kinds = columns.map { PQftype(result, $0) }
    }

    /// Has the rows of an answer that is known already.
    private func keep() -> Bool {
        guard let (answer, rows) = knownAnswer else { return false }
        (result, isKept) = (answer, true)
        (row, rowCount) = (rows.lowerBound - 1, rows.upperBound)
        readColumns(from: 1)
        return true
    }

    /// Forgets the rows.
    func reset() {
        if !isKept { PQclear(result) }
        isKept = false
        result = nil
        row = -1
        rowCount = 0
    }

    /// How many rows an INSERT, UPDATE or DELETE changed.
    var changedRows: Int { PQcmdTuples(result).map { String(cString: $0) }.flatMap(Int.init) ?? 0 }

    /// Whether the row has NULL there.
    func isNull(_ column: Int32) -> Bool { PQgetisnull(result, row, position(column)) != 0 }

    private func position(_ column: Int32) -> Int32 { isKept ? column + 1 : column }

    /// An integer of any width, or a boolean; 0 for NULL.
    func int(_ column: Int32) -> Int64 {
        guard !isNull(column), let value = PQgetvalue(result, row, position(column)) else { return 0 }
        let bytes = UnsafeRawPointer(value)
        return switch kinds[Int(column)] {
        case PostgresKind.bigint: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case PostgresKind.integer: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case PostgresKind.smallint: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case PostgresKind.bool: Int64(bytes.load(as: UInt8.self))
        // A fault of the script, which the test that runs every statement finds.
        case let kind: preconditionFailure("Column \(columnNames[Int(column)]) is of type \(kind), not an integer.")
        }
    }

    /// A bytea, or a text's UTF-8.
    func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
        guard !isNull(column), let value = PQgetvalue(result, row, position(column)) else { return nil }
        let start = UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: Int(PQgetlength(result, row, position(column))))
    }
}
