import GRDBSQLite

/// SQLite's `json_group_array` and `json_group_object`, which end at the length that every other value may have: SQLite's
/// own grow with every row, and are too long at the end only.
enum EventJSONFunctions {
    /// What a group has come to.
    private final class Group {
        var json: [UInt8] = []
    }

    /// The subtype by which SQLite's JSON functions know each other's values (json.c).
    private static let jsonSubtype: UInt32 = 74

    /// Puts them in the place of SQLite's own; says whether that was possible.
    static func add(to connection: OpaquePointer?) -> Bool {
        typealias Finish = @convention(c) (OpaquePointer?) -> Void
        let functions: [(String, Int32, Finish)] = [
            ("json_group_array", 1, { EventJSONFunctions.finish($0, UInt8(ascii: "["), UInt8(ascii: "]")) }),
            ("json_group_object", 2, { EventJSONFunctions.finish($0, UInt8(ascii: "{"), UInt8(ascii: "}")) }),
        ]
        return functions.allSatisfy { name, count, finish in
            let code = sqlite3_create_function_v2(
                connection,
                name,
                count,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_SUBTYPE,
                nil,
                nil,
                { context, count, values in EventJSONFunctions.step(context, (0..<Int(count)).map { values?[$0] }) },
                finish,
                nil
            )
            return code == SQLITE_OK
        }
    }

    private static func step(_ context: OpaquePointer?, _ values: [OpaquePointer?]) {
        let size = Int32(MemoryLayout<UnsafeRawPointer?>.size)
        guard let place = sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        else { return sqlite3_result_error_nomem(context) }
        let group: Group
        if let known = place.pointee {
            group = Unmanaged<Group>.fromOpaque(known).takeUnretainedValue()
        } else {
            group = Group()
            // SQLite finishes each group that it has begun, also where the query ends early.
            place.pointee = UnsafeRawPointer(Unmanaged.passRetained(group).toOpaque())
        }
        if !group.json.isEmpty { group.json.append(UInt8(ascii: ",")) }
        if values.count == 2 {
            append(quoted: bytes(values[0]), to: &group.json)
            group.json.append(UInt8(ascii: ":"))
        }
        guard append(values.last ?? nil, to: &group.json) else {
            return sqlite3_result_error(context, "JSON cannot hold BLOB values", -1)
        }
        let limit = Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
        if group.json.count > limit { sqlite3_result_error_toobig(context) }
    }

    private static func finish(_ context: OpaquePointer?, _ open: UInt8, _ close: UInt8) {
        var json = [open]
        let place = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        if let known = place?.pointee {
            json += Unmanaged<Group>.fromOpaque(known).takeRetainedValue().json
            place?.pointee = nil
        }
        json.append(close)
        json.withUnsafeBytes { text in
            // SQLite copies it, and refuses what is too long.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
            sqlite3_result_text(context, start, Int32(text.count), copied)
        }
        sqlite3_result_subtype(context, jsonSubtype)
    }

    /// Appends a value as JSON; false where it has none.
    private static func append(_ value: OpaquePointer?, to json: inout [UInt8]) -> Bool {
        switch sqlite3_value_type(value) {
        case SQLITE_NULL: json += Array("null".utf8)
        case SQLITE_FLOAT where !sqlite3_value_double(value).isFinite: json += Array("null".utf8)
        case SQLITE_INTEGER, SQLITE_FLOAT: json += bytes(value)
        case SQLITE_TEXT where sqlite3_value_subtype(value) == jsonSubtype: json += bytes(value)
        case SQLITE_TEXT: append(quoted: bytes(value), to: &json)
        default: return false
        }
        return true
    }

    private static func append(quoted text: [UInt8], to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case ..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                json += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }

    private static func bytes(_ value: OpaquePointer?) -> [UInt8] {
        guard let start = sqlite3_value_text(value) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    }
}
