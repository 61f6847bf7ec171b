import MartletStore

extension PostgresConnection {
    /// All steps, in order; a step that was released never changes.
    static let migrations = [
        Migration(version: 1, name: "0001_baseline", bytes: PackageResources._001_baseline_sql),
        Migration(version: 2, name: "0002_devices", bytes: PackageResources._002_devices_sql),
        Migration(version: 3, name: "0003_operators", bytes: PackageResources._003_operators_sql),
        Migration(version: 4, name: "0004_lists", bytes: PackageResources._004_lists_sql),
        Migration(version: 5, name: "0005_last_reason", bytes: PackageResources._005_last_reason_sql),
    ]
}
