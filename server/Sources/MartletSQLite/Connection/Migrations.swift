import GRDB
import MartletStore

extension SQLiteConnection: SQLSchemaConnection {
    /// One writes at a time.
    func beginSchemaChange() throws { try begin(.alone) }

    /// The transaction itself keeps others out.
    func lockMigrations() throws {
        try runScript(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                version INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                applied_at INTEGER NOT NULL
            ) STRICT
            """
        )
    }

    /// Has GRDB run them.
    func runScript(_ sql: String) throws { try database.execute(sql: sql) }

    static let dialect = SchemaDialect(
        types: [
            "key": "INTEGER PRIMARY KEY AUTOINCREMENT", "rowid": "INTEGER PRIMARY KEY", "bigint": "INTEGER",
            "smallint": "INTEGER", "text": "TEXT", "bytes": "BLOB",
        ],
        namesKeys: false,
        ending: { _, isWithoutRowID in (isWithoutRowID ? "STRICT, WITHOUT ROWID" : "STRICT", []) }
    )
}
