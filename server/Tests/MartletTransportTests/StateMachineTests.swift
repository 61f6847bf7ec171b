import NIOCore
import Synchronization
import Testing

@testable import MartletTransport

/// Decisions of one connection, as values.
struct ConnectionDecisionTests {
    private typealias Machine = HTTP2ClientConnection.StateMachine

    @Test(arguments: [(10, 5, 5), (5, 10, 5), (5, 0, 0), (1, 1, 1)])
    func theSmallerBoundHolds(cap: Int, peer: Int, limit: Int) {
        var machine = Machine(cap: cap, isWarm: nil)
        machine.settingsReceived(maxConcurrentStreams: peer)
        #expect(machine.streamLimit == limit)
    }

    @Test func warmingEndsWithAStatusThatSatisfies() {
        var machine = Machine(cap: 10) { $0 == 200 }
        #expect(machine.streamLimit == 1)
        machine.responseReceived(status: 403)
        #expect(machine.state == .warming)
        machine.responseReceived(status: 200)
        #expect(machine.state == .open)
        #expect(machine.streamLimit == 10)
    }

    @Test func warmingWithAPeerThatAllowsNothingSendsNothing() {
        var machine = Machine(cap: 10) { $0 == 200 }
        machine.settingsReceived(maxConcurrentStreams: 0)
        #expect(machine.streamLimit == 0)
    }

    @Test func aRequestsWholeTimeWithoutAnyAnswerIsSilenceUntilOneComes() {
        var machine = Machine(cap: 10, isWarm: nil)
        machine.responseReceived(status: 200)
        machine.timedOut(answersBefore: 0)
        #expect(!machine.isSilent, "another request was answered meanwhile")
        machine.timedOut(answersBefore: 1)
        #expect(machine.isSilent)
        machine.responseReceived(status: 503)
        #expect(!machine.isSilent)
    }

    @Test func aSilentConnectionOpensNoStreamsWhereSomebodyTakesItsWorkBack() {
        var (alone, pooled) = (Machine(cap: 10, isWarm: nil), Machine(cap: 10, isWarm: nil, returnsWork: true))
        alone.timedOut(answersBefore: 0)
        pooled.timedOut(answersBefore: 0)
        #expect(alone.streamLimit == 10)
        #expect(alone.returnReason == nil)
        #expect(pooled.streamLimit == 0)
        #expect(pooled.returnReason == "no answers in time")
        #expect(pooled.takesWork)
        pooled.responseReceived(status: 200)
        #expect(pooled.streamLimit == 10)
        #expect(pooled.returnReason == nil)
    }

    @Test func drainingKeepsItsFirstReasonAndItsEnd() {
        var machine = Machine(cap: 10, isWarm: nil)
        machine.drain("first")
        machine.drain("second")
        #expect(machine.state == .draining("first"))
        #expect(machine.streamLimit == 0)
        machine.close("end")
        #expect(machine.state == .closed("first"))
        machine.responseReceived(status: 200)
        #expect(machine.state == .closed("first"))
    }

    @Test func aSilentConnectionIsProbedAndGivenUp() {
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var liveness = HTTP2ClientConnection.Liveness(
            idleInterval: .seconds(60),
            ackTimeout: .seconds(10),
            now: start
        )
        #expect(liveness.check(isBusy: false, now: start + .seconds(59)) == .none)
        #expect(liveness.nextCheck(isBusy: false) == start + .seconds(60))
        #expect(liveness.check(isBusy: false, now: start + .seconds(60)) == .ping)
        #expect(liveness.check(isBusy: false, now: start + .seconds(69)) == .none)
        #expect(liveness.check(isBusy: false, now: start + .seconds(70)) == .giveUp)
    }

    @Test func aByteOfThePeerEndsTheProbe() {
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var liveness = HTTP2ClientConnection.Liveness(
            idleInterval: .seconds(60),
            ackTimeout: .seconds(10),
            now: start
        )
        #expect(liveness.check(isBusy: true, now: start + .seconds(10)) == .ping)
        liveness.bytesRead(now: start + .seconds(19))
        #expect(liveness.check(isBusy: true, now: start + .seconds(20)) == .none)
        #expect(liveness.check(isBusy: true, now: start + .seconds(29)) == .ping)
    }
}

/// How fast a connection answers, as a value.
struct ThroughputEstimateTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    /// An estimate after answers that took so many milliseconds, all of requests submitted at the start.
    private func throughput(_ times: [Int64]) -> ThroughputEstimate {
        times.reduce(into: ThroughputEstimate(now: start)) {
            $0.answered(submitted: start, now: start + .milliseconds($1))
        }
    }

    @Test(arguments: [
        ([40], true), ([40, 44, 41], true), ([40, 100, 60], true), ([5], true), ([4], false),
        ([5, 20, 20, 20, 20], false),
        ([20, 20, 20, 1], false), ([], false),
    ])
    func anAverageNearTheShortestTimeIsDistance(times: [Int64], isDistance: Bool) {
        #expect(throughput(times).isBoundByDistance == isDistance)
    }

    @Test func whatIsOutstandingTakesItsShareOfTheStreams() {
        let throughput = throughput([40])
        let now = start + .milliseconds(40)
        #expect(throughput.drainTime(1_000, streams: 100, now: now) == .milliseconds(400))
        #expect(throughput.drainTime(50, streams: 100, now: now) == .milliseconds(20))
        #expect(throughput.drainTime(1, streams: 0, now: now) == .nanoseconds(.max))
    }

    @Test func timeWithoutAnAnswerCountsFromTheFirstRequestAfterARest() {
        var throughput = throughput([40])
        let later = start + .minutes(10)
        #expect(throughput.drainTime(100, streams: 100, now: later) == .minutes(10) - .milliseconds(40))
        throughput.began(at: later)
        #expect(throughput.drainTime(100, streams: 100, now: later) == .milliseconds(40))
        #expect(throughput.drainTime(100, streams: 100, now: later + .seconds(3)) == .seconds(3))
    }
}

/// What is wrong with a certificate, as a value.
struct CertificateFaultTests {
    @Test(
        arguments: [
            (9, 20, 10, .untrusted), (10, 10, 10, .untrusted), (1, 9, 10, .expired(9)), (11, 20, 10, .notYetValid(11)),
        ] as [(Int64, Int64, Int64, CertificateFault)]
    )
    func itsTimeTellsExpiredFromUntrusted(from: Int64, until: Int64, now: Int64, fault: CertificateFault) {
        #expect(CertificateFault(validFrom: from, until: until, now: now) == fault)
    }

    @Test func eachReadsDifferently() {
        #expect(CertificateFault.expired(0).text == "the server's certificate expired on 1970-01-01")
        #expect(CertificateFault.notYetValid(86_400).text == "the server's certificate is not valid before 1970-01-02")
        #expect(CertificateFault.untrusted.text == "nobody who is trusted here has signed the server's certificate")
    }
}

/// Names in certificates, as values.
struct CertificateNamesTests {
    @Test(arguments: [
        ("api.push.example", "api.push.example", true), ("API.Push.Example.", "api.push.example", true),
        ("api.push.example", "API.push.example.", true), ("*.push.example", "api.push.example", true),
        ("*.push.example", "push.example", false), ("*.push.example", "a.api.push.example", false),
        ("a*.push.example", "api.push.example", false), ("*", "api.push.example", false),
        ("*", "localhost", false), ("push.example", "api.push.example", false),
        ("api.push.example.evil.net", "api.push.example", false), ("*.", ".", false), ("", "api.push.example", false),
        ("*.push.example", ".push.example", false),
    ])
    func aNameCoversItselfAndAWildcardOneLabel(name: String, host: String, covers: Bool) {
        #expect(CertificateNames.covers(name, host) == covers)
    }
}

/// Decisions of a pool, as values: connections are numbers.
struct PoolDecisionTests {
    private typealias Machine = HTTP2ClientPool.StateMachine<Int>

    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func machine(
        queued: Int = 100,
        connections: Int = 2,
        load: @escaping @Sendable (Int) -> HTTP2ClientPool.Load = { _ in .idle }
    ) -> Machine {
        Machine(
            limits: .init(
                connections: connections,
                queuedRequests: queued,
                refusals: 3,
                waitTimeout: .seconds(10),
                backOff: .milliseconds(100)...(.seconds(1))
            ),
            load: load
        )
    }

    private func burst(_ count: Int = 10) -> HTTP2Burst { .numbered(count, into: Answers()) }

    @Test func manyBurstsOpenOneConnectionAndAllGoToIt() {
        var machine = self.machine()
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["connect 1"])
        #expect(machine.submit(self.burst(), now: self.start).isEmpty)
        #expect(machine.waitingCount == 20)
        #expect(machine.opened(1, 1, now: self.start).map(\.text) == ["assign 10 to 1", "assign 10 to 1"])
        #expect(machine.submit(self.burst(5), now: self.start).map(\.text) == ["assign 5 to 1"])
        #expect(machine.waitingCount == 0)
    }

    @Test func theLeastLoadedTakesTheBurstAndAFullOneOpensAnother() {
        var machine = self.machine { .init(outstanding: $0 == 1 ? 100 : 40, queued: 0, isFull: $0 == 1) }
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 1", "connect 2"])
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 1"])
        _ = machine.opened(2, 2, now: self.start)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 2"])
    }

    @Test func aSilentConnectionGetsNothingWhileAnotherAnswers() {
        var machine = self.machine { .init(outstanding: $0 == 1 ? 0 : 40, queued: 0, isFull: true, isSilent: $0 == 1) }
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["connect 2"], "it waits for the next one")
        #expect(machine.opened(2, 2, now: self.start).map(\.text) == ["assign 10 to 2", "drain 1: no answers in time"])
        #expect(machine.members.map(\.id) == [2])
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 2", "connect 3"])
    }

    @Test func silentConnectionsAreNotCountedAmongThoseThatAreAllowed() {
        let silent = Mutex(0)
        var machine = self.machine(connections: 2) { id in
            .init(outstanding: id == 1 ? 0 : 40, queued: 0, isFull: true, isSilent: silent.withLock { $0 == id })
        }
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 1", "connect 2"])
        _ = machine.opened(2, 2, now: self.start)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 1"], "two are all")
        silent.withLock { $0 = 1 }
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 2", "connect 3"])
        #expect(machine.opened(3, 3, now: self.start).map(\.text) == ["drain 1: no answers in time"])
        #expect(machine.members.map(\.id) == [2, 3])
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 2"], "two are all")
    }

    @Test func whatAPeakLeftBehindIsClosedAfterAWhile() {
        let outstanding = Mutex(0)
        var machine = self.machine { _ in
            .init(outstanding: outstanding.withLock { $0 }, queued: 0, streams: 100, isFull: false)
        }
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        _ = machine.opened(2, 2, now: self.start)
        #expect(machine.submit(self.burst(100), now: self.start).map(\.text) == ["assign 100 to 1"])
        let later = self.start + .minutes(4)
        outstanding.withLock { $0 = 50 }
        #expect(
            machine.submit(self.burst(10), now: later).map(\.text) == ["assign 10 to 1"],
            "110 are too many for one"
        )
        outstanding.withLock { $0 = 45 }
        #expect(machine.submit(self.burst(10), now: later + .seconds(299)).map(\.text) == ["assign 10 to 1"])
        #expect(
            machine.submit(self.burst(10), now: later + .minutes(5)).map(\.text)
                == ["drain 2: no longer needed", "assign 10 to 1"]
        )
        #expect(machine.submit(self.burst(10), now: later + .minutes(20)).map(\.text) == ["assign 10 to 1"])
    }

    @Test func noMoreConnectionsAreOpenedThanAllowed() {
        var machine = self.machine(connections: 1) { _ in .init(outstanding: 100, queued: 0, isFull: true) }
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 1"])
    }

    @Test func aBurstOverTheBoundIsRefused() {
        var machine = self.machine(queued: 15)
        _ = machine.submit(self.burst(), now: self.start)
        #expect(
            machine.submit(self.burst(), now: self.start).map(\.text) == ["reject 10: queue full: 10 requests wait"]
        )
        #expect(machine.waitingCount == 10)
    }

    @Test func failuresBackOffAndWaitingWorkIsToldWhy() {
        var machine = self.machine()
        _ = machine.submit(self.burst(), now: self.start)
        var now = self.start
        var pauses: [Int64] = []
        for id in 1...6 {
            machine.connectFailed(id, reason: "refused", jitter: 1, now: now)
            let retry = machine.retryAt ?? now
            pauses.append((retry - now).nanoseconds / 1_000_000)
            #expect(machine.wake(now: retry - .nanoseconds(1)).isEmpty)
            #expect(machine.wake(now: retry).map(\.text) == ["connect \(id + 1)"])
            now = retry
        }
        #expect(pauses == [100, 200, 400, 800, 1000, 1000])
        #expect(machine.wakeTime == self.start + .seconds(10))
        #expect(machine.wake(now: self.start + .seconds(10)).map(\.text) == ["reject 10: refused"])
        #expect(machine.waitingCount == 0)
    }

    @Test func workThatComesDuringABackOffWaitsForIt() {
        var machine = self.machine()
        _ = machine.submit(self.burst(), now: self.start)
        machine.connectFailed(1, reason: "refused", jitter: 1, now: self.start)
        #expect(machine.submit(self.burst(), now: self.start).isEmpty)
        #expect(machine.wake(now: self.start + .milliseconds(100)).map(\.text) == ["connect 2"])
    }

    @Test func aConnectionThatEndsWithoutAnAnswerCountsAsAFailure() {
        var machine = self.machine()
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(machine.ended(1, hadAnswers: false, reason: "hung up", jitter: 1, now: self.start).isEmpty)
        #expect(machine.submit(self.burst(), now: self.start).isEmpty)
        #expect(machine.retryAt == self.start + .milliseconds(100))
    }

    @Test func aConnectionThatOwesAnswersIsReplacedAtOnceAndCountsWhenItCloses() {
        var machine = self.machine()
        func end(_ id: Int, hadAnswers: Bool = false, owesAnswers: Bool = false) -> [String] {
            machine.ended(
                id,
                hadAnswers: hadAnswers,
                owesAnswers: owesAnswers,
                reason: "GOAWAY",
                jitter: 1,
                now: self.start
            ).map(\.text)
        }
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(end(1, owesAnswers: true).isEmpty)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["connect 2"])
        #expect(end(1).isEmpty)
        #expect(machine.lastFailure == "GOAWAY")
        _ = machine.opened(2, 2, now: self.start)
        #expect(end(2, owesAnswers: true).isEmpty)
        #expect(machine.submit(self.burst(), now: self.start).isEmpty, "the pause that the first has made")
        #expect(end(2).isEmpty)
        #expect(machine.retryAt == self.start + .milliseconds(100), "the same pause")
        #expect(end(2).isEmpty)
        #expect(machine.wake(now: self.start + .milliseconds(100)).map(\.text) == ["connect 3"])
        _ = machine.opened(3, 3, now: self.start)
        _ = end(3, owesAnswers: true)
        _ = end(3, hadAnswers: true)
        #expect(machine.lastFailure == nil, "it has answered after all")
    }

    @Test func noMoreConnectionsOweAnswersThanMayBeOpen() {
        var machine = self.machine(connections: 3)
        _ = machine.submit(self.burst(), now: self.start)
        var opened = 0
        while machine.isConnecting, opened < 100 {
            opened += 1
            _ = machine.opened(opened, opened, now: self.start)
            _ = machine.ended(
                opened,
                hadAnswers: false,
                owesAnswers: true,
                reason: "GOAWAY",
                jitter: 1,
                now: self.start
            )
            _ = machine.submit(self.burst(), now: self.start)
        }
        #expect(opened == 3)
        let answered = machine.ended(1, hadAnswers: true, reason: "GOAWAY", jitter: 1, now: self.start)
        #expect(answered.map(\.text) == ["connect \(opened + 1)"])
    }

    @Test func aConnectionThatHasAnsweredIsReplacedAtOnceAlthoughASecondCouldNotBeOpened() {
        var machine = self.machine { _ in .init(outstanding: 40, queued: 0, isFull: true) }
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["assign 10 to 1", "connect 2"])
        machine.connectFailed(2, reason: "refused", jitter: 1, now: self.start)
        #expect(machine.retryAt == self.start + .milliseconds(100))
        _ = machine.ended(1, hadAnswers: true, reason: "GOAWAY", jitter: 1, now: self.start)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["connect 3"])
    }

    @Test func whatWaitsForAPeerThatDisownsEverythingIsDisowned() {
        for disowns in [true, false] {
            var machine = self.machine()
            _ = machine.submit(self.burst(), now: self.start)
            _ = machine.opened(1, 1, now: self.start)
            _ = machine.ended(1, hadAnswers: false, reason: "GOAWAY", jitter: 1, now: self.start)
            let slice = RequestSlice(self.burst(), indices: [3, 4], attempt: 0, isDisowned: true)
            _ = machine.givenBack(slice, by: 1, reason: "GOAWAY", now: self.start)
            _ = machine.submit(self.burst(), now: self.start)
            if !disowns {
                _ = machine.wake(now: self.start + .milliseconds(100))
                machine.connectFailed(2, reason: "refused", jitter: 1, now: self.start + .milliseconds(100))
            }
            let rejected = machine.wake(now: self.start + .seconds(10)).compactMap { action in
                if case .reject(let slice, _) = action { slice.isDisowned } else { nil }
            }
            #expect(rejected == [true, disowns])
        }
    }

    @Test func aConnectionThatEndsAfterAnswersIsReplacedAtOnce() {
        var machine = self.machine()
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(machine.ended(1, hadAnswers: true, reason: "GOAWAY", jitter: 1, now: self.start).isEmpty)
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["connect 2"])
    }

    @Test func unprocessedRequestsGoToAnotherConnectionThreeTimes() {
        var machine = self.machine()
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        func back(_ attempt: Int) -> [String] {
            let slice = RequestSlice(self.burst(), indices: [3, 4], attempt: attempt)
            return machine.givenBack(slice, by: 1, reason: "REFUSED_STREAM", now: self.start).map(\.text)
        }
        #expect(back(1) == ["assign 2 to 1"])
        _ = machine.recycle()
        _ = machine.opened(2, 2, now: self.start)
        #expect(back(2) == ["assign 2 to 2"])
        #expect(back(3) == ["reject 2: REFUSED_STREAM"])
    }

    @Test func oneLongBurstOpensMoreConnectionsAsTimePassesAndIsSharedAmongThem() {
        let loads = Mutex([1: HTTP2ClientPool.Load(outstanding: 1_000, queued: 997, streams: 3, isFull: true)])
        var machine = self.machine(queued: 2_000, connections: 3) { id in loads.withLock { $0[id] ?? .idle } }
        func full(_ connections: Int...) {
            let each = 1_000 / connections.count
            loads.withLock { loads in
                for id in connections {
                    loads[id] = .init(outstanding: each, queued: each - 3, streams: 3, isFull: true)
                }
            }
        }
        _ = machine.submit(self.burst(1_000), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(machine.wakeTime == self.start + .milliseconds(250))
        var now = self.start + .milliseconds(249)
        #expect(machine.wake(now: now).isEmpty)
        now = now + .milliseconds(1)
        #expect(machine.wake(now: now).map(\.text) == ["connect 2"])
        loads.withLock { $0[2] = .init(outstanding: 0, queued: 0, streams: 1, isFull: false) }
        _ = machine.opened(2, 2, now: now)
        now = now + .milliseconds(250)
        #expect(machine.wake(now: now).map(\.text) == ["take 500 back from 1"])
        full(1, 2)
        now = now + .milliseconds(250)
        #expect(machine.wake(now: now).map(\.text) == ["connect 3"])
        loads.withLock { $0[3] = .init(outstanding: 0, queued: 0, streams: 1, isFull: false) }
        _ = machine.opened(3, 3, now: now)
        now = now + .milliseconds(250)
        #expect(machine.wake(now: now).map(\.text) == ["take 167 back from 1", "take 167 back from 2"])
        full(1, 2, 3)
        now = now + .milliseconds(250)
        #expect(machine.wake(now: now).isEmpty, "three are all")
        for id in 1...3 { loads.withLock { $0[id] = .init(outstanding: 3, queued: 0, streams: 3, isFull: false) } }
        #expect(machine.wakeTime == now + .milliseconds(250))
        #expect(machine.wake(now: now + .milliseconds(250)).isEmpty)
        #expect(machine.wakeTime == nil, "nothing waits for a stream")
    }

    @Test func whatFitsIntoTheStreamsIsNotLookedAtAgain() {
        var machine = self.machine { _ in .init(outstanding: 0, queued: 0, streams: 100, isFull: false) }
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        _ = machine.wake(now: self.start + .milliseconds(250))
        #expect(machine.submit(self.burst(100), now: self.start + .seconds(1)).map(\.text) == ["assign 100 to 1"])
        #expect(machine.wakeTime == nil)
    }

    @Test func recyclingDrainsAllAndOpensOne() {
        var machine = self.machine()
        #expect(machine.recycle().isEmpty)
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        #expect(machine.recycle().map(\.text) == ["drain 1: recycled", "connect 2"])
        #expect(machine.submit(self.burst(), now: self.start).isEmpty)
        #expect(machine.opened(2, 2, now: self.start).map(\.text) == ["assign 10 to 2"])
    }

    @Test func whatIsTakenBackLeavesTheQueueAndOthersStay() {
        var machine = self.machine()
        let (withdrawn, cancelled) = (self.burst(1), self.burst(2))
        for burst in [withdrawn, self.burst(3), cancelled] { _ = machine.submit(burst, now: self.start) }
        withdrawn.withdraw()
        cancelled.withdraw()
        cancelled.cancel()
        #expect(machine.removeEnded().map(\.text) == ["reject 1: withdrawn", "reject 2: cancelled"])
        #expect(machine.waitingCount == 3)
        #expect(machine.opened(1, 1, now: self.start).map(\.text) == ["assign 3 to 1"])
    }

    @Test func whatIsTakenBackOnItsWayIsNotPlaced() {
        var machine = self.machine()
        _ = machine.submit(self.burst(), now: self.start)
        _ = machine.opened(1, 1, now: self.start)
        let burst = self.burst()
        burst.cancel()
        burst.withdraw()
        let slice = RequestSlice(burst, indices: [3, 4], attempt: 1)
        #expect(
            machine.givenBack(slice, by: 1, reason: "REFUSED_STREAM", now: self.start).map(\.text)
                == ["reject 2: cancelled"]
        )
        let other = self.burst()
        other.template.permit.withdraw()
        #expect(machine.submit(other, now: self.start).map(\.text) == ["reject 10: withdrawn"])
    }

    @Test func afterShutDownNothingIsTaken() {
        var machine = self.machine()
        _ = machine.submit(self.burst(), now: self.start)
        #expect(machine.shutDown().map(\.text) == ["reject 10: shut down"])
        #expect(machine.submit(self.burst(), now: self.start).map(\.text) == ["reject 10: shut down"])
        #expect(machine.opened(1, 1, now: self.start).map(\.text) == ["drain 1: shut down"])
    }
}

extension HTTP2ClientPool.Load {
    fileprivate static var idle: Self { .init(outstanding: 0, queued: 0, isFull: false) }
}

extension HTTP2ClientPool.StateMachine<Int>.Action {
    fileprivate var text: String {
        switch self {
        case .connect(let id): "connect \(id)"
        case .assign(let slice, let connection): "assign \(slice.count) to \(connection)"
        case .takeBack(let count, let connection): "take \(count) back from \(connection)"
        case .reject(let slice, let reason): "reject \(slice.count): \(reason)"
        case .drain(let connection, let reason): "drain \(connection): \(reason)"
        }
    }
}
