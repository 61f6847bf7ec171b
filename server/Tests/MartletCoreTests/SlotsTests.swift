import MartletWire
import Testing

@testable import MartletCore

@Suite struct LaneSlotsTests {
    static func lane(_ app: Int64) -> Lane { Lane(app: RowID(app), platform: .apns, environment: .production) }

    @Test("a lane takes its own share at most, and all lanes together the whole")
    func bounds() {
        let slots = LaneSlots(total: 24, perApp: 8, perLane: 8)
        #expect(slots.free(in: Self.lane(1)) == 8)
        for _ in 0..<8 { slots.take(1, in: Self.lane(1)) }
        #expect(slots.free(in: Self.lane(1)) == 0)
        #expect(slots.free(in: Self.lane(2)) == 8)
        for _ in 0..<8 { slots.take(1, in: Self.lane(2)) }
        #expect(slots.free(in: Self.lane(3)) == 4)
        slots.give(1, in: Self.lane(1))
        #expect(slots.free(in: Self.lane(1)) == 1)
        #expect(slots.batches == 15)
    }

    @Test("however many lanes hang with all that they may have, the next one finds room")
    func leavesRoom() {
        let slots = LaneSlots(total: 32_000, perApp: 16_000, perLane: 8_000)
        let taken = (1...8).map { slots.reserve(.max, in: Self.lane($0)) }
        #expect(taken == [8_000, 8_000, 8_000, 4_000, 2_000, 1_000, 500, 250])
        #expect((1...8).allSatisfy { slots.free(in: Self.lane($0)) == 0 })
    }

    @Test("what is reserved while batches are leased is nobody else's")
    func reserves() {
        let slots = LaneSlots(total: 16, perApp: 16, perLane: 8)
        #expect(slots.reserve(5, in: Self.lane(1)) == 5)
        #expect(slots.free(in: Self.lane(1)) == 3)
        #expect(slots.reserve(.max, in: Self.lane(1)) == 3)
        #expect(slots.takeOfFirstHalf(1, in: Self.lane(1)) == false)
        #expect(slots.batches == 0)
        slots.take(4, in: Self.lane(1))
        for weight in [5, 3] { slots.release(weight, in: Self.lane(1)) }
        #expect(slots.free(in: Self.lane(1)) == 4)
        slots.give(4, in: Self.lane(1))
        #expect(slots.free(in: Self.lane(1)) == 8 && slots.free(in: Self.lane(2)) == 8)
    }

    @Test("the lane with the least under way comes first, so that no backlog of others keeps it waiting")
    func leastTakenFirst() {
        let slots = LaneSlots(total: 16, perApp: 16, perLane: 8)
        for _ in 0..<7 { slots.take(1, in: Self.lane(1)) }
        for _ in 0..<8 { slots.take(1, in: Self.lane(2)) }
        let due = [Self.lane(1), Self.lane(2), Self.lane(3), Self.lane(4)]
        let order = slots.leastTakenFirst(due)
        #expect(Set(order.prefix(2)) == [Self.lane(3), Self.lane(4)])
        #expect(order.suffix(2) == [Self.lane(1), Self.lane(2)])
    }

    @Test("lanes that wait share what is free, each at least one")
    func shares() {
        let slots = LaneSlots(total: 10, perApp: 10, perLane: 8)
        #expect(slots.share(amongLanes: 1) == 10)
        #expect(slots.share(amongLanes: 3) == 3)
        #expect(slots.share(amongLanes: 50) == 1)
        for _ in 0..<8 { slots.take(1, in: Self.lane(1)) }
        #expect(slots.share(amongLanes: 2) == 1)
    }

    @Test("all lanes of an app together leave room for other apps")
    func boundsApp() {
        let slots = LaneSlots(total: 32, perApp: 16, perLane: 8)
        var sandbox = Self.lane(1)
        sandbox.environment = .sandbox
        var fcm = Self.lane(1)
        fcm.platform = .fcm
        for _ in 0..<8 { slots.take(1, in: Self.lane(1)) }
        for _ in 0..<6 { slots.take(1, in: sandbox) }
        #expect(slots.free(in: fcm) == 2)
        for _ in 0..<2 { slots.take(1, in: fcm) }
        #expect(slots.free(in: fcm) == 0)
        #expect(slots.free(in: sandbox) == 0)
        #expect(slots.free(in: Self.lane(2)) == 8)
        slots.give(1, in: sandbox)
        #expect(slots.free(in: fcm) == 1)
        #expect(slots.batches(in: sandbox) == 5)
    }
}

@Suite struct BatchRoomTests {
    @Test("there is room until it is used up; a small batch counts for more than its deliveries")
    func bounds() {
        var room = BatchRoom(batches: 3, deliveries: 150)
        room.take(1)
        #expect(room == BatchRoom(batches: 2, deliveries: 50))
        room.take(1_000)
        #expect(!room.isFree)
        #expect(!BatchRoom(batches: 0, deliveries: 50).isFree)
        #expect(BatchRoom(batches: 10_000).batches == BatchRoom.batchLimit)
    }
}

@Suite struct FanOutSlotsTests {
    @Test("an app's audiences leave room for those of others")
    func bounds() {
        let slots = FanOutSlots(total: 3, perApp: 2)
        let (one, two): (RowID<App>, RowID<App>) = (RowID(1), RowID(2))
        slots.take(one)
        #expect(slots.share.room(for: one) == 1)
        slots.take(one)
        #expect(slots.share.room(for: one) == 0)
        #expect(slots.share.room(for: two) == 2)
        #expect(slots.free == 1)
        slots.give(one)
        #expect(slots.share.room(for: one) == 1)
        #expect(slots.free == 2)
    }
}

@Suite struct BatchGroupTests {
    private static func batch(_ members: Int) -> Batch {
        Batch(
            row: RowID(1),
            notification: RowID(1),
            notificationID: PublicID(high: 0, low: 0),
            lane: LaneSlotsTests.lane(1),
            isEnvironmentKnown: true,
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
