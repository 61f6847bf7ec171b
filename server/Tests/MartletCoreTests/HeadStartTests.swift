import MartletWire
import Testing

@testable import MartletCore

@Suite struct HeadStartTests {
    static func lane(_ app: Int64) -> Lane { LaneSlotsTests.lane(app) }

    static func desk(_ slots: LaneSlots, _ breakers: LaneBreakers = LaneBreakers()) -> HeadStarts.Desk {
        HeadStarts.Desk(
            lease: Lease(holder: 7),
            slots: slots,
            inHand: BatchesInHand(),
            breakers: breakers,
            clock: SystemClock()
        )
    }

    static func batch() -> Batch {
        Batch(
            row: RowID(1),
            notification: RowID(1),
            notificationID: PublicID(high: 0, low: 0),
            lane: Self.lane(1),
            isEnvironmentKnown: true,
            attempts: 0,
            expiresAt: Timestamp(milliseconds: 1),
            isCancelled: false,
            retry: .standard,
            members: [Member(endpoint: RowID(1), user: nil)]
        )
    }

    @Test("head starts leave half of what a lane, an app and all may have to what waits")
    func half() {
        let slots = LaneSlots(total: 1_200, perApp: 1_000, perLane: 600)
        let desk = Self.desk(slots)
        #expect((0..<4).map { _ in desk.take(1, in: Self.lane(1)) } == [true, true, true, false])
        var sandbox = Self.lane(1)
        sandbox.environment = .sandbox
        #expect((0..<3).map { _ in desk.take(1, in: sandbox) } == [true, true, false])
        #expect((0..<2).map { _ in desk.take(1, in: Self.lane(2)) } == [true, false])
        desk.give(1, in: Self.lane(1))
        #expect(desk.take(101, in: Self.lane(1)) == false)
        #expect(desk.take(100, in: Self.lane(1)))
        #expect(slots.batches == 6)
    }

    @Test("a lane whose breaker is not closed gives no head starts")
    func breaker() {
        let breakers = LaneBreakers()
        let desk = Self.desk(LaneSlots(total: 10_000, perApp: 10_000, perLane: 10_000), breakers)
        #expect(desk.take(1, in: Self.lane(1)))
        let silent = Outcome.retry(.init(reason: "Timeout", kind: .provider))
        breakers.note(Array(repeating: silent, count: Breaker.burst), in: Self.lane(1), of: "", at: desk.clock.now())
        #expect(breakers.width(of: Self.lane(1), at: desk.clock.now()) != nil)
        #expect(desk.take(1, in: Self.lane(1)) == false)
        #expect(desk.take(1, in: Self.lane(2)))
    }

    @Test("a lane in which older work waits gives no head starts, until nothing waits any more")
    func backlog() {
        let slots = LaneSlots(total: 10_000, perApp: 10_000, perLane: 10_000)
        let desk = Self.desk(slots)
        slots.note(behind: [Self.lane(1)])
        #expect(desk.take(1, in: Self.lane(1)) == false)
        #expect(desk.take(1, in: Self.lane(2)))
        slots.note(behind: [])
        #expect(desk.take(1, in: Self.lane(1)))
    }

    @Test("what was taken is given back once")
    func givesBack() {
        let slots = LaneSlots(total: 2_000, perApp: 1_000, perLane: 1_000)
        let starts = HeadStarts()
        starts.open(Self.desk(slots))
        let start = starts.begin()
        #expect(start?.lease == Lease(holder: 7))
        #expect(start?.take(1, in: Self.lane(1)) == true)
        #expect(start?.take(150, in: Self.lane(2)) == true)
        #expect(slots.batches == 2)
        start?.giveBack()
        start?.giveBack()
        #expect(slots.batches == 0)
        #expect(slots.free(in: Self.lane(2)) == 1_000)
    }

    @Test("a batch that the dispatcher found first is not begun a second time, and its room is given back")
    func secondComer() throws {
        let slots = LaneSlots(total: 2_000, perApp: 1_000, perLane: 1_000)
        let starts = HeadStarts()
        let desk = Self.desk(slots)
        starts.open(desk)
        let start = try #require(starts.begin())
        #expect(start.take(1, in: Self.lane(1)))
        #expect(desk.inHand.begin([Self.batch()]) == [Self.batch()])
        starts.hand([Self.batch()], of: start)
        #expect(starts.takeWaiting() == [])
        #expect(slots.batches == 0)
        desk.inHand.end(Self.batch())
        #expect(desk.inHand.begin([Self.batch()]) == [Self.batch()])
    }

    @Test("without a dispatcher there are no head starts, and what comes after it has gone gives its room back")
    func closed() throws {
        let slots = LaneSlots(total: 1_000, perApp: 1_000, perLane: 1_000)
        let starts = HeadStarts()
        #expect(starts.begin() == nil)
        let desk = Self.desk(slots)
        starts.open(desk)
        let batch = Self.batch()
        let (first, second) = (try #require(starts.begin()), try #require(starts.begin()))
        #expect(first.take(1, in: Self.lane(1)) && second.take(1, in: Self.lane(1)))
        starts.hand([batch], of: first)
        #expect(desk.inHand.rows == [batch.row])
        starts.close()
        starts.hand([batch], of: second)
        #expect(starts.begin() == nil)
        #expect(starts.takeWaiting() == [batch])
        #expect(starts.takeWaiting().isEmpty)
        #expect(slots.batches == 1)
    }
}
