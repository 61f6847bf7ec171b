import MartletCore
import MartletPostgres
import MartletStore
import MartletTesting
import Synchronization
import Testing

/// The rules of every store, on PostgreSQL: each check has a database of its own, copied from one that has the schema. Each
/// statement keeps to ``StatementRules``.
@Suite(.serialized) struct ConformanceTests {
    @Test("on PostgreSQL", arguments: StoreConformance.all, try PostgresServer.all.get())
    func check(_ check: StoreConformance.Check, on server: PostgresServer) async throws {
        try await Databases.with(on: server) { address in
            let clock = ManualClock()
            let opened = try await PostgresStore.open(address, clock: clock)
            let store = Store(CheckedDatabase(base: opened.database), Store.Options())
            do { try await check.run(store, clock, withdraw: store.withdraw) } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }
}

/// Databases with the schema.
enum Databases {
    /// What the others are copies of. On a server that is named there is none: nobody would delete it in the end.
    private static let template = Task<String?, any Error> {
        guard PostgresServer.named.isEmpty else { return nil }
        let address = try PostgresCluster.shared.get().server.makeDatabase()
        try await makeSchema(address)
        return address
    }

    /// Gives a test a database on each server, one after the other, which is deleted after it.
    static func with(_ body: (String) async throws -> Void) async throws {
        for server in try PostgresServer.all.get() { try await with(on: server, body) }
    }

    /// Gives a test a database on one server.
    static func with(on server: PostgresServer, _ body: (String) async throws -> Void) async throws {
        let template = try await template.value
        let address = try server.makeDatabase(copying: template)
        defer { try? server.drop(address) }
        if template == nil { try await makeSchema(address) }
        try await body(address)
    }

    private static func makeSchema(_ address: String) async throws {
        await (try PostgresStore.open(address, clock: ManualClock())).close()
    }
}
