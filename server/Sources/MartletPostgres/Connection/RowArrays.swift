import CLibPQ

/// Parameters of many rows as PostgreSQL takes them at once: an array for each column, in binary form (`array_recv` in its
/// arrayfuncs.c).
struct RowArrays {
    private struct Column {
        var kind: Oid
        var hasNull = false
        var bytes: [UInt8] = []
    }

    private var columns: [Column] = []
    /// How many rows.
    private(set) var count = 0
    /// How long they are.
    private(set) var byteCount = 0

    /// The kinds of the columns, of one row each.
    var kinds: [Oid] { columns.map(\.kind) }

    /// Adds a row's columns, of which each is called with its number.
    mutating func append(_ width: Int, _ column: (Int) -> (kind: Oid, bytes: UnsafeRawBufferPointer?)) {
        for index in 0..<width {
            let (kind, bytes) = column(index)
            if index == columns.count { columns.append(Column(kind: kind)) }
            let length = bytes.map { Int32(clamping: $0.count) } ?? -1
            withUnsafeBytes(of: length.bigEndian) { columns[index].bytes.append(contentsOf: $0) }
            if let bytes { columns[index].bytes.append(contentsOf: bytes) } else { columns[index].hasNull = true }
            byteCount += 4 + (bytes?.count ?? 0)
        }
        count += 1
    }

    /// Calls `body` with what libpq takes: kinds, values, lengths and formats of the arrays.
    func withParameters<Value>(
        _ body: ([Oid], [UnsafePointer<CChar>?], [Int32], [Int32]) -> Value
    ) -> Value {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount + columns.count * 20)
        var starts: [Int] = []
        for column in columns {
            starts.append(bytes.count)
            // One dimension, whether there are NULLs, the kind, how many, and the number of the first.
            for number in [1, column.hasNull ? 1 : 0, Int32(bitPattern: column.kind), Int32(count), 1] {
                withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            }
            bytes += column.bytes
        }
        let lengths = zip(starts, starts.dropFirst() + [bytes.count]).map { Int32($1 - $0) }
        return bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = starts.map { start in base.map { UnsafePointer($0 + start) } }
            let formats = [Int32](repeating: 1, count: columns.count)
            return body(columns.map { PostgresKind.array(of: $0.kind) }, values, lengths, formats)
        }
    }
}
