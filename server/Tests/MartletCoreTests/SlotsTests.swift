import Testing

@testable import MartletCore

@Suite struct LaneSlotsTests {
    static func lane(_ app: Int64) -> Lane { Lane(app: RowID(app), platform: .apns, environment: .production) }

    @Test("a lane takes its own share at most, and all lanes together the whole")
    func bounds() {
        let slots = LaneSlots(total: 10, perLane: 8)
        #expect(slots.free(in: Self.lane(1)) == 8)
        slots.take(8, in: Self.lane(1))
        #expect(slots.free(in: Self.lane(1)) == 0)
        #expect(slots.free(in: Self.lane(2)) == 2)
        slots.give(in: Self.lane(1))
        #expect(slots.free(in: Self.lane(1)) == 1)
        #expect(slots.taken == 7)
    }

    @Test("the lane with the least under way comes first, so that no backlog of others keeps it waiting")
    func leastTakenFirst() {
        let slots = LaneSlots(total: 16, perLane: 8)
        slots.take(7, in: Self.lane(1))
        slots.take(8, in: Self.lane(2))
        let due = [Self.lane(1), Self.lane(2), Self.lane(3), Self.lane(4)]
        let order = slots.leastTakenFirst(due)
        #expect(Set(order.prefix(2)) == [Self.lane(3), Self.lane(4)])
        #expect(order.suffix(2) == [Self.lane(1), Self.lane(2)])
    }

    @Test("lanes that wait share what is free, each at least one")
    func shares() {
        let slots = LaneSlots(total: 10, perLane: 8)
        #expect(slots.share(amongLanes: 1) == 10)
        #expect(slots.share(amongLanes: 3) == 3)
        #expect(slots.share(amongLanes: 50) == 1)
        slots.take(8, in: Self.lane(1))
        #expect(slots.share(amongLanes: 2) == 1)
    }
}
