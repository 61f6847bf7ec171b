import MartletSQLite
import MartletStore
import MartletTesting
import Testing

@Suite("Events in the embedded store")
struct EventConformanceTests {
    @Test("the rules of every store", arguments: StoreConformance.all.filter { $0.name.contains("event") })
    func rules(_ check: StoreConformance.Check) async throws {
        let clock = ManualClock()
        let store = try await SQLiteStore.inMemory(clock: clock)
        try await check.run(store, clock, withdraw: store.withdraw)
        await store.close()
    }
}
