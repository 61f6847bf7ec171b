import MartletPostgres
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletTesting

/// Many servers on one PostgreSQL database (``Fleet``). `MARTLET_SEED=17` runs that seed alone.
@Suite(.timeLimit(.minutes(5))) struct FleetTests {
    @Test("200 servers that are killed, stand still and lose their database lose nothing and push nothing twice")
    func fleet() async throws {
        let seed = ModelTests.only ?? 1
        let server = try PostgresServer.all.get()[0]
        let place = try server.makeDatabase()
        defer { try? server.drop(place) }
        let clock = ManualClock()
        let store = try await PostgresStore.open(place, clock: clock)
        let world = World(store: store, clock: clock, withdraw: store.withdraw)
        let fleet = try await Fleet(seed: seed, on: world)
        try await fleet.run(troubleUntil: 150, most: 400)
        let (ledger, shares) = (fleet.ledger, fleet.shares)
        let pushes = ledger.pushes.values.reduce(0) { $0 + $1.count }
        print(
            """
            MEASURED: 200 servers, \(ledger.recorded.count) deliveries in \(fleet.second) s: lost \
            \(Fleet.deliveries - ledger.recorded.count), doubled \(ledger.doubled); \(pushes) pushes, repeats of a killed \
            or frozen server \(ledger.repeats.troubled), others \(ledger.repeats.other); taken over within \
            \(ledger.recovery) s; pushes of a server \(shares.least) to \(shares.most), \(shares.mean) on average
            """
        )
        #expect(ledger.recorded.count == Fleet.deliveries)
        #expect(ledger.doubled == 0)
        #expect(ledger.repeats.other == 0, "a server that lives and knows the answer is repeated")
        #expect(ledger.sharedDuties == 0)
        #expect(ledger.orphans.isEmpty)
        // The database may be away for 30 s, then no lease ends for 15, and a server counts as gone after 10.
        #expect(ledger.recovery <= 60)
        #expect(shares.least > 0)
        #expect(Double(shares.most) <= 3 * shares.mean)
        await store.close()
    }
}
