import MartletSQL

extension PostgresConnection {
    /// All steps, in order; a step that was released never changes.
    static let migrations = [Migration(version: 1, name: "0001_baseline", bytes: PackageResources._001_baseline_sql)]
}
