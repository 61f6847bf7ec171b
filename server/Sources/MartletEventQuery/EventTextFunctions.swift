import GRDBSQLite

/// SQLite's `instr`, `replace` and `trim` with two texts, in time that grows with the texts and not with their product:
/// between two looks at the clock a query may call them some thousand times.
enum EventTextFunctions {
    private typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    /// Puts them in the place of SQLite's own; says whether that was possible.
    static func add(to connection: OpaquePointer?) -> Bool {
        let functions: [(String, Int32, Function)] = [
            ("instr", 2, { EventTextFunctions.instr($0, $2?[0], $2?[1]) }),
            ("replace", 3, { EventTextFunctions.replace($0, $2?[0], $2?[1], $2?[2]) }),
            ("trim", 2, { EventTextFunctions.trim($0, $2?[0], $2?[1], start: true, end: true) }),
            ("ltrim", 2, { EventTextFunctions.trim($0, $2?[0], $2?[1], start: true, end: false) }),
            ("rtrim", 2, { EventTextFunctions.trim($0, $2?[0], $2?[1], start: false, end: true) }),
        ]
        return functions.allSatisfy { name, count, function in
            let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
            let code = sqlite3_create_function_v2(connection, name, count, flags, nil, function, nil, nil, nil)
            return code == SQLITE_OK
        }
    }

    /// Where a text first stands in another, counted in characters from 1, of two blobs in bytes; 0 where it does not.
    private static func instr(_ context: OpaquePointer?, _ text: OpaquePointer?, _ part: OpaquePointer?) {
        guard !isNull(text), !isNull(part) else { return sqlite3_result_null(context) }
        let isBytes = sqlite3_value_type(text) == SQLITE_BLOB && sqlite3_value_type(part) == SQLITE_BLOB
        let bytes = self.bytes(text)
        guard let place = TextSearch(for: self.bytes(part)).first(in: bytes[...]) else {
            return sqlite3_result_int64(context, 0)
        }
        // A byte that begins with the bits 10 goes on with a character.
        let before = isBytes ? place : bytes[..<place].count { $0 & 0xC0 != 0x80 }
        sqlite3_result_int64(context, Int64(before) + 1)
    }

    /// A text with another in all places of a part.
    private static func replace(
        _ context: OpaquePointer?,
        _ text: OpaquePointer?,
        _ part: OpaquePointer?,
        _ other: OpaquePointer?
    ) {
        guard !isNull(text), !isNull(part), !isNull(other) else { return sqlite3_result_null(context) }
        let (bytes, new) = (self.bytes(text), self.bytes(other))
        let search = TextSearch(for: self.bytes(part))
        guard !search.part.isEmpty else { return answer(context, bytes[...]) }
        let limit = Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
        var made: [UInt8] = []
        var rest = bytes[...]
        while let place = search.first(in: rest) {
            made += rest[..<place]
            made += new
            rest = rest[(place + search.part.count)...]
            guard made.count <= limit else { return sqlite3_result_error_toobig(context) }
        }
        answer(context, (made + rest)[...])
    }

    /// A text without the characters of another at its start, its end, or both.
    private static func trim(
        _ context: OpaquePointer?,
        _ text: OpaquePointer?,
        _ characters: OpaquePointer?,
        start: Bool,
        end: Bool
    ) {
        guard !isNull(text), !isNull(characters) else { return sqlite3_result_null(context) }
        let taken = Set(String(decoding: bytes(characters), as: UTF8.self).unicodeScalars)
        var rest = String(decoding: bytes(text), as: UTF8.self).unicodeScalars[...]
        if start { rest = rest.drop { taken.contains($0) } }
        if end { while let last = rest.last, taken.contains(last) { rest.removeLast() } }
        answer(context, Array(String(rest).utf8)[...])
    }

    private static func isNull(_ value: OpaquePointer?) -> Bool { sqlite3_value_type(value) == SQLITE_NULL }

    private static func bytes(_ value: OpaquePointer?) -> [UInt8] {
        guard let start = sqlite3_value_blob(value) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    }

    private static func answer(_ context: OpaquePointer?, _ text: ArraySlice<UInt8>) {
        text.withUnsafeBytes { text in
            // SQLite copies it, and refuses what is too long.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
            sqlite3_result_text(context, start, Int32(text.count), copied)
        }
    }
}
