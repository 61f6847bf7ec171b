import Foundation
import Testing

@testable import MartletSQLite
@testable import MartletStore

@Suite struct SchemaDialectTests {
    private static let dialect = SchemaDialect(
        types: ["key": "SERIAL", "text": #"text COLLATE "C""#, "bytes": "bytea"],
        namesKeys: true,
        ending: { table, isWithoutRowID in ("OF \(table) \(isWithoutRowID)", table == "b" ? ["ANALYZE b"] : []) }
    )

    @Test(
        "a type is the engine's own where a column stands, and nowhere else",
        arguments: [
            ("    id key,", "    id SERIAL,"),
            ("    id key", "    id SERIAL"),
            ("    text text NOT NULL,", #"    text text COLLATE "C" NOT NULL,"#),
            ("    key bigint,", "    key bigint,"),
            ("    -- key text", "    -- key text"),
            ("    PRIMARY KEY (key, text)", "    PRIMARY KEY (key, text)"),
            ("", ""),
        ]
    )
    func types(said: String, read: String) {
        #expect(Self.dialect.script("CREATE TABLE a (\n\(said)") == "CREATE TABLE a (\n\(read)")
    }

    @Test("outside a table only an added column has a type, and only an index's rowid is the engine's own")
    func otherStatements() {
        var short = Self.dialect
        short.namesKeys = false
        for (said, read, shortly) in [
            ("ALTER TABLE a ADD COLUMN b bytes;", "ALTER TABLE a ADD COLUMN b bytea;", nil),
            ("CREATE INDEX a_text ON a (text, key);", "CREATE INDEX a_text ON a (text, key);", nil),
            (
                "CREATE INDEX a_b ON a (b, rowid) WHERE b > 0;", "CREATE INDEX a_b ON a (b, id) WHERE b > 0;",
                "CREATE INDEX a_b ON a (b) WHERE b > 0;"
            ),
            ("    WHERE key = 1", "    WHERE key = 1", nil),
        ] {
            #expect(Self.dialect.script(said) == read)
            #expect(short.script(said) == shortly ?? read)
        }
    }

    @Test("what an engine says of a table follows its columns")
    func endings() {
        let script = "CREATE TABLE a (\n    id key\n);\nCREATE TABLE b (\n    id key\n) WITHOUT ROWID;"
        #expect(
            Self.dialect.script(script)
                == "CREATE TABLE a (\n    id SERIAL\n) OF a false;\nCREATE TABLE b (\n    id SERIAL\n) OF b true;\nANALYZE b;"
        )
    }

    @Test("no step says a type or an ending that only one engine knows")
    func neutral() {
        let types: Set = ["key", "rowid", "bigint", "smallint", "text", "bytes"]
        for migration in Migration.all {
            var isTable = false
            for line in migration.sql.split(separator: "\n") {
                if line.hasPrefix("CREATE TABLE ") { isTable = true }
                if line.hasPrefix(")") {
                    #expect([");", ") WITHOUT ROWID;"].contains(line))
                    isTable = false
                }
                let words = line.split(separator: " ").map { $0.trimmingCharacters(in: [","]) }
                guard isTable, line.hasPrefix("    "), words[0].allSatisfy({ $0.isLowercase || $0 == "_" }) else {
                    continue
                }
                #expect(types.contains(words[1]), "\(migration.name): \(line)")
            }
        }
    }
}
