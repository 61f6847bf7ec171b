import MartletCore
import Testing

@testable import MartletSNS
@testable import MartletWebhooks

@Suite("The turns of subscriptions that take so many messages a second")
struct SubscriptionTurnsTests {
    private static func moment(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_000_000 + milliseconds) }

    @Test("come one after the other, each subscription by itself, and are taken once")
    func order() {
        var turns = SubscriptionTurns()
        func turn(_ delivery: Int64, _ subscription: Int64, at now: Int64) -> Timestamp? {
            turns.turn(of: RowID(delivery), to: RowID(subscription), perSecond: 2, now: Self.moment(now))
        }
        #expect(turn(1, 1, at: 0) == nil)
        #expect(turn(2, 1, at: 0) == Self.moment(500))
        #expect(turn(3, 1, at: 100) == Self.moment(1_000))
        #expect(turn(4, 2, at: 100) == nil)
        #expect(turn(2, 1, at: 500) == nil)
        #expect(turn(2, 1, at: 500) == Self.moment(1_500))
        #expect(turn(3, 1, at: 1_000) == nil)
    }

    @Test("are forgotten when nobody comes for them, and with them the subscriptions that are quiet")
    func forgets() {
        var turns = SubscriptionTurns()
        for delivery in 0..<100 {
            _ = turns.turn(of: RowID(Int64(delivery)), to: RowID(1), perSecond: 1, now: Self.moment(0))
        }
        #expect(turns.given.count == 99)
        let later = Self.moment(99_000) + SubscriptionTurns.timeout
        #expect(turns.turn(of: RowID(1_000), to: RowID(2), perSecond: 1, now: later) == nil)
        #expect(turns.given.isEmpty)
        #expect(turns.next.count == 1)
    }

    @Test("are given anew when the clock is set back, so that nobody waits for the time that was")
    func setBack() {
        var turns = SubscriptionTurns()
        func turn(_ delivery: Int64, at now: Int64) -> Timestamp? {
            turns.turn(of: RowID(delivery), to: RowID(1), perSecond: 2, now: Self.moment(now))
        }
        #expect(turn(1, at: 3_600_000) == nil)
        #expect(turn(2, at: 3_600_000) == Self.moment(3_600_500))
        #expect(turn(3, at: 0) == nil)
        #expect(turn(4, at: 0) == Self.moment(500))
    }

    @Test("are no more than so many; who finds no room asks again")
    func bound() {
        var turns = SubscriptionTurns()
        let limit = Int64(SubscriptionTurns.limit)
        for number in 0..<limit + 10 {
            _ = turns.turn(of: RowID(number), to: RowID(number), perSecond: 1, now: Self.moment(0))
        }
        #expect(turns.next.count == SubscriptionTurns.limit)
        let late = turns.turn(of: RowID(-1), to: RowID(limit + 5), perSecond: 1, now: Self.moment(1))
        #expect(late == Self.moment(1_001))
        for delivery in 0..<limit + 10 {
            _ = turns.turn(of: RowID(-10 - delivery), to: RowID(0), perSecond: 1, now: Self.moment(2))
        }
        #expect(turns.given.count == SubscriptionTurns.limit)
        #expect(turns.turn(of: RowID(-1), to: RowID(limit + 5), perSecond: 1, now: Self.moment(1_002)) == nil)
    }
}
