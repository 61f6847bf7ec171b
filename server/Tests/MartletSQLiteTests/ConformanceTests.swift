import MartletSQLite
import MartletStore
import MartletTesting
import Testing

/// The rules of every store, on both forms of this one.
@Suite struct ConformanceTests {
    @Test("in memory", arguments: StoreConformance.all)
    func inMemory(_ check: StoreConformance.Check) async throws {
        let clock = ManualClock()
        let store = try await SQLiteStore.inMemory(clock: clock)
        try await check.run(store, clock, withdraw: store.withdraw)
        await store.close()
    }

    @Test("in memory, at full size", arguments: StoreConformance.whole)
    func whole(_ check: StoreConformance.Check) async throws { try await inMemory(check) }

    @Test("on disk", arguments: StoreConformance.all)
    func onDisk(_ check: StoreConformance.Check) async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock()
            let store = try await SQLiteStore.open(at: folder.database, clock: clock)
            try await check.run(store, clock, withdraw: store.withdraw)
            await store.close()
        }
    }
}
