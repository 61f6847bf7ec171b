import MartletStore
import MartletWire

@testable import MartletCore
@testable import MartletTesting

/// Two hundred servers on one database, a second at a time: they poll, lease, push, settle and renew as servers do, while
/// some are killed, some stand still, the database is away, and answers to COMMIT do not come back.
///
/// It shows what leases, presence and duties come to among many, not races inside a second: those have tests of their own.
final class Fleet {
    /// A delivery: every batch here has one member.
    typealias Delivery = RowID<MartletCore.Notification>

    /// A batch in a server's hands.
    struct Held {
        var batch: Batch
        var lease: Lease
        /// The second from which on nothing of it is begun (`LeaseTerm`), by the server's own clock.
        var end: Int
        /// When the provider answers; `nil` where it is not pushed yet.
        var answer: Int?
    }

    struct Server {
        var id: Int64
        var held: [Held] = []
        /// When others last heard of it.
        var heard = 0
        /// Until when it stands still.
        var resumes = 0
        /// Whether it never was killed and never stood still.
        var isSteady = true
        var pushes = 0
        /// Until when it has the duty.
        var duty = 0
    }

    /// What the provider and an observer know.
    struct Ledger {
        /// When and by whom each was pushed.
        var pushes: [Delivery: [(second: Int, server: Int64)]] = [:]
        /// When each result was recorded.
        var recorded: [Delivery: Int] = [:]
        /// Pushed although its result was recorded.
        var doubled = 0
        /// Pushed again before its result was recorded, by whether the server before was killed or had stood still.
        var repeats = (troubled: 0, other: 0)
        /// What a killed server held, and when it was killed.
        var orphans: [Delivery: Int] = [:]
        /// The longest that one of them waited for another server's push, or for its record.
        var recovery = 0
        /// Seconds in which two servers believed that they have the duty.
        var sharedDuties = 0
    }

    static let size = 200
    static let deliveries = 6_000
    /// How many batches a server has under way. Few, so that all have some.
    private static let capacity = 4
    /// Before the end that the store knows, as `LeaseTerm` says.
    private static let margin = 1
    private static let leaseSeconds = Int(Lease.duration / .seconds(1))
    private static let presenceSeconds = Int(Presence.timeout / .seconds(1))
    private static let renewal = 10

    private let world: World
    private let queue: DeliveryQueue
    private var random: SeededRandom
    private var servers: [Server] = []
    private var nextServer: Int64 = 1
    private(set) var ledger = Ledger()
    private(set) var second = 0
    /// Until when the database is away.
    private var away = 0
    /// Servers that were killed or stood still.
    private var troubled: Set<Int64> = []

    init(seed: UInt64, on world: World) async throws {
        self.world = world
        random = SeededRandom(seed: seed)
        let app = try await world.makeApp()
        queue = try await world.makeQueue(app)
        var endpoints: [PublicID] = []
        for number in 0..<Self.size { endpoints.append(try await world.register(app, number).id) }
        for _ in 0..<Self.deliveries / endpoints.count {
            let requests = endpoints.map {
                SubmitRequest(world.draft(app, to: .endpoints([$0])), gate: world.gate(of: app.row))
            }
            for outcome in try await world.store.submit(requests) { _ = try outcome.submitted() }
        }
        for _ in 0..<Self.size { servers.append(newServer()) }
    }

    private func newServer() -> Server {
        defer { nextServer += 1 }
        return Server(id: nextServer, heard: second)
    }

    /// Lets them work until all is recorded; trouble comes in the first seconds.
    func run(troubleUntil end: Int, most: Int) async throws {
        while ledger.recorded.count < Self.deliveries, second < most {
            second += 1
            world.clock.advance(by: .seconds(1))
            if second < end { makeTrouble() }
            for index in servers.indices.shuffled(using: &random) where servers[index].resumes <= second {
                if away <= second { try await talk(index) }
                push(index)
            }
            if servers.count(where: { $0.duty > second && $0.resumes <= second }) > 1 { ledger.sharedDuties += 1 }
        }
    }

    private func makeTrouble() {
        if Int.random(in: 0..<100, using: &random) < 40 {
            let index = Int.random(in: servers.indices, using: &random)
            troubled.insert(servers[index].id)
            if Bool.random(using: &random) {
                for delivery in servers[index].held.map(\.batch.notification) where ledger.recorded[delivery] == nil {
                    ledger.orphans[delivery] = second
                }
                servers[index] = newServer()
                servers[index].isSteady = false
            } else {
                servers[index].resumes = second + Int.random(in: 5...70, using: &random)
                servers[index].isSteady = false
            }
        }
        // Shorter and longer than leases are renewed after, and as long as a lease.
        if (second - 15).isMultiple(of: 45) { away = second + random.pick([12, 20, 30]) }
    }

    /// What a server says to the database in a second.
    private func talk(_ index: Int) async throws {
        let store = world.store
        _ = try await store.poll(process: servers[index].id, breakers: [])
        servers[index].heard = second
        try await settle(index)
        try await renew(index)
        let free = Self.capacity - servers[index].held.count
        if free > 0 {
            let lease = Lease.new(process: servers[index].id)
            let leased = try await store.leaseBatches(queue, capacity: BatchCapacity(batches: free), lease: lease)
            for batch in leased.batches {
                servers[index].held.append(
                    Held(batch: batch, lease: lease, end: second + Self.leaseSeconds - Self.margin)
                )
            }
        }
        let holder = servers[index].id
        if try await store.write({ try $0.takeDuty("fleet", holder: holder, for: .seconds(20)) }) {
            servers[index].duty = second + 20 - Self.margin
        }
    }

    private func settle(_ index: Int) async throws {
        for (place, held) in servers[index].held.enumerated().reversed() {
            guard let answer = held.answer, answer <= second else { continue }
            var settlement = Settlement(batch: held.batch, lease: held.lease)
            settlement.results = held.batch.members.map { world.result($0) }
            try await world.store.settle(settlement)
            let delivery = held.batch.notification
            note(recorded: delivery)
            // The answer to COMMIT did not come back: it is settled again.
            if Int.random(in: 0..<50, using: &random) > 0 { servers[index].held.remove(at: place) }
        }
    }

    private func note(recorded delivery: Delivery) {
        if ledger.recorded[delivery] == nil { ledger.recorded[delivery] = second }
        endWait(for: delivery)
    }

    private func endWait(for delivery: Delivery) {
        guard let killed = ledger.orphans.removeValue(forKey: delivery) else { return }
        ledger.recovery = max(ledger.recovery, second - killed)
    }

    /// Leases that end before the next renewal are renewed; who has lost one lets go of what is not pushed.
    private func renew(_ index: Int) async throws {
        let due = servers[index].held.indices.filter {
            servers[index].held[$0].end - Self.leaseSeconds + Self.margin + Self.renewal <= second
        }
        for holder in Set(due.map { servers[index].held[$0].lease }) {
            let own = due.filter { servers[index].held[$0].lease == holder }
            let kept = try await world.store.renew(own.map { servers[index].held[$0].batch.row }, lease: holder)
            for place in own where kept.contains(servers[index].held[place].batch.row) {
                servers[index].held[place].end = second + Self.leaseSeconds - Self.margin
            }
        }
        servers[index].held.removeAll { $0.end <= second && $0.answer == nil }
    }

    /// Pushes what a server holds, as long as it may.
    private func push(_ index: Int) {
        guard second < servers[index].heard + Self.presenceSeconds - Self.margin else { return }
        for place in servers[index].held.indices where servers[index].held[place].answer == nil {
            let held = servers[index].held[place]
            guard second < held.end else { continue }
            let delivery = held.batch.notification
            if ledger.recorded[delivery] != nil {
                ledger.doubled += 1
            } else if let last = ledger.pushes[delivery]?.last {
                if troubled.contains(last.server) { ledger.repeats.troubled += 1 } else { ledger.repeats.other += 1 }
            }
            ledger.pushes[delivery, default: []].append((second, servers[index].id))
            endWait(for: delivery)
            servers[index].pushes += 1
            servers[index].held[place].answer = second + Int.random(in: 1...8, using: &random)
        }
    }

    /// How many pushes the servers made that never had trouble: the fewest, the mean and the most.
    var shares: (least: Int, mean: Double, most: Int) {
        let pushes = servers.filter(\.isSteady).map(\.pushes)
        return (pushes.min() ?? 0, Double(pushes.reduce(0, +)) / Double(max(pushes.count, 1)), pushes.max() ?? 0)
    }
}
