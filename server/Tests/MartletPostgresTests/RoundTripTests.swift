import MartletCore
import MartletStore
import MartletWire
import Testing

@testable import MartletPostgres
@testable import MartletTesting

/// What a send to one person costs where the database is elsewhere: counted by a proxy before it.
@Suite(.serialized) struct RoundTripTests {
    private struct Work: Hashable {
        var roundTrips: Int
        var statements: Int
    }

    private struct Scene {
        let proxy: CommitProxy
        let world: World
        let app: App
        let queue: DeliveryQueue

        func work(_ body: () async throws -> Void) async rethrows -> Work {
            let before = (proxy.roundTrips, proxy.statementCount)
            try await body()
            return Work(roundTrips: proxy.roundTrips - before.0, statements: proxy.statementCount - before.1)
        }

        /// Sends to some people in one call, and settles what it leased.
        func send(to people: Range<Int>) async throws -> (accepting: Work, settling: Work) {
            let lease = world.newLease()
            let requests = people.map { number in
                SubmitRequest(
                    world.draft(app, to: .users(["user\(number)"])),
                    gate: world.gate(of: app.row),
                    reservation: Reservation(lease: lease, queues: [queue])
                )
            }
            var batches: [Batch] = []
            let accepting = try await work {
                for outcome in try await world.store.submit(requests) {
                    let submitted = try outcome.submitted()
                    #expect(submitted.leased.count == 1 && submitted.targets.count == 1)
                    batches += submitted.leased
                }
            }
            let settling = try await work {
                try await withThrowingTaskGroup(of: Void.self) { [store = world.store, batches] group in
                    for batch in batches {
                        var settlement = Settlement(batch: batch, lease: lease)
                        settlement.results = batch.members.map { world.result($0) }
                        group.addTask { [settlement] in try await store.settle(settlement) }
                    }
                    try await group.waitForAll()
                }
            }
            return (accepting, settling)
        }
    }

    private func with(_ body: (Scene) async throws -> Void) async throws {
        let cluster = try PostgresCluster.shared.get()
        let database = try cluster.server.makeDatabase()
        let proxy = try CommitProxy(to: cluster.socketPath) { _ in false }
        defer { proxy.stop() }
        let clock = ManualClock()
        let store = try await PostgresStore.open(cluster.address(of: database, through: proxy.port), clock: clock)
        let world = World(store: store, clock: clock, withdraw: store.withdraw)
        let app = try await world.makeApp()
        let scene = Scene(proxy: proxy, world: world, app: app, queue: try await world.makeQueue(app))
        for number in 0..<200 { try await world.register(app, number, user: "user\(number)") }
        // Statements are prepared once.
        for people in [0..<1, 1..<3] { _ = try await scene.send(to: people) }
        try await body(scene)
        await store.close()
    }

    @Test("a send to one person is accepted in two round trips and settled in one; one to 64 costs as many statements")
    func single() async throws {
        try await with { scene in
            let one = try await scene.send(to: 3..<4)
            let many = try await scene.send(to: 4..<68)
            print("MEASURED: one person \(one), 64 people \(many)")
            #expect(one.accepting.roundTrips == 2)
            #expect(one.settling.roundTrips == 1)
            #expect(many.accepting == one.accepting)
        }
    }

    @Test("whoever is sent to for the first time is made with others")
    func newPeople() async throws {
        try await with { scene in
            // Nobody has a device: nothing is leased.
            func send(to numbers: Range<Int>) async throws -> Work {
                let requests = numbers.map { number in
                    let draft = scene.world.draft(scene.app, to: .users(["stranger\(number)"]))
                    return SubmitRequest(draft, gate: scene.world.gate(of: scene.app.row))
                }
                return try await scene.work {
                    for outcome in try await scene.world.store.submit(requests) { _ = try outcome.submitted() }
                }
            }
            _ = try await send(to: 0..<2)
            let (few, many) = (try await send(to: 2..<4), try await send(to: 4..<68))
            print("MEASURED: 2 new people \(few), 64 new people \(many)")
            #expect(few == many)
        }
    }

    @Test("as many round trips register devices together, however many they are")
    func registration() async throws {
        try await with { scene in
            func register(_ numbers: Range<Int>) async throws -> Work {
                let registrations = numbers.map { number in
                    Registration(
                        app: scene.app.row,
                        platform: .apns,
                        token: scene.world.token(number),
                        owner: .user("person\(number)")
                    )
                }
                return try await scene.work {
                    for outcome in try await scene.world.store.register(registrations) {
                        #expect(try outcome.get().isNew)
                    }
                }
            }
            _ = try await register(1_000..<1_010)
            let (few, many) = (try await register(1_010..<1_020), try await register(1_020..<1_120))
            print("MEASURED: 10 devices \(few), 100 devices \(many)")
            #expect(few == many)
        }
    }
}
