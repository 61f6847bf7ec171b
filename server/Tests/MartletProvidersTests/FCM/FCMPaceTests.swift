import Testing

@testable import MartletProviders

@Suite("The pace of a project")
struct FCMPaceTests {
    private let start = ContinuousClock.now

    private func after(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(1) * seconds }

    /// How many of a great backlog go within a time, asking whenever the pace says so.
    private func sent(_ pace: inout FCMPace, from begin: Double, to end: Double) -> Int {
        var (now, sent) = (after(begin), 0)
        while now < after(end) {
            switch pace.take(1_000, isUrgent: false, at: now) {
            case .go(let count): sent += count
            case .wait(let time), .stop(let time): now += time
            }
        }
        return sent
    }

    @Test(
        "the rate grows from a tenth to the whole within a minute",
        arguments: [(0.0, 800.0), (30, 4_400), (60, 8_000), (90, 8_000)]
    )
    func ramp(second: Double, rate: Double) {
        let pace = FCMPace(rate: 8_000, now: start)
        #expect(abs(pace.rate(at: after(second)) - rate) < 1)
    }

    @Test("a backlog goes out at the rate, whatever asks")
    func steady() {
        var pace = FCMPace(rate: 8_000, now: start)
        let first = sent(&pace, from: 0, to: 60)
        // The rate's mean is 4,400.
        #expect((260_000...270_000).contains(first))
        #expect((79_000...81_500).contains(sent(&pace, from: 60, to: 70)))
    }

    @Test("a few pushes go at once")
    func few() {
        var pace = FCMPace(rate: 8_000, now: start)
        #expect(pace.take(3, isUrgent: false, at: start) == .go(3))
    }

    @Test("an urgent push goes at once, and the others make up for it")
    func urgent() {
        var pace = FCMPace(rate: 8_000, now: start)
        #expect(pace.take(800, isUrgent: true, at: start) == .go(800))
        guard case .wait(let time) = pace.take(800, isUrgent: false, at: start) else {
            Issue.record("it did not wait")
            return
        }
        #expect(time > .milliseconds(800))
        #expect(pace.take(1, isUrgent: true, at: start) == .go(1))
    }

    @Test("429 halves the rate once for what was sent before, and stops everything for as long as was asked")
    func exceeded() {
        var pace = FCMPace(rate: 8_000, now: start)
        _ = sent(&pace, from: 0, to: 60)
        let now = after(60)
        pace.exceeded(sentAt: after(59.9), pause: .seconds(7), at: now)
        pace.exceeded(sentAt: after(59.95), pause: .seconds(3), at: now)
        #expect(abs(pace.rate(at: now) - 4_000) < 1)
        #expect(pace.take(1, isUrgent: true, at: now) == .stop(.seconds(7)))
        #expect(pace.take(1, isUrgent: true, at: after(67)) == .go(1))
        pace.exceeded(sentAt: after(67), pause: .zero, at: after(67))
        #expect(pace.rate(at: after(67)) < 2_500)
    }

    @Test("after a minute without pushes it begins anew")
    func silence() {
        var pace = FCMPace(rate: 8_000, now: start)
        _ = sent(&pace, from: 0, to: 61)
        _ = pace.take(1, isUrgent: false, at: after(200))
        #expect(pace.rate(at: after(200)) < 801)
    }

    @Test("two devices within ten seconds are the project, one device twice is not")
    func witness() {
        var witness = QuotaWitness()
        let seen = [
            witness.note("a", at: after(0)), witness.note("a", at: after(1)), witness.note("b", at: after(2)),
            witness.note("c", at: after(20)), witness.note("d", at: after(29)),
        ]
        #expect(seen == [false, false, true, false, true])
    }
}
