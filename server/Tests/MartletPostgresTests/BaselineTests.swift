import Foundation
import GRDB
import MartletCore
import MartletSQLite
import MartletStore
import MartletTesting
import Testing

@testable import MartletPostgres

/// The two engines' baselines make the same tables; of a partitioned one the partitions do not count.
@Suite struct BaselineTests {
    @Test("both have the same tables, with the same columns, keys and indexes; no index has a column of a lease")
    func match() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("martlet.sqlite")
        await (try SQLiteStore.open(at: path, clock: ManualClock())).close()
        let lite = try await DatabaseQueue(path: path).read(Self.sqlite)
        var postgres: [String: Set<String>] = [:]
        try await Databases.with { postgres = try Self.postgres($0) }
        #expect(Set(lite.keys) == Set(postgres.keys))
        for (table, parts) in lite {
            let others = postgres[table] ?? []
            #expect(parts == others, "\(table): \(parts.symmetricDifference(others).sorted())")
            let leases = parts.filter { ($0.hasPrefix("index") || $0.hasPrefix("unique")) && $0.contains("lease_") }
            #expect(leases.isEmpty, "\(table): a lease is not changed in its place")
        }
    }

    /// Columns as `name TYPE NULLABILITY`, and indexes by their columns, of each table.
    private static func sqlite(_ database: Database) throws -> [String: Set<String>] {
        var tables: [String: Set<String>] = [:]
        let names = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        for name in names {
            var parts: Set<String> = []
            var key: [(Int, String)] = []
            for row in try Row.fetchAll(database, sql: "PRAGMA table_info(\(name))") {
                let (column, type, position) = (row["name"] as String, row["type"] as String, row["pk"] as Int)
                let isRequired = (row["notnull"] as Int) != 0 || position > 0
                parts.insert("\(column) \(kind(type)) \(isRequired ? "required" : "optional")")
                if position > 0 { key.append((position, column)) }
            }
            parts.insert("unique (" + key.sorted { $0.0 < $1.0 }.map(\.1).joined(separator: ", ") + ")")
            for index in try Row.fetchAll(database, sql: "PRAGMA index_list(\(name))") where index["origin"] != "pk" {
                let columns = try Row.fetchAll(database, sql: "PRAGMA index_info(\(index["name"] as String))")
                let listed = columns.map { ($0["name"] as String?) ?? "expression" }.joined(separator: ", ")
                let sql = "SELECT sql FROM sqlite_master WHERE name = ?"
                let text = try String.fetchOne(database, sql: sql, arguments: [index["name"] as String]) ?? ""
                let condition = text.components(separatedBy: "WHERE").dropFirst().joined()
                parts.insert(part(listed, where: condition, isUnique: (index["unique"] as Int) != 0))
            }
            tables[name] = parts
        }
        return tables
    }

    private static func postgres(_ address: String) throws -> [String: Set<String>] {
        var tables: [String: Set<String>] = [:]
        let columns = try PostgresServer.run(
            "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
                + "WHERE table_schema = 'public' "
                + "AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)",
            in: address
        )
        for line in columns.split(separator: "\n") {
            let row = line.split(separator: "|").map(String.init)
            let part = "\(row[1]) \(kind(row[2])) \(row[3] == "NO" ? "required" : "optional")"
            tables[row[0], default: []].insert(part)
        }
        let indexes = try PostgresServer.run(
            """
            SELECT t.relname, x.indisunique, string_agg(coalesce(a.attname, 'expression'), ', ' ORDER BY k.place),
                max(pg_get_expr(x.indpred, x.indrelid))
            FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace s ON s.oid = t.relnamespace
                CROSS JOIN unnest(x.indkey::int[]) WITH ORDINALITY k (number, place)
                LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number AND k.number > 0
            WHERE s.nspname = 'public' AND NOT t.relispartition GROUP BY t.relname, x.indexrelid, x.indisunique
            """,
            in: address
        )
        for line in indexes.split(separator: "\n") {
            let row = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            tables[row[0], default: []].insert(part(row[2], where: row[3], isUnique: row[1] == "t"))
        }
        return tables
    }

    /// An index by its columns, and the words of its condition. Each one of SQLite ends with the row's key, whether that
    /// is said or not.
    private static func part(_ columns: String, where condition: String, isUnique: Bool) -> String {
        let words = condition.filter { !"()".contains($0) }.split(whereSeparator: \.isWhitespace)
        let end = words.isEmpty ? "" : " where " + words.joined(separator: " ")
        if isUnique { return "unique (\(columns))\(end)" }
        let key = ", id"
        return "index (\(columns.hasSuffix(key) ? String(columns.dropLast(key.count)) : columns))\(end)"
    }

    private static func kind(_ type: String) -> String {
        switch type.lowercased() {
        case "integer", "bigint", "smallint": "integer"
        case "bytea", "blob": "bytes"
        default: "text"
        }
    }
}
