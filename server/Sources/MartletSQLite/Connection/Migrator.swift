import GRDB
import MartletCore
import MartletWire

/// One numbered step of the schema.
struct Migration: Sendable {
    /// The number, from 1 without gaps.
    var version: Int64
    /// The file's name without its ending.
    var name: String
    /// The statements.
    var sql: String

    /// All steps, in order; a step that was released never changes.
    static let all: [Migration] = [
        Migration(version: 1, name: "0001_baseline", bytes: PackageResources._001_baseline_sql)
    ]
}

extension Migration {
    /// A step whose statements are embedded in the program.
    fileprivate init(version: Int64, name: String, bytes: [UInt8]) {
        self.init(version: version, name: name, sql: String(decoding: bytes, as: UTF8.self))
    }
}

/// Brings a database to the schema that this program knows.
enum Migrator {
    /// Applies the steps that are missing, each in its own transaction.
    ///
    /// - Throws: `Failure` with `conflict` when the database is of a newer program.
    static func migrate(_ database: Database, with migrations: [Migration], at now: Timestamp) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    version INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    applied_at INTEGER NOT NULL
                ) STRICT
                """
        )
        let known = migrations.last?.version ?? 0
        for migration in migrations {
            try database.inTransaction(.immediate) {
                // Inside the transaction, because another process may migrate at the same time.
                let applied =
                    try Int64.fetchOne(database, sql: "SELECT max(version) FROM schema_migrations") ?? 0
                guard applied <= known else { throw newer(applied, than: known) }
                guard applied < migration.version else { return .commit }
                try database.execute(sql: migration.sql)
                try database.execute(
                    sql: "INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)",
                    arguments: [migration.version, migration.name, now.rawValue]
                )
                return .commit
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
