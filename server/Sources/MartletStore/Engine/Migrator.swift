package import MartletCore
import MartletWire

/// One numbered step of the schema, the same for both engines.
package struct Migration: Sendable {
    /// The number, from 1 without gaps.
    package var version: Int64
    /// The file's name without its ending.
    package var name: String
    /// The statements, of which a `SchemaDialect` makes an engine's own.
    package var sql: String

    package init(version: Int64, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }

    /// A step whose statements are embedded in the program.
    package init(version: Int64, name: String, bytes: [UInt8]) {
        self.init(version: version, name: name, sql: String(decoding: bytes, as: UTF8.self))
    }

    /// All steps, in order; a step that was released never changes.
    package static let all = [
        Migration(version: 1, name: "0001_baseline", bytes: PackageResources._001_baseline_sql),
        Migration(version: 2, name: "0002_devices", bytes: PackageResources._002_devices_sql),
        Migration(version: 3, name: "0003_operators", bytes: PackageResources._003_operators_sql),
        Migration(version: 4, name: "0004_lists", bytes: PackageResources._004_lists_sql),
        Migration(version: 5, name: "0005_last_reason", bytes: PackageResources._005_last_reason_sql),
    ]
}

/// A connection on which the schema can be changed.
package protocol SQLSchemaConnection: SQLWriterConnection {
    static var dialect: SchemaDialect { get }
    /// Begins a transaction in which another process's steps are seen once it has waited for them.
    func beginSchemaChange() throws
    /// Makes the table of the steps that were applied, where it is missing, and keeps other processes from applying any
    /// until the transaction ends.
    func lockMigrations() throws
    /// Runs statements that are separated by semicolons.
    func runScript(_ sql: String) throws
}

/// Brings a database to the schema that this program knows.
package enum Migrator {
    /// Applies the steps that are missing, each in its own transaction.
    ///
    /// - Throws: `Failure` with `conflict` when the database is of a newer program.
    package static func migrate(
        _ connection: any SQLSchemaConnection,
        with migrations: [Migration] = Migration.all,
        at now: Timestamp
    ) throws {
        let known = migrations.last?.version ?? 0
        for migration in migrations {
            do {
                try connection.beginSchemaChange()
                // Inside the transaction, because another process may migrate at the same time.
                try connection.lockMigrations()
                let applied =
                    try connection.prepare("SELECT max(version) AS version FROM schema_migrations")
                    .first { $0.int("version") } ?? 0
                guard applied <= known else { throw newer(applied, than: known) }
                if applied < migration.version {
                    try connection.runScript(type(of: connection).dialect.script(migration.sql))
                    try connection.prepare("INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)")
                        .bind(migration.version, migration.name, now)
                        .run()
                }
                try connection.commit()
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    private static func newer(_ version: Int64, than known: Int64) -> Failure {
        Failure(
            .conflict,
            "The database has schema version \(version); this program knows up to \(known).",
            hint: "Start the newer program that made it, or restore a backup from before the upgrade."
        )
    }
}
