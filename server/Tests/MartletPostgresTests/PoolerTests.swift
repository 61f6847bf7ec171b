import MartletCore
import MartletPostgres
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletPostgres
@testable import MartletTesting

/// PostgreSQL behind PgBouncer in transaction mode.
@Suite(.serialized) struct PoolerTests {
    private static let pooler = Result { try PostgresCluster.shared.get().startPooler() }

    private func with(_ body: (_ address: String) async throws -> Void) async throws {
        let server = try PostgresCluster.shared.get().server
        let database = try server.makeDatabase()
        let address = try Self.pooler.get().address(of: database)
        try await body(address + "&pooler=transaction")
    }

    /// One of each dozen: the rules are the same, and each statement is sent as the others are.
    private static let checks = StoreConformance.all.enumerated().filter { $0.offset.isMultiple(of: 12) }.map(\.element)

    @Test("the rules of every store hold through it", arguments: checks)
    func check(_ check: StoreConformance.Check) async throws {
        try await with { address in
            let clock = ManualClock()
            let store = try await PostgresStore.open(address, clock: clock)
            do { try await check.run(store, clock, withdraw: store.withdraw) } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }

    @Test("two servers send through it at once, and each push is leased and recorded once")
    func twoServers() async throws {
        try await with { address in
            let clock = ManualClock()
            var worlds: [World] = []
            for _ in 0..<2 {
                let store = try await PostgresStore.open(address, clock: clock)
                worlds.append(World(store: store, clock: clock, withdraw: store.withdraw))
            }
            let app = try await worlds[0].makeApp()
            let queue = try await worlds[0].makeQueue(app)
            for number in 0..<20 { try await worlds[0].register(app, number, user: "user\(number)") }
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for (index, world) in worlds.enumerated() {
                    group.addTask {
                        for number in 0..<10 {
                            let draft = world.draft(app, to: .users(["user\(index * 10 + number)"]))
                            let gate = world.gate(of: app.row)
                            _ = try await world.store.submit(draft, idempotency: nil, gate: gate)
                        }
                        return 10
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(counts == 20)
            let leased = try await withThrowingTaskGroup(of: Int.self) { group in
                for world in worlds {
                    group.addTask {
                        let leased = try await world.lease(queue)
                        for batch in leased { try await world.settle(batch) }
                        return leased.count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(leased == 20)
            let sent = try await worlds[0].store.notifications(app.row, state: nil, PageRequest(count: 50)).items
            #expect(sent.count == 20 && sent.allSatisfy { $0.counts == DeliveryCounts(accepted: 1) })
            for world in worlds { await world.store.close() }
        }
    }

    @Test("while it stands still calls end as overloaded, and the next ones go on where it does")
    func frozen() async throws {
        try await with { address in
            let store = try await PostgresStore.open(address, clock: ManualClock())
            _ = try await store.createApp(name: "before", identity: Identity())
            try Self.pooler.get().freeze(true)
            let failure = await #expect(throws: Failure.self) {
                _ = try await store.createApp(name: "meanwhile", identity: Identity())
            }
            try Self.pooler.get().freeze(false)
            #expect(failure?.code == .overloaded)
            _ = try await store.createApp(name: "after", identity: Identity())
            await store.close()
        }
    }

    @Test("who forgets to say that it stands there is told")
    func forgotten() async throws {
        try await with { address in
            let plain = address.replacing("&pooler=transaction", with: "")
            let failure = await #expect(throws: Failure.self) { await (try PostgresStore.open(plain)).close() }
            #expect(failure.map { "\($0)" }?.contains("add pooler=transaction to the address") == true)
        }
    }

    @Test(
        "the parameter is taken out wherever it stands",
        arguments: [
            ("postgres://a@b/c?pooler=transaction", "postgres://a@b/c", true),
            ("postgres://a@b/c?x=1&pooler=transaction&y=2", "postgres://a@b/c?x=1&y=2", true),
            ("postgres://a@b/c?x=1", "postgres://a@b/c?x=1", false), ("postgres://a@b/c", "postgres://a@b/c", false),
            ("postgres://a@b/c?pooler=session", "postgres://a@b/c?pooler=session", false),
        ]
    )
    func address(_ given: String, text: String, isPooled: Bool) {
        let address = PooledAddress(given)
        #expect(address.text == text)
        #expect(address.isPooled == isPooled)
    }
}
