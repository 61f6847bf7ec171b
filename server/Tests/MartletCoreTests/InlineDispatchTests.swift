import MartletWire
import Testing

@testable import MartletCore

@Suite struct InlineDispatchTests {
    static func queue(_ app: Int64) -> DeliveryQueue { QueuePermitsTests.queue(app) }

    static func reservations(_ permits: QueuePermits, _ breakers: QueueBreakers = QueueBreakers())
        -> InlineDispatch.Reservations
    {
        InlineDispatch.Reservations(
            lease: Lease(process: 7, holder: 7),
            permits: permits,
            breakers: breakers,
            clock: SystemClock()
        )
    }

    static func batch() -> Batch {
        Batch(
            row: RowID(1),
            notification: RowID(1),
            notificationID: PublicID(high: 0, low: 0),
            queue: Self.queue(1),
            isEnvironmentKnown: true,
            attempts: 0,
            expiresAt: Timestamp(milliseconds: 1),
            isCancelled: false,
            retry: .standard,
            members: [Member(endpoint: RowID(1), user: nil)]
        )
    }

    @Test("reservations leave half of what a queue, an app and all may have to what waits")
    func half() {
        let permits = QueuePermits(total: 1_200, perApp: 1_000, perQueue: 600)
        let reservations = Self.reservations(permits)
        #expect((0..<4).map { _ in reservations.take(1, in: Self.queue(1)) } == [true, true, true, false])
        var sandbox = Self.queue(1)
        sandbox.environment = .sandbox
        #expect((0..<3).map { _ in reservations.take(1, in: sandbox) } == [true, true, false])
        #expect((0..<2).map { _ in reservations.take(1, in: Self.queue(2)) } == [true, false])
        reservations.give(1, in: Self.queue(1))
        #expect(reservations.take(101, in: Self.queue(1)) == false)
        #expect(reservations.take(100, in: Self.queue(1)))
        #expect(permits.batches == 6)
    }

    @Test("a queue whose breaker is not closed gives no reservations")
    func breaker() {
        let breakers = QueueBreakers()
        let reservations = Self.reservations(QueuePermits(total: 10_000, perApp: 10_000, perQueue: 10_000), breakers)
        #expect(reservations.take(1, in: Self.queue(1)))
        let silent = Outcome.retry(.init(reason: "Timeout", kind: .provider))
        breakers.note(
            Array(repeating: silent, count: Breaker.burst),
            in: Self.queue(1),
            of: "",
            at: reservations.clock.now()
        )
        #expect(breakers.width(of: Self.queue(1), at: reservations.clock.now()) != nil)
        #expect(reservations.take(1, in: Self.queue(1)) == false)
        #expect(reservations.take(1, in: Self.queue(2)))
    }

    @Test("a queue in which older work waits gives no reservations, until nothing waits any more")
    func backlog() {
        let permits = QueuePermits(total: 10_000, perApp: 10_000, perQueue: 10_000)
        let reservations = Self.reservations(permits)
        permits.note(behind: [Self.queue(1)])
        #expect(reservations.take(1, in: Self.queue(1)) == false)
        #expect(reservations.take(1, in: Self.queue(2)))
        permits.note(behind: [])
        #expect(reservations.take(1, in: Self.queue(1)))
    }

    @Test("what was taken is given back once")
    func givesBack() {
        let permits = QueuePermits(total: 2_000, perApp: 1_000, perQueue: 1_000)
        let inlineDispatch = InlineDispatch()
        inlineDispatch.open(Self.reservations(permits))
        let reservation = inlineDispatch.begin()
        #expect(reservation?.lease == Lease(process: 7, holder: 7))
        #expect(reservation?.take(1, in: Self.queue(1)) == true)
        #expect(reservation?.take(150, in: Self.queue(2)) == true)
        #expect(permits.batches == 2)
        reservation?.giveBack()
        reservation?.giveBack()
        #expect(permits.batches == 0)
        #expect(permits.free(in: Self.queue(2)) == 1_000)
    }

    @Test("without a dispatcher there are no reservations, and what comes after it has gone gives its permits back")
    func closed() throws {
        let permits = QueuePermits(total: 1_000, perApp: 1_000, perQueue: 1_000)
        let inlineDispatch = InlineDispatch()
        #expect(inlineDispatch.begin() == nil)
        let reservations = Self.reservations(permits)
        inlineDispatch.open(reservations)
        let batch = Self.batch()
        let (first, second) = (try #require(inlineDispatch.begin()), try #require(inlineDispatch.begin()))
        #expect(first.take(1, in: Self.queue(1)) && second.take(1, in: Self.queue(1)))
        inlineDispatch.hand([batch], of: first)
        inlineDispatch.close()
        inlineDispatch.hand([batch], of: second)
        #expect(inlineDispatch.begin() == nil)
        #expect(inlineDispatch.takeWaiting() == [batch])
        #expect(inlineDispatch.takeWaiting().isEmpty)
        #expect(permits.batches == 1)
    }
}
