import GRDB
import MartletStore

extension SQLiteConnection: SQLSchemaConnection {
    /// One writes at a time.
    func beginSchemaChange() throws { try begin() }

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

    /// All steps, in order; a step that was released never changes.
    static let migrations = [
        Migration(version: 1, name: "0001_baseline", bytes: PackageResources._001_baseline_sql),
        Migration(version: 2, name: "0002_devices", bytes: PackageResources._002_devices_sql),
        Migration(version: 3, name: "0003_operators", bytes: PackageResources._003_operators_sql),
        Migration(version: 4, name: "0004_lists", bytes: PackageResources._004_lists_sql),
        Migration(version: 5, name: "0005_last_reason", bytes: PackageResources._005_last_reason_sql),
    ]
}
