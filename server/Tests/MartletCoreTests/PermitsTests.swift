import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite struct PermitsTests {
    struct Line: Sendable, CustomTestStringConvertible {
        var name: String
        var left: Int
        var taken = 0
        var free: Int

        var testDescription: String { name }
    }

    static let table = [
        Line(name: "eight for a queue that has none", left: 64, free: 8),
        Line(name: "those under way count", left: 61, taken: 3, free: 5),
        Line(name: "all that it may have are under way", left: 56, taken: 8, free: 0),
        Line(name: "as many as are left for others", left: 8, free: 4),
        Line(name: "as many as are left, under way with it", left: 7, taken: 7, free: 0),
        Line(name: "the last one", left: 1, free: 1),
        Line(name: "none", left: 0, free: 0),
    ]

    @Test("a queue has its share, and no more than is left beside it", arguments: table)
    func shares(_ line: Line) {
        var permits = Permits<String>(total: line.left + line.taken, perQueue: 8)
        permits.acquire(line.taken, in: "a")
        #expect(permits.free(in: "a") == line.free)
    }

    @Test("eight queues never use up all, however they take it", arguments: [(1, 7), (8, 4)])
    func eight(atOnce: Int, left: Int) {
        var permits = Permits<Int>(total: 64, perQueue: 8)
        for _ in 0..<10 {
            for queue in 0..<8 { permits.acquire(min(atOnce, permits.free(in: queue)), in: queue) }
        }
        #expect(permits.left == left)
        #expect(permits.free(in: 8) == (left + 1) / 2)
        for (queue, weight) in permits.taken { permits.release(weight, in: queue) }
        #expect(permits == Permits(total: 64, perQueue: 8))
    }
}

@Suite struct QueuePermitsTests {
    @Test("a queue takes its own share at most, and all queues together the whole")
    func bounds() {
        let permits = QueuePermits(total: 24, perApp: 8, perQueue: 8)
        #expect(permits.free(in: DeliveryQueue.sample(1)) == 8)
        for _ in 0..<8 { permits.acquire(1, in: DeliveryQueue.sample(1)) }
        #expect(permits.free(in: DeliveryQueue.sample(1)) == 0)
        #expect(permits.free(in: DeliveryQueue.sample(2)) == 8)
        for _ in 0..<8 { permits.acquire(1, in: DeliveryQueue.sample(2)) }
        #expect(permits.free(in: DeliveryQueue.sample(3)) == 4)
        permits.release(1, in: DeliveryQueue.sample(1))
        #expect(permits.free(in: DeliveryQueue.sample(1)) == 1)
        #expect(permits.batches == 15)
    }

    @Test("however many queues hang with all that they may have, the next one finds capacity")
    func leavesRoom() {
        let permits = QueuePermits(total: 32_000, perApp: 16_000, perQueue: 8_000)
        let taken = (1...8).map { permits.reserve(.max, in: DeliveryQueue.sample($0)) }
        #expect(taken == [8_000, 8_000, 8_000, 4_000, 2_000, 1_000, 500, 250])
        #expect((1...8).allSatisfy { permits.free(in: DeliveryQueue.sample($0)) == 0 })
    }

    @Test("what is reserved while batches are leased is nobody else's")
    func reserves() {
        let permits = QueuePermits(total: 16, perApp: 16, perQueue: 8)
        #expect(permits.reserve(5, in: DeliveryQueue.sample(1)) == 5)
        #expect(permits.free(in: DeliveryQueue.sample(1)) == 3)
        #expect(permits.reserve(.max, in: DeliveryQueue.sample(1)) == 3)
        #expect(permits.acquireOfFirstHalf(1, in: DeliveryQueue.sample(1)) == false)
        #expect(permits.batches == 0)
        permits.acquire(4, in: DeliveryQueue.sample(1))
        for weight in [5, 3] { permits.release(weight, in: DeliveryQueue.sample(1)) }
        #expect(permits.free(in: DeliveryQueue.sample(1)) == 4)
        permits.release(4, in: DeliveryQueue.sample(1))
        #expect(permits.free(in: DeliveryQueue.sample(1)) == 8 && permits.free(in: DeliveryQueue.sample(2)) == 8)
    }

    @Test("the queue with the least under way comes first, so that no backlog of others keeps it waiting")
    func leastTakenFirst() {
        let permits = QueuePermits(total: 16, perApp: 16, perQueue: 8)
        for _ in 0..<7 { permits.acquire(1, in: DeliveryQueue.sample(1)) }
        for _ in 0..<8 { permits.acquire(1, in: DeliveryQueue.sample(2)) }
        let due = [DeliveryQueue.sample(1), DeliveryQueue.sample(2), DeliveryQueue.sample(3), DeliveryQueue.sample(4)]
        let order = permits.leastTakenFirst(due)
        #expect(Set(order.prefix(2)) == [DeliveryQueue.sample(3), DeliveryQueue.sample(4)])
        #expect(order.suffix(2) == [DeliveryQueue.sample(1), DeliveryQueue.sample(2)])
    }

    @Test("queues that wait share what is free, each at least one")
    func shares() {
        let permits = QueuePermits(total: 10, perApp: 10, perQueue: 8)
        #expect(permits.share(amongQueues: 1) == 10)
        #expect(permits.share(amongQueues: 3) == 3)
        #expect(permits.share(amongQueues: 50) == 1)
        for _ in 0..<8 { permits.acquire(1, in: DeliveryQueue.sample(1)) }
        #expect(permits.share(amongQueues: 2) == 1)
    }

    @Test("all queues of an app together leave capacity for other apps")
    func boundsApp() {
        let permits = QueuePermits(total: 32, perApp: 16, perQueue: 8)
        var sandbox = DeliveryQueue.sample(1)
        sandbox.environment = .sandbox
        var fcm = DeliveryQueue.sample(1)
        fcm.platform = .fcm
        for _ in 0..<8 { permits.acquire(1, in: DeliveryQueue.sample(1)) }
        for _ in 0..<6 { permits.acquire(1, in: sandbox) }
        #expect(permits.free(in: fcm) == 2)
        for _ in 0..<2 { permits.acquire(1, in: fcm) }
        #expect(permits.free(in: fcm) == 0)
        #expect(permits.free(in: sandbox) == 0)
        #expect(permits.free(in: DeliveryQueue.sample(2)) == 8)
        permits.release(1, in: sandbox)
        #expect(permits.free(in: fcm) == 1)
        #expect(permits.batches(in: sandbox) == 5)
    }
}

@Suite struct BatchCapacityTests {
    @Test("there is capacity until it is used up; a small batch counts for more than its deliveries")
    func bounds() {
        var capacity = BatchCapacity(batches: 3, deliveries: 150)
        capacity.take(1)
        #expect(capacity == BatchCapacity(batches: 2, deliveries: 150 - BatchCapacity.leastWeight))
        capacity.take(1_000)
        #expect(!capacity.isFree)
        #expect(!BatchCapacity(batches: 0, deliveries: 50).isFree)
        #expect(BatchCapacity(batches: 10_000).batches == BatchCapacity.batchLimit)
    }
}

@Suite struct FanOutPermitsTests {
    @Test("an app's audiences leave capacity for those of others")
    func bounds() {
        let permits = FanOutPermits(total: 3, perApp: 2)
        let (one, two): (RowID<App>, RowID<App>) = (RowID(1), RowID(2))
        permits.acquire(one)
        #expect(permits.share.capacity(for: one) == 1)
        permits.acquire(one)
        #expect(permits.share.capacity(for: one) == 0)
        #expect(permits.share.capacity(for: two) == 2)
        #expect(permits.free == 1)
        permits.release(one)
        #expect(permits.share.capacity(for: one) == 1)
        #expect(permits.free == 2)
    }
}

@Suite struct BatchGroupTests {
    static func batch(_ members: Int) -> Batch { batch(members, .default) }

    static func batch(_ members: Int, _ class: NotificationClass) -> Batch {
        Batch(
            row: RowID(1),
            notification: RowID(1),
            notificationID: PublicID(high: 0, low: 0),
            queue: DeliveryQueue.sample(1),
            isEnvironmentKnown: true,
            class: `class`,
            attempts: 0,
            expiresAt: Timestamp(milliseconds: 0),
            isCancelled: false,
            retry: .standard,
            members: (0..<members).map { Member(endpoint: RowID(Int64($0)), user: nil) }
        )
    }

    @Test(
        "batches are read for together as far as they have a full one's members",
        arguments: [
            ([], []), ([1], [[1]]), ([1_000, 1_000], [[1_000], [1_000]]), ([1, 1, 1], [[1, 1, 1]]),
            ([999, 1, 1], [[999, 1], [1]]), ([1, 1_000, 1], [[1], [1_000], [1]]), ([600, 600], [[600], [600]]),
        ] as [([Int], [[Int]])]
    )
    func groups(members: [Int], groups: [[Int]]) {
        let found = Batch.groups(members.map(Self.batch))
        #expect(found.map { $0.map(\.members.count) } == groups)
    }
}

@Suite struct BulkTurnTests {
    /// Deliveries of a class that were leased one after another, and whether it is the turn of what is bulk then.
    @Test(
        "after nine full batches of others it is the turn of what is bulk",
        arguments: [
            ([(8, .default)], false), ([(9, .default)], true), ([(5, .transactional), (4, .default)], true),
            ([(9, .default), (1, .bulk)], false), ([(9, .bulk)], false),
            ([(5, .default), (1, .bulk), (8, .default)], false),
        ] as [([(Int, NotificationClass)], Bool)]
    )
    func turn(leased: [(Int, NotificationClass)], isDue: Bool) {
        let queue = DeliveryQueue.sample(1)
        var turn = BulkTurn()
        for (count, each) in leased {
            let batches = (0..<count).map { _ in BatchGroupTests.batch(1_000, each) }
            turn.note(batches, in: queue, wasTurn: false)
        }
        #expect(turn.isDue(in: queue) == isDue)
        #expect(!turn.isDue(in: DeliveryQueue.sample(2)))
    }

    @Test("a turn in which nothing waits is over, and a queue in which nothing is due is forgotten")
    func over() {
        let queue = DeliveryQueue.sample(1)
        let others = (0..<9).map { _ in BatchGroupTests.batch(1_000, .default) }
        var turn = BulkTurn()
        turn.note(others, in: queue, wasTurn: false)
        turn.note([], in: queue, wasTurn: true)
        #expect(!turn.isDue(in: queue))
        turn.note(others, in: queue, wasTurn: false)
        turn.keep([])
        #expect(turn == BulkTurn())
    }
}
