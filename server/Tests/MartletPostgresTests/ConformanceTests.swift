import MartletCore
import MartletPostgres
import MartletSQL
import MartletTesting
import Synchronization
import Testing

/// The rules of every store, on PostgreSQL: each check has a database of its own, copied from one that has the schema. Each
/// statement keeps to ``StatementRules``.
@Suite(.serialized) struct ConformanceTests {
    @Test("on PostgreSQL", arguments: StoreConformance.all)
    func check(_ check: StoreConformance.Check) async throws {
        try await Databases.with { address in
            let clock = ManualClock()
            let opened = try await PostgresStore.open(address, clock: clock)
            let store = SQLStore(CheckedDatabase(base: opened.database), SQLStore.Options())
            do { try await check.run(store, clock) } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }
}

/// Databases with the schema.
enum Databases {
    private static let template = Task {
        let cluster = try PostgresCluster.shared.get()
        let address = try cluster.makeDatabase()
        await (try PostgresStore.open(address, clock: ManualClock())).close()
        return PostgresCluster.name(of: address)
    }

    /// Gives a test a database, which is deleted after it.
    static func with(_ body: (String) async throws -> Void) async throws {
        let cluster = try PostgresCluster.shared.get()
        let address = try cluster.makeDatabase(copying: try await template.value)
        defer { try? cluster.drop(address) }
        try await body(address)
    }
}
