import MartletCore
import Testing

/// Until when leased work may be begun.
@Suite struct LeaseTermTests {
    @Test("a term counts from the beginning of the call that took or renewed it, and ends before the store's")
    func ends() {
        let now = ContinuousClock.now
        #expect(LeaseTerm(of: .seconds(30)).isOver, "nothing is leased yet")
        #expect(!LeaseTerm(of: .seconds(30), since: now).isOver)
        let old = LeaseTerm(of: .seconds(30), since: now - .seconds(29))
        #expect(old.isOver, "one second earlier than the store says")
        // A call that stood still for half a minute renewed nothing that still counts.
        old.renew(since: now - .seconds(29))
        #expect(old.isOver)
        old.renew(since: now)
        #expect(!old.isOver)
        old.renew(since: now - .seconds(20))
        #expect(!old.isOver, "an earlier call's answer that comes later takes nothing back")
    }
}
