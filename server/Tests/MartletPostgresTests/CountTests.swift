import MartletCore
import MartletWire
import Testing

@testable import MartletPostgres
@testable import MartletStore
@testable import MartletTesting

/// Two processes that count in the same minutes: each has rows of its own, and neither is in the other's way.
@Suite(.serialized) struct CountTests {
    @Test("what two processes count at once is the sum of both, before and after both add minutes up")
    func twoWriters() async throws {
        try await Databases.with { address in
            let clock = ManualClock()
            let stores = [
                try await PostgresStore.open(address, clock: clock),
                try await PostgresStore.open(address, clock: clock),
            ]
            let worlds = stores.map { World(store: $0, clock: clock, withdraw: $0.withdraw) }
            do { try await check(worlds, stores[0]) } catch {
                for store in stores { await store.close() }
                throw error
            }
            for store in stores { await store.close() }
        }
    }

    private func check(_ worlds: [World], _ store: Store) async throws {
        let app = try await worlds[0].makeApp()
        let start = worlds[0].now
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<40 {
                    let world = worlds[index % 2]
                    group.addTask { _ = try await world.record([world.event(.open, message: nil)], app) }
                }
                try await group.waitForAll()
            }
            worlds[0].clock.advance(by: .seconds(60))
        }
        let minutes = try await worlds[0].counts(app, since: start, .minute)
        #expect(minutes.counts.prefix(3).map(\.opens) == [40, 40, 40])
        let slots = try await store.read {
            try $0.prepare("SELECT DISTINCT slot FROM minute_counts").all { $0.int("slot") }
        }
        #expect(slots.count == 2)
        let bound = worlds[0].now + .seconds(7_200)
        let folded = try await withThrowingTaskGroup(of: Int.self) { group in
            for world in worlds {
                group.addTask {
                    var rows = 0
                    while case let part = try await world.store.purge(.minuteCounts, before: bound, limit: 2), part > 0
                    {
                        rows += part
                    }
                    return rows
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(folded >= 6)
        #expect(try await worlds[1].counts(app, since: start, .hour).total.opens == 120)
        #expect(try await worlds[1].counts(app, since: start, .minute).counts.prefix(3).map(\.opens) == [40, 40, 40])
    }
}
