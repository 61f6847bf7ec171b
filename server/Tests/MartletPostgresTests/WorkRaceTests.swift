import MartletCore
import MartletWire
import Synchronization
import Testing

@testable import MartletPostgres
@testable import MartletStore
@testable import MartletTesting

/// Two processes that work on one delivery, or one audience, at the same moment.
@Suite(.serialized) struct WorkRaceTests {
    /// A notification to one endpoint, whose batch nobody holds.
    private func send(_ scene: RaceScene) async throws -> (sent: Notification, queue: DeliveryQueue) {
        let queue = try await scene.world.makeQueue(scene.app)
        try await scene.world.register(scene.app, 1)
        return (try await scene.world.send(scene.app), queue)
    }

    @Test("a batch that both lease is one's", arguments: [Isolation.serial, .snapshot])
    func lease(_ isolation: Isolation) async throws {
        try await RaceScene.with { scene, address in
            let (_, queue) = try await send(scene)
            let leased = try await scene.race(isolation) { try await $0.world.lease(queue) }
            #expect(leased.first.count == 1 && leased.second.isEmpty)
            let holder = try PostgresServer.run("SELECT lease_holder, lease_count FROM batches", in: address)
            #expect(holder == "\(leased.first[0].lease.holder)|1\n")
        }
    }

    @Test("a fan-out that both take is one's")
    func fanOut() async throws {
        try await RaceScene.with { scene, _ in
            _ = try await scene.world.submit(scene.world.draft(scene.app))
            let taken = try await scene.race { side in
                try await side.world.store.leaseFanOuts(limit: 1, lease: side.world.newLease())
            }
            #expect(taken.first.count == 1 && taken.second.isEmpty)
        }
    }

    @Test("a part of an audience that is committed a second time is written once")
    func part() async throws {
        try await RaceScene.with { scene, _ in
            _ = try await scene.world.makeQueue(scene.app)
            for number in 1...2 { try await scene.world.register(scene.app, number) }
            let fanOut = try await scene.world.begin(scene.app, .all)
            let page = scene.world.gated(try await scene.world.store.audience(of: fanOut, limit: 1), scene.app.row)
            let committed = try await scene.race { try await $0.world.store.commit(page, of: fanOut) }
            #expect(committed.first != nil && committed.second == nil)
            #expect(try await scene.world.read(fanOut.notification.id).counts.pending == 1)
        }
    }

    @Test(
        "an answer that comes when the lease is over and the batch has a new holder is recorded once",
        arguments: [true, false]
    )
    func lateAnswer(_ isLateFirst: Bool) async throws {
        try await RaceScene.with { scene, _ in
            let (sent, queue) = try await send(scene)
            let old = try await scene.world.leaseOne(queue)
            scene.world.clock.advance(by: Lease.duration)
            let leased = try await scene.race(.snapshot) { side in
                guard (side.number == 1) == isLateFirst else { return try await side.world.lease(queue) }
                try await side.world.settle(old)
                return []
            }
            let new = leased.first + leased.second
            #expect(new.isEmpty == isLateFirst)
            for one in new { try await scene.world.settle(one) }
            let over = try await scene.world.read(sent.id)
            #expect(over.counts == DeliveryCounts(accepted: 1))
            #expect(over.state == .done)
        }
    }

    @Test(
        "an answer that comes when the batch's new holder records its own is recorded once",
        arguments: [true, false]
    )
    func lateWithNew(_ isLateFirst: Bool) async throws {
        try await RaceScene.with { scene, _ in
            let (sent, queue) = try await send(scene)
            let old = try await scene.world.leaseOne(queue)
            scene.world.clock.advance(by: Lease.duration)
            let new = try await scene.world.leaseOne(queue)
            _ = try await scene.race(.snapshot) { side in
                guard (side.number == 1) == isLateFirst else { return try await side.world.settle(new) }
                try await side.world.settle(old, .rejected)
            }
            let over = try await scene.world.read(sent.id)
            #expect(over.counts == (isLateFirst ? DeliveryCounts(rejected: 1) : DeliveryCounts(accepted: 1)))
            #expect(over.state == .done)
        }
    }

    @Test("whoever is sent to while they are erased is named nowhere afterwards")
    func erasure() async throws {
        try await RaceScene.with { scene, address in
            _ = try await scene.world.makeQueue(scene.app)
            try await scene.world.register(scene.app, 1, user: "ann")
            try scene.first.begin(.snapshot)
            let draft = scene.world.draft(scene.app, to: .users(["ann"]))
            let sent = try await scene.first.store.submit(
                draft,
                idempotency: nil,
                gate: scene.world.gate(of: scene.app.row)
            )
            try scene.first.catchUp()
            let (store, app) = (scene.opened, scene.app.row)
            async let erased: Void = store.eraseUser("ann", of: app, keepsDevices: false)
            try await Eventually.is("the erasure waits for the submission") {
                try PostgresServer.run("SELECT count(*) FROM pg_locks WHERE NOT granted", in: address) == "1\n"
            }
            try scene.first.connection.commit()
            try await erased
            let audience = try await scene.world.read(sent.id).audience
            #expect(audience.isErased)
        }
    }

    @Test("an endpoint that moves while the last part of an audience is written is met once", arguments: [true, false])
    func move(_ isMoveFirst: Bool) async throws {
        try await RaceScene.with { scene, address in
            _ = try await scene.world.makeQueue(scene.app)
            let endpoint = try await scene.world.register(scene.app, 1, user: "ann")
            let fanOut = try await scene.world.begin(scene.app, .all)
            let page = scene.world.gated(try await scene.world.store.audience(of: fanOut, limit: 9), scene.app.row)
            let rest = try await scene.race { side -> FanOut? in
                guard (side.number == 1) == isMoveFirst else {
                    return try await side.world.store.commit(page, of: fanOut)
                }
                let update = EndpointUpdate(owner: .user("bob"))
                _ = try await side.world.store.updateEndpoint(endpoint.row, update)
                return nil
            }
            let left = rest.first ?? rest.second
            #expect((left != nil) == isMoveFirst, "those that moved are read once more")
            if let left { try await scene.world.readToEnd(left) }
            #expect(try await scene.world.read(fanOut.notification.id).counts == DeliveryCounts(pending: 1))
            let moves = try PostgresServer.run("SELECT count(*) FROM moves", in: address)
            #expect(moves == "0\n", "a move that nobody forgets")
        }
    }

    @Test("of two servers that start first, one makes the first admin key")
    func firstKey() async throws {
        try await RaceScene.with { scene, _ in
            let made = try await scene.race { side in
                try await side.store.createFirstKey(
                    scope: .admin,
                    name: "first",
                    prefix: "mk",
                    hash: SecretHash(of: "secret \(side.number)")
                )
            }
            #expect(made.first != nil && made.second == nil)
            #expect(try await scene.world.store.keys(.api(app: nil), PageRequest()).items.count == 1)
        }
    }

    /// A clock on which time passes behind one look: the database's next answer comes so much later.
    private final class StallingClock: WallClock {
        let base = ManualClock()
        private let stall = Mutex(Duration.zero)

        func stallOnce(for duration: Duration) { stall.withLock { $0 = duration } }

        func now() -> Timestamp {
            let moment = base.now()
            let duration = stall.withLock { stall in
                defer { stall = .zero }
                return stall
            }
            base.advance(by: duration)
            return moment
        }

        func sleep(until deadline: Timestamp) async throws { try await base.sleep(until: deadline) }
    }

    @Test(
        "where the database was silent a poll that waited for its answer ends nobody's leases, and neither does the next one"
    )
    func silence() async throws {
        try await Databases.with { address in
            let clock = StallingClock()
            let store = try await PostgresStore.open(address, clock: clock)
            let world = World(store: store, clock: clock.base, withdraw: store.withdraw)
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            for process in 1...2 { _ = try await store.poll(process: Int64(process), breakers: []) }
            let capacity = BatchCapacity(batches: 1)
            let held = try await store.leaseBatches(queue, capacity: capacity, lease: Lease.new(process: 2))
            #expect(held.batches.count == 1)
            // Begun after three seconds of silence, answered after twelve.
            clock.base.advance(by: .seconds(3))
            clock.stallOnce(for: .seconds(9))
            for _ in 0..<2 { _ = try await store.poll(process: 1, breakers: []) }
            let taken = try await store.leaseBatches(queue, capacity: capacity, lease: Lease.new(process: 1))
            #expect(taken.batches.isEmpty)
            await store.close()
        }
    }

    @Test("audiences and webhook calls of a process that is heard of no more go on at another; those of others stay")
    func presence() async throws {
        try await RaceScene.with { scene, _ in
            let (world, store) = (scene.world, scene.opened)
            let topic = try await world.makeTopic()
            for host in ["a", "b"] { _ = try await world.hook(topic, "https://\(host).example/") }
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            func lease(_ lease: Lease) async throws -> [Int] {
                [
                    try await store.leaseFanOuts(limit: 9, lease: lease).count,
                    try await world.leaseWebhooks(1, lease).count,
                ]
            }
            for process in 1...2 {
                _ = try await store.poll(process: Int64(process), breakers: [])
                _ = try await world.submit(world.draft(scene.app))
                #expect(try await lease(Lease.new(process: Int64(process))) == [1, 1])
            }
            for (seconds, taken) in [(9, [0, 0]), (2, [1, 1]), (1, [0, 0])] {
                world.clock.advance(by: .seconds(seconds))
                _ = try await store.poll(process: 2, breakers: [])
                #expect(try await lease(Lease.new(process: 2)) == taken)
            }
        }
    }
}
