import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletPipeline

@Suite struct InlineDispatchTests {
    static func reservations(
        _ permits: QueuePermits,
        _ breakers: QueueBreakers = QueueBreakers(),
        urgent: QueuePermits = QueuePermits(total: 0, perApp: 0, perQueue: 0)
    ) -> InlineDispatch.Reservations {
        InlineDispatch.Reservations(
            lease: Lease(process: 7, holder: 7),
            permits: DeliveryPermits(ordinary: permits, urgent: urgent),
            breakers: breakers,
            clock: SystemClock()
        )
    }

    @Test("reservations leave half of what a queue, an app and all may have to what waits")
    func half() {
        // Of a queue three batches, of an app five, in all six.
        let limit = Reservation.limit
        let permits = QueuePermits(total: 12 * limit, perApp: 10 * limit, perQueue: 6 * limit)
        let reservations = Self.reservations(permits)
        #expect(
            (0..<4).map { _ in reservations.acquire(in: DeliveryQueue.sample(1), isUrgent: false) } == [
                true, true, true, false,
            ]
        )
        var sandbox = DeliveryQueue.sample(1)
        sandbox.environment = .sandbox
        #expect((0..<3).map { _ in reservations.acquire(in: sandbox, isUrgent: false) } == [true, true, false])
        #expect(
            (0..<2).map { _ in reservations.acquire(in: DeliveryQueue.sample(2), isUrgent: false) } == [true, false]
        )
        #expect(!reservations.release(in: DeliveryQueue.sample(1), isUrgent: false))
        #expect(reservations.acquire(in: DeliveryQueue.sample(1), isUrgent: false))
        #expect(permits.batches == 6)
    }

    @Test("requests that come together all begin at once", arguments: [4, 16, 64, 400])
    func together(count: Int) {
        let inlineDispatch = InlineDispatch()
        let permits = DeliveryPermits(DispatcherSettings())
        inlineDispatch.open(Self.reservations(permits.ordinary, urgent: permits.urgent))
        let reservations = (0..<count).compactMap { _ in
            inlineDispatch.begin([DeliveryQueue.sample(1)], of: .default)
        }
        #expect(reservations.count == count)
        for reservation in reservations { inlineDispatch.end(reservation, leased: []) }
        #expect(permits.batches == 0)
    }

    @Test("a queue whose breaker is not closed gives no reservations")
    func breaker() {
        let breakers = QueueBreakers()
        let reservations = Self.reservations(QueuePermits(total: 10_000, perApp: 10_000, perQueue: 10_000), breakers)
        #expect(reservations.acquire(in: DeliveryQueue.sample(1), isUrgent: false))
        let silent = Outcome.retry(.init(reason: "Timeout", kind: .provider))
        breakers.note(
            Array(repeating: silent, count: Breaker.burst),
            in: DeliveryQueue.sample(1),
            of: "",
            at: reservations.clock.now()
        )
        #expect(breakers.width(of: DeliveryQueue.sample(1), at: reservations.clock.now()) != nil)
        #expect(reservations.acquire(in: DeliveryQueue.sample(1), isUrgent: false) == false)
        #expect(reservations.acquire(in: DeliveryQueue.sample(2), isUrgent: false))
    }

    @Test("a queue in which older work waits gives no reservations, until nothing waits any more")
    func backlog() {
        let permits = QueuePermits(total: 10_000, perApp: 10_000, perQueue: 10_000)
        let reservations = Self.reservations(permits)
        _ = permits.note(behind: [DeliveryQueue.sample(1)], since: 0)
        #expect(reservations.acquire(in: DeliveryQueue.sample(1), isUrgent: false) == false)
        #expect(reservations.acquire(in: DeliveryQueue.sample(2), isUrgent: false))
        _ = permits.note(behind: [], since: 0)
        #expect(reservations.acquire(in: DeliveryQueue.sample(1), isUrgent: false))
    }

    @Test("whoever gives capacity back hears where other batches may have waited for it")
    func waitedFor() {
        let permits = QueuePermits(total: 1_000, perApp: 1_000, perQueue: 1_000)
        for _ in 0..<3 { permits.acquire(1, in: DeliveryQueue.sample(1)) }
        let releases = permits.releases
        #expect(!permits.release(1, in: DeliveryQueue.sample(1)))
        // Between the look and the note a batch was counted out, which may have been in the way.
        #expect(permits.note(behind: [DeliveryQueue.sample(2)], since: releases))
        #expect(!permits.note(behind: [DeliveryQueue.sample(2)], since: permits.releases))
        #expect(permits.release(1, in: DeliveryQueue.sample(1)))
        #expect(!permits.note(behind: [], since: releases))
        #expect(!permits.release(1, in: DeliveryQueue.sample(1)))
    }

    @Test("what is transactional begins at once where all that others may have is taken and more of them waits")
    func urgent() throws {
        let limit = Reservation.limit
        let (permits, urgent) = (
            QueuePermits(total: 1_000, perApp: 1_000, perQueue: 1_000),
            QueuePermits(total: 4 * limit, perApp: 4 * limit, perQueue: 2 * limit)
        )
        permits.acquire(1_000, in: DeliveryQueue.sample(1))
        _ = permits.note(behind: [DeliveryQueue.sample(1)], since: 0)
        let inlineDispatch = InlineDispatch()
        inlineDispatch.open(Self.reservations(permits, urgent: urgent))
        for other in [NotificationClass.default, .bulk] {
            #expect(inlineDispatch.begin([DeliveryQueue.sample(1)], of: other) == nil)
        }
        let reservation = try #require(inlineDispatch.begin([DeliveryQueue.sample(1)], of: .transactional))
        #expect(inlineDispatch.begin([DeliveryQueue.sample(1)], of: .transactional) == nil)
        inlineDispatch.end(reservation, leased: [])
        #expect(urgent.batches == 0)
        #expect(permits.batches == 1)
        #expect(inlineDispatch.begin([DeliveryQueue.sample(1)], of: .transactional) != nil)
    }

    @Test("what a submission did not need is given back")
    func givesBack() throws {
        let permits = QueuePermits(total: 2_000, perApp: 1_000, perQueue: 1_000)
        let inlineDispatch = InlineDispatch()
        inlineDispatch.open(Self.reservations(permits))
        let queues: Set = [DeliveryQueue.sample(1), DeliveryQueue.sample(2)]
        let reservation = try #require(inlineDispatch.begin(queues, of: .default))
        #expect(reservation.lease == Lease(process: 7, holder: 7))
        #expect(reservation.queues == queues && !reservation.isUrgent)
        #expect(permits.batches == 2)
        inlineDispatch.end(reservation, leased: [InlineBatch(batch: .sample())])
        #expect(permits.batches(in: DeliveryQueue.sample(1)) == 1)
        #expect(permits.batches == 1)
        #expect(inlineDispatch.takeWaiting().batches.map(\.batch) == [Batch.sample()])
    }

    @Test("without a dispatcher there are no reservations, and what comes after it has gone waits in the store")
    func closed() throws {
        let permits = QueuePermits(total: 1_000, perApp: 1_000, perQueue: 1_000)
        let inlineDispatch = InlineDispatch()
        #expect(inlineDispatch.begin([DeliveryQueue.sample(1)], of: .default) == nil)
        inlineDispatch.open(Self.reservations(permits))
        let batch = InlineBatch(batch: .sample())
        let (first, second) = (
            try #require(inlineDispatch.begin([DeliveryQueue.sample(1)], of: .default)),
            try #require(inlineDispatch.begin([DeliveryQueue.sample(1)], of: .default))
        )
        inlineDispatch.end(first, leased: [batch])
        inlineDispatch.close()
        inlineDispatch.end(second, leased: [batch])
        #expect(inlineDispatch.begin([DeliveryQueue.sample(1)], of: .default) == nil)
        #expect(inlineDispatch.takeWaiting().batches == [batch])
        #expect(inlineDispatch.takeWaiting().batches.isEmpty)
    }
}
