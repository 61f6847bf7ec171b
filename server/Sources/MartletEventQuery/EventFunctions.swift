import GRDBSQLite
import MartletCore
import MartletStore

/// The functions that queries have beside SQLite's own, with the names and the meaning that Treasure Data gives them.
enum EventFunctions {
    /// What a query may call: what computes with values, and nothing that knows the process. Without `printf`, which
    /// fills a width of hundreds of millions before it finds that too long.
    static let allowed: Set<String> = [
        "now", "td_time_add", "abs", "char", "coalesce", "concat", "concat_ws", "glob", "hex", "ifnull",
        "iif", "instr", "length", "like", "likelihood", "likely", "lower", "ltrim", "max", "min", "nullif",
        "octet_length",
        "quote", "random", "randomblob", "replace", "round", "rtrim", "sign", "soundex", "substr",
        "substring",
        "trim", "typeof", "unhex", "unicode", "unlikely", "upper", "zeroblob",
        "avg", "count", "group_concat", "string_agg", "sum", "total",
        "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead", "first_value",
        "last_value", "nth_value",
        "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff", "current_date", "current_time",
        "current_timestamp",
        "ceil", "ceiling", "exp", "floor", "ln", "log", "log10", "log2", "mod", "pow", "power", "sqrt", "trunc", "pi",
        "json", "json_array", "json_array_length", "json_extract", "json_group_array", "json_group_object",
        "json_object", "json_quote", "json_type", "json_valid", "->", "->>",
    ]

    /// Registers them; says whether that was possible.
    static func add(to connection: OpaquePointer?, source: EventSource) -> Bool {
        let now = sqlite3_create_function_v2(
            connection,
            "now",
            0,
            SQLITE_UTF8,
            source.pointer,
            { context, _, _ in
                guard let source = sqlite3_user_data(context) else { return }
                sqlite3_result_int64(context, EventSource.at(source).transaction.now.seconds)
            },
            nil,
            nil,
            nil
        )
        // With the zone and without it.
        let codes = [Int32(2), 3].map { count in
            sqlite3_create_function_v2(
                connection,
                "td_time_add",
                count,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                nil,
                { context, count, values in EventFunctions.addTime(context, (0..<Int(count)).map { values?[$0] }) },
                nil,
                nil,
                nil
            )
        }
        return ([now] + codes).allSatisfy { $0 == SQLITE_OK }
    }

    /// `td_time_add(time, duration[, zone])`: Unix seconds; NULL where one of them is NULL.
    private static func addTime(_ context: OpaquePointer?, _ values: [OpaquePointer?]) {
        let types = values.map { sqlite3_value_type($0) }
        guard !types.contains(SQLITE_NULL) else { return sqlite3_result_null(context) }
        guard let zone = TimeZoneName.offset(values.count > 2 ? text(values[2]) : "UTC") else {
            return fail(context, "td_time_add: there is no such time zone.")
        }
        let time: Int64? =
            types[0] == SQLITE_INTEGER || types[0] == SQLITE_FLOAT
            ? sqlite3_value_int64(values[0]) : CalendarTime(text(values[0]))?.seconds(in: zone)
        guard let time else {
            return fail(context, "td_time_add: the time is Unix seconds, or as 2026-03-01 12:00:00.")
        }
        guard let duration = TimeSpan(text(values[1])) else {
            return fail(context, "td_time_add: a duration is as '-1h', '7d' or '1d2h30m'; units are w, d, h, m and s.")
        }
        let (sum, isOver) = time.addingReportingOverflow(duration.seconds)
        guard !isOver else { return fail(context, "td_time_add: the time is out of range.") }
        sqlite3_result_int64(context, sum)
    }

    private static func text(_ value: OpaquePointer?) -> String {
        sqlite3_value_text(value).map { String(cString: $0) } ?? ""
    }

    private static func fail(_ context: OpaquePointer?, _ message: String) {
        sqlite3_result_error(context, message, -1)
    }
}
