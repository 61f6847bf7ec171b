import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite struct BreakerTests {
    static let start = Timestamp(milliseconds: 1_000_000)
    static let refused = Outcome.retry(.init(reason: "connection refused", kind: .connection))
    static let unavailable = Outcome.retry(.init(reason: "ServiceUnavailable", kind: .provider))
    static let busyDevice = Outcome.retry(.init(reason: "TooManyRequests", kind: .rateLimited))
    static let ownHost = Outcome.retry(.init(reason: "HTTP 503", kind: .host))
    static let throttled = Outcome.retry(.init(reason: "HTTP 429", kind: .overloaded))
    static let reroute = Outcome.reroute(reason: "GOAWAY")
    static let gone = Outcome.rejected(.init(reason: "Unregistered"))
    static let wrongKey = Outcome.misconfigured(.init(reason: "InvalidProviderToken", advice: ""))

    /// What comes back, each so many times and so long after the one before.
    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answers: [(outcome: Outcome, count: Int, every: Duration)]
        var opens: Bool

        init(_ name: String, opens: Bool, _ answers: (Outcome, Int, Duration)...) {
            testDescription = name
            self.answers = answers.map { (outcome: $0.0, count: $0.1, every: $0.2) }
            self.opens = opens
        }
    }

    static let stories = [
        Story("a hundred refused connections at once", opens: true, (refused, 100, .zero)),
        Story("ninety-nine of them", opens: false, (refused, 99, .zero)),
        Story("ten within a second", opens: false, (refused, 10, .milliseconds(100))),
        Story("eleven, which take a second", opens: true, (refused, 11, .milliseconds(100))),
        Story("three over fifteen seconds", opens: true, (refused, 4, .seconds(5))),
        Story("two of them", opens: false, (refused, 2, .seconds(20))),
        Story("three with a word of the provider's", opens: false, (refused, 2, .seconds(9)), (unavailable, 1, .zero)),
        Story("nine over an hour", opens: false, (unavailable, 9, .seconds(400))),
        Story("ten over an hour", opens: true, (unavailable, 10, .seconds(360))),
        Story("503 to every device", opens: true, (unavailable, 100, .zero)),
        Story("503 of devices' own push services", opens: false, (ownHost, 100, .seconds(1))),
        Story("429 to everything", opens: true, (throttled, 100, .zero)),
        Story(
            "503 to many devices with answers to others in between",
            opens: false,
            (unavailable, 99, .zero),
            (.accepted, 1, .zero),
            (unavailable, 99, .zero),
            (gone, 1, .zero),
            (unavailable, 99, .zero)
        ),
        Story("429 to every device", opens: false, (busyDevice, 1_000, .seconds(1))),
        Story("requests that were not processed", opens: false, (reroute, 1_000, .seconds(1))),
        Story("a refused credential, which pauses the queue", opens: false, (wrongKey, 1_000, .seconds(1))),
        Story("tokens that are gone", opens: false, (gone, 1_000, .seconds(1))),
        Story(
            "failures with a wrong credential in between",
            opens: false,
            (refused, 99, .zero),
            (wrongKey, 1, .zero),
            (refused, 99, .zero)
        ),
        Story(
            "failures with unprocessed requests in between",
            opens: true,
            (refused, 50, .zero),
            (reroute, 50, .zero),
            (refused, 50, .zero)
        ),
    ]

    @Test("it opens for a provider that answers nobody, and for nothing else", arguments: stories)
    func opens(_ story: Story) {
        var breaker = Breaker()
        var now = Self.start
        for (outcome, count, every) in story.answers {
            for _ in 0..<count {
                breaker.note([outcome], at: now, jitter: 1)
                now = now + every
            }
        }
        #expect((breaker.state != .closed) == story.opens)
        #expect((breaker.width(at: now) == nil) == !story.opens)
    }

    /// A breaker that opened once, at the start.
    static func opened() -> Breaker {
        var breaker = Breaker()
        for _ in 0..<Breaker.burst { breaker.note([refused], at: start, jitter: 1) }
        return breaker
    }

    /// Leases one batch, has it answered, and ends it.
    static func run(_ breaker: inout Breaker, _ outcome: Outcome?, at now: Timestamp, jitter: Double = 1) {
        breaker.lease(at: now)
        if let outcome { breaker.note([outcome], at: now, jitter: jitter) }
        breaker.end(share: 8, at: now, jitter: jitter)
    }

    @Test("while it is open nothing is leased, and after the delay one batch is")
    func probes() {
        var breaker = Self.opened()
        #expect(breaker.since == Self.start)
        #expect(breaker.reason == "connection refused")
        #expect(breaker.width(at: Self.start) == 0)
        #expect(breaker.width(at: Self.start + .milliseconds(999)) == 0)
        #expect(breaker.width(at: Self.start + .seconds(1)) == 1)
        breaker.lease(at: Self.start + .seconds(1))
        #expect(breaker.state == .probing)
        #expect(breaker.width(at: Self.start + .seconds(1)) == 1)
    }

    @Test("each probe that fails doubles the delay, up to a minute, whatever the size of the batch")
    func delaysGrow() {
        var breaker = Self.opened()
        var now = Self.start
        var delays: [Int64] = []
        for _ in 0..<9 {
            guard case .open(let until) = breaker.state else { break }
            delays.append((until - now).milliseconds)
            now = until
            Self.run(&breaker, Self.refused, at: now)
        }
        #expect(delays == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
        #expect(breaker.since == Self.start)
    }

    @Test("a delay has jitter, so that queues that opened together do not try together")
    func jitters() {
        var breaker = Breaker()
        for _ in 0..<Breaker.burst { breaker.note([Self.refused], at: Self.start, jitter: 1.2) }
        #expect(breaker.state == .open(until: Self.start + .milliseconds(1_200)))
    }

    @Test("one answer to the probe lets the backlog through: one batch, two, four, up to the share; then it is closed")
    func recovers() {
        var breaker = Self.opened()
        let now = Self.start + .seconds(1)
        Self.run(&breaker, .accepted, at: now)
        var widths = [breaker.width(at: now)]
        while let width = breaker.width(at: now), widths.count < 10 {
            for _ in 0..<width { Self.run(&breaker, .accepted, at: now) }
            widths.append(breaker.width(at: now))
        }
        #expect(widths == [2, 4, 8, nil])
        #expect(breaker == Breaker())
    }

    @Test("a provider that fails again while the backlog goes through is left alone for longer than before")
    func failsAgain() {
        var breaker = Self.opened()
        let now = Self.start + .seconds(1)
        Self.run(&breaker, .accepted, at: now)
        for _ in 0..<Breaker.burst { breaker.note([Self.refused], at: now, jitter: 1) }
        #expect(breaker.state == .open(until: now + .seconds(2)))
        #expect(breaker.openings == 2)
        #expect(breaker.since == now, "it is another trouble, since there were answers")
    }

    @Test("a batch that fails while the backlog goes through adds no room")
    func addsNoRoom() {
        var breaker = Self.opened()
        let now = Self.start + .seconds(1)
        Self.run(&breaker, .accepted, at: now)
        Self.run(&breaker, Self.refused, at: now)
        #expect(breaker.state == .recovering(width: 2))
    }

    @Test("a probe that had nothing to send, because it was cancelled, decides nothing")
    func emptyProbe() {
        var breaker = Self.opened()
        let now = Self.start + .seconds(1)
        Self.run(&breaker, nil, at: now)
        #expect(breaker.state == .probing)
        #expect(breaker.width(at: now) == 1)
    }

    @Test("what was sent before it opened decides nothing, whatever becomes of it")
    func lateAnswers() {
        var breaker = Self.opened()
        let state = breaker.state
        breaker.note([.accepted], at: Self.start, jitter: 1)
        for _ in 0..<Breaker.burst { breaker.note([Self.refused], at: Self.start, jitter: 1) }
        breaker.end(share: 8, at: Self.start, jitter: 1)
        #expect(breaker.state == state)
        #expect(breaker.openings == 1)
    }

    @Test("one whose provider answers again and that has nothing to do for five minutes is closed")
    func forgetsRecovery() {
        var breaker = Self.opened()
        let last = Self.start + .seconds(200)
        Self.run(&breaker, .accepted, at: last)
        breaker.forget(at: last + Breaker.memory - .milliseconds(1))
        #expect(breaker.state == .recovering(width: 2))
        breaker.forget(at: last + Breaker.memory)
        #expect(breaker == Breaker())
    }

    @Test("one whose provider does not answer is remembered for longer than any retry waits", arguments: [false, true])
    func forgetsSilence(isProbing: Bool) {
        var breaker = Self.opened()
        let last = isProbing ? Self.start + .seconds(200) : Self.start
        if isProbing { breaker.lease(at: last) }
        #expect(Breaker.memoryOfSilence > .seconds(21_600) * RetryPolicy.jitter.upperBound)
        breaker.forget(at: last + Breaker.memoryOfSilence - .milliseconds(1))
        #expect(breaker.state != .closed)
        breaker.forget(at: last + Breaker.memoryOfSilence)
        #expect(breaker == Breaker())
    }

    @Test(
        "a queue whose backlog expired while its provider was gone is shown as closed in the end, and sent to as usual"
    )
    func forgottenQueue() {
        let queue = DeliveryQueue(app: RowID(1), platform: .apns, environment: .production)
        let breakers = QueueBreakers()
        breakers.note(repeatElement(Self.refused, count: 100), in: queue, of: "", at: Self.start)
        #expect(breakers.all(at: Self.start)[queue]?.reasonWord == ReasonWords.connection)
        let later = Self.start + Breaker.memoryOfSilence
        #expect(breakers.width(of: queue, at: later) == nil)
        #expect(breakers.all(at: later)[queue] == Breaker())
    }

    @Test("a clock that is set back by an hour does not keep it open for an hour")
    func clockSetBack() {
        #expect(Self.opened().width(at: Self.start - .seconds(3_600)) == 1)
    }

    @Test(
        "answers that came together are no row: it opens where hardly any is good, in whatever order they came",
        arguments: [(800, 200, false), (100, 900, false), (50, 950, true), (0, 1_000, true), (1, 10, false)]
    )
    func together(good: Int, bad: Int, opens: Bool) {
        let queue = DeliveryQueue(app: RowID(1), platform: .apns, environment: .production)
        for order in [[true, false], [false, true]] {
            let breakers = QueueBreakers()
            let outcomes = order.flatMap { isGood in
                Array(repeating: isGood ? Outcome.accepted : Self.unavailable, count: isGood ? good : bad)
            }
            breakers.note(outcomes, in: queue, of: "", at: Self.start)
            #expect((breakers.width(of: queue, at: Self.start) != nil) == opens)
        }
    }

    @Test("each queue has its own: one that opens stops no other")
    func queues() {
        let breakers = QueueBreakers()
        let dead = DeliveryQueue(app: RowID(1), platform: .apns, environment: .production)
        let others = [
            DeliveryQueue(app: RowID(1), platform: .apns, environment: .sandbox),
            DeliveryQueue(app: RowID(1), platform: .fcm, environment: .production),
            DeliveryQueue(app: RowID(2), platform: .apns, environment: .production),
        ]
        breakers.note(repeatElement(Self.refused, count: 100), in: dead, of: "", at: Self.start)
        #expect(breakers.width(of: dead, at: Self.start) == 0)
        for queue in others { #expect(breakers.width(of: queue, at: Self.start) == nil) }
        #expect(Array(breakers.all(of: RowID(1), at: Self.start).keys) == [dead])
        breakers.probe([dead])
        #expect(breakers.width(of: dead, at: Self.start) == 1)
    }

    @Test("what another process opened is open here until the same moment, and probed when that closes it")
    func sharedBreakers() {
        let queue = DeliveryQueue.sample(1)
        let now = Timestamp(milliseconds: 1_000_000)
        let breakers = QueueBreakers()
        let other = SharedBreaker(queue: queue, until: now + .seconds(30), openings: 2, reason: "Shutdown")
        breakers.adopt([other], at: now)
        #expect(breakers.width(of: queue, at: now) == 0)
        #expect(breakers.width(of: queue, at: now + .seconds(30)) == 1)
        #expect(breakers.shared().isEmpty)
        breakers.adopt([], at: now + .seconds(1))
        #expect(breakers.width(of: queue, at: now + .seconds(1)) == 1)
    }

    @Test("a breaker that two processes opened stays open in both, however often they tell each other")
    func bothOpened() {
        let queue = DeliveryQueue.sample(1)
        let now = Timestamp(milliseconds: 1_000_000)
        let silent = Outcome.retry(.init(reason: "Timeout", kind: .provider))
        let (one, other) = (QueueBreakers(), QueueBreakers())
        for breakers in [one, other] {
            breakers.note(Array(repeating: silent, count: Breaker.burst), in: queue, of: "", at: now)
        }
        for _ in 0..<4 {
            let (ones, others) = (one.shared(), other.shared())
            one.adopt(others, at: now)
            other.adopt(ones, at: now)
            #expect(one.width(of: queue, at: now) == 0)
            #expect(other.width(of: queue, at: now) == 0)
        }
    }

    @Test("a breaker that this process opened is told of, and one that it probes takes no other's word")
    func ownBreakers() {
        let queue = DeliveryQueue.sample(1)
        let now = Timestamp(milliseconds: 1_000_000)
        let breakers = QueueBreakers()
        let silent = Outcome.retry(.init(reason: "Timeout", kind: .provider))
        breakers.note(Array(repeating: silent, count: Breaker.burst), in: queue, of: "", at: now)
        #expect(breakers.shared().map(\.queue) == [queue])
        #expect(breakers.shared().map(\.openings) == [1])
        let due = now + .seconds(10)
        breakers.lease(in: queue, at: due)
        let other = SharedBreaker(queue: queue, until: due + .seconds(60), openings: 5, reason: nil)
        breakers.adopt([other], at: due)
        #expect(breakers.width(of: queue, at: due) == 1)
    }
}
