import CLibPQ

/// How a statement of one row is said for many rows at once, over arrays of its parameters.
struct SetForm {
    /// What stands before the source of the rows.
    private let head: String
    /// What stands behind it.
    private let tail: String
    /// The table that is written.
    let table: String
    /// Which parameters say the row, where two that say the same one must not stand in one statement.
    let key: [Int]

    /// Tables that are written for each push or person. Nothing that is deleted from them takes rows of others with it.
    private static let tables: Set = [
        "accepted", "batches", "deliveries", "endpoints", "idempotency", "messages", "minute_counts", "notifications",
        "progress", "suppressions", "users",
    ]

    /// A statement with numbered parameters that writes one row of such a table; `nil` for all others.
    init?(_ sql: String) {
        guard !sql.contains("RETURNING"), let table = Self.written(by: sql), Self.tables.contains(table) else {
            return nil
        }
        self.table = table
        if sql.hasPrefix("INSERT INTO "), let (values, rest) = Self.tuple(of: sql), !rest.contains("$") {
            let columns = Self.list(sql, from: sql.startIndex)
            let items = values.split(separator: ",").map { $0.trimming() }
            guard items.count == columns.count, items.allSatisfy({ $0.first == "$" }) else { return nil }
            head = sql[..<values.startIndex].dropLast("VALUES (".count) + "SELECT \(Self.named(String(values))) FROM "
            let conflict = rest.firstRange(of: "DO UPDATE") == nil ? nil : rest.firstRange(of: "ON CONFLICT ")
            let unique = conflict.map { Self.list(String(rest), from: $0.upperBound) } ?? []
            let positions = unique.map { name in columns.firstIndex(of: name).flatMap { Int(items[$0].dropFirst()) } }
            guard positions.allSatisfy({ $0 != nil }) else { return nil }
            key = positions.compactMap(\.self).map { $0 - 1 }
            tail = String(rest.dropFirst())
        } else if !sql.hasPrefix("INSERT "), !sql.contains("SELECT"), let condition = sql.firstRange(of: "WHERE id = $")
        {
            let digits = sql[condition.upperBound...].prefix(while: \.isNumber)
            guard let number = Int(digits) else { return nil }
            let source = sql.hasPrefix("UPDATE ") ? "FROM " : "USING "
            head = Self.named(String(sql[..<condition.lowerBound])) + source
            key = [number - 1]
            tail = Self.named(String(sql[condition.lowerBound...]))
        } else {
            return nil
        }
    }

    /// The statement for rows of these kinds.
    ///
    /// - Parameter isChecked: whether one that does not write all of its rows fails, with a division by zero, for want of
    ///   another error in plain SQL.
    func text(_ kinds: [Oid], isChecked: Bool) -> String {
        let plain = "\(head)\(Self.source(kinds)) \(tail)"
        guard isChecked else { return plain }
        return """
            WITH written AS (\(plain) RETURNING 1)
            SELECT 1 / (CASE WHEN count(*) = cardinality($1) THEN 1 ELSE 0 END) FROM written
            """
    }

    /// A SELECT with numbered parameters, asked for many rows of them: the number of the row it is the answer to, and its
    /// columns.
    static func question(_ sql: String, _ kinds: [Oid]) -> String {
        """
        SELECT k.asked, answer.* FROM \(source(kinds, numbered: true))
        CROSS JOIN LATERAL (\(named(sql))) AS answer ORDER BY k.asked
        """
    }

    /// The table that a statement writes; `nil` where it writes none.
    static func written(by sql: String) -> String? {
        for start in ["INSERT INTO ", "UPDATE ", "DELETE FROM "] where sql.hasPrefix(start) {
            return String(sql.dropFirst(start.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
        return nil
    }

    private static func source(_ kinds: [Oid], numbered: Bool = false) -> String {
        let arrays = kinds.enumerated().map { "$\($0 + 1)::\(PostgresKind.arrayName(of: $1))" }
        let names = kinds.indices.map { "p\($0 + 1)" } + (numbered ? ["asked"] : [])
        let list = arrays.joined(separator: ", ")
        return "unnest(\(list))\(numbered ? " WITH ORDINALITY" : "") AS k(\(names.joined(separator: ", ")))"
    }

    /// A text with columns of the source in place of parameters.
    private static func named(_ sql: String) -> String { sql.replacing("$", with: "k.p") }

    /// What stands in the parentheses behind VALUES, and what behind them; `nil` where it is not one row of parameters.
    private static func tuple(of sql: String) -> (values: Substring, rest: Substring)? {
        guard let start = sql.firstRange(of: "VALUES (")?.upperBound, let end = sql[start...].firstIndex(of: ")") else {
            return nil
        }
        return (sql[start..<end], sql[end...])
    }

    /// The names in the first parentheses behind a position.
    private static func list(_ sql: String, from start: String.Index) -> [String] {
        guard let open = sql[start...].firstIndex(of: "("), let close = sql[open...].firstIndex(of: ")") else {
            return []
        }
        return sql[sql.index(after: open)..<close].split(separator: ",").map { $0.trimming() }
    }
}

extension Substring {
    fileprivate func trimming() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
