import MartletWire
import Testing

@testable import MartletCore

@Suite("What a delivery waits for") struct WaitingTests {
    static let now = WhyReportTests.now
    static let queue = DeliveryQueue(app: RowID(1), platform: .apns, environment: .production)

    static func facts(_ cause: Waiting.Cause, at: Timestamp? = now + .seconds(60)) -> WhyFacts {
        WhyReportTests.facts(.users(["ann"]), .sending) {
            var line = WhyReportTests.line(1, .pending)
            (line.waiting, line.at) = (Waiting(queue: queue, cause: cause), at)
            $0.lines = [line]
        }
    }

    @Test(
        "why says it, what the provider said last, and when it is tried next",
        arguments: [
            (facts(.turn, at: nil), ""),
            (
                facts(.attempt(after: "TooManyRequests", at: now)),
                " Apple answered TooManyRequests at \(UTCTime(now)). The next try is at \(UTCTime(now + .seconds(60)))."
            ),
            (
                facts(.attempt(after: "connection reset by peer", at: now), at: nil),
                " Apple gave no answer at \(UTCTime(now)) (connection reset by peer). The next try is due now."
            ),
            (
                facts(.attempt(after: "ProxyPage 403", at: now), at: nil),
                " Apple gave no answer at \(UTCTime(now)) (ProxyPage 403). The next try is due now."
            ),
            (
                facts(.pause("InvalidProviderToken", since: now), at: nil),
                " Apple's queue is paused since \(UTCTime(now)): InvalidProviderToken."
            ),
            (
                facts(.silence("HTTP 503", since: now)),
                " Apple has not answered since \(UTCTime(now)) (HTTP 503). The next try is at "
                    + "\(UTCTime(now + .seconds(60)))."
            ),
            (facts(.quarantine, at: nil), " It is quarantined and waits for somebody who has it tried again."),
        ] as [(WhyFacts, String)]
    )
    func said(facts: WhyFacts, said: String) {
        let report = WhyReport(facts, now: Self.now)
        #expect(report.summary == "The push waits to be sent to 1 device." + said)
    }

    @Test("what keeps the whole queue takes precedence over a delivery's own last answer")
    func stops() throws {
        var breaker = Breaker()
        let failure = Outcome.retry(.init(reason: "HTTP 502", kind: .provider))
        breaker.note(Array(repeating: failure, count: Breaker.burst), at: Self.now, jitter: 1)
        var report = try #require(Self.facts(.attempt(after: "TooManyRequests", at: Self.now), at: nil).lines.first)
        report.reason = report.waiting?.reason
        let pause = Pause(queue: Self.queue, reason: "InvalidProviderToken", advice: "", since: Self.now)
        let silent = QueueStops(breakers: [(Self.queue, breaker)]).apply(to: report)
        #expect(silent.reason == "HTTP 502")
        #expect(silent.at == Self.now + Breaker.shortestDelay)
        let paused = QueueStops(pauses: [pause], breakers: [(Self.queue, breaker)]).apply(to: report)
        #expect(paused.reason == "InvalidProviderToken" && paused.at == nil)
        let other = DeliveryQueue(app: RowID(1), platform: .apns, environment: .sandbox)
        #expect(QueueStops(breakers: [(other, breaker)]).apply(to: report).reason == "TooManyRequests")
    }
}
