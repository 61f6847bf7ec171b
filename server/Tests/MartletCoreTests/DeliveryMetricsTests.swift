import MartletWire
import Testing

@testable import MartletCore

@Suite struct DeliveryMetricsTests {
    static let queue = DeliveryQueue(app: RowID(1), platform: .apns, environment: .production)

    /// An outcome and what it is counted as.
    struct Row: Sendable, CustomTestStringConvertible {
        var outcome: Outcome
        var word: String
        var reason: String

        var testDescription: String { "\(outcome)" }

        init(_ outcome: Outcome, _ word: String, _ reason: String) {
            self.outcome = outcome
            self.word = word
            self.reason = reason
        }
    }

    static let rows = [
        Row(.accepted, "accepted", ""),
        Row(.rejected(.init(reason: "Unregistered")), "rejected", "Unregistered"),
        Row(.rejected(.init(reason: "HTTP 451")), "rejected", "HTTP 451"),
        Row(.rejected(.init(reason: "a b c")), "rejected", "other"),
        Row(.rejected(.init(reason: "")), "rejected", "other"),
        Row(.rejected(.init(reason: "50% off")), "rejected", "other"),
        Row(.rejected(.init(reason: String(repeating: "x", count: 65))), "rejected", "other"),
        Row(.retry(.init(reason: "ServiceUnavailable", kind: .provider)), "retry", "ServiceUnavailable"),
        Row(.retry(.init(reason: "TooManyRequests", kind: .rateLimited)), "retry", "TooManyRequests"),
        Row(.retry(.init(reason: "NoAnswerInTime", kind: .connection)), "retry", "NoAnswerInTime"),
        Row(.retry(.init(reason: "StreamReset 7", kind: .connection)), "retry", "StreamReset 7"),
        Row(.retry(.init(reason: "127.0.0.1:2197: connect: refused", kind: .connection)), "retry", "connection"),
        Row(.reroute(reason: "Shutdown"), "reroute", "Shutdown"),
        Row(.reroute(reason: "QUOTA_EXCEEDED", after: .seconds(40)), "reroute", "QUOTA_EXCEEDED"),
        Row(.reroute(reason: "GOAWAY NO_ERROR: bye"), "reroute", "connection"),
        Row(.misconfigured(.init(reason: "TopicDisallowed", advice: "")), "misconfigured", "TopicDisallowed"),
    ]

    @Test("an outcome is counted under its queue, its kind and a word for its reason", arguments: rows)
    func words(row: Row) {
        let metrics = DeliveryMetrics()
        metrics.count([row.outcome, row.outcome], in: Self.queue)
        let answer = DeliveryMetrics.Answer(queue: Self.queue, outcome: row.word, reason: row.reason)
        #expect(metrics.numbers.answers == [answer: 2])
    }

    @Test("a provider that makes up reasons makes a bounded number of series, and loses no count")
    func boundsReasons() {
        let metrics = DeliveryMetrics()
        let count = ReasonWords.limit + 50
        metrics.count((0..<count).map { .rejected(.init(reason: "Reason\($0)")) }, in: Self.queue)
        metrics.count([.rejected(.init(reason: "Reason0"))], in: Self.queue)
        let answers = metrics.numbers.answers
        #expect(answers.count == ReasonWords.limit + 1)
        #expect(answers.values.reduce(0, +) == count + 1)
        #expect(answers[.init(queue: Self.queue, outcome: "rejected", reason: "other")] == 50)
        #expect(answers[.init(queue: Self.queue, outcome: "rejected", reason: "Reason0")] == 2)
    }

    @Test("a duration falls into the first bucket that it does not exceed")
    func buckets() {
        #expect(DurationCounts.bucket(ofNanoseconds: 0) == 0)
        for (index, bound) in DurationCounts.bounds.enumerated() {
            #expect(DurationCounts.bucket(ofNanoseconds: bound) == index)
            #expect(DurationCounts.bucket(ofNanoseconds: bound + 1) == index + 1)
        }
        #expect(DurationCounts.bucket(ofNanoseconds: .max) == DurationCounts.buckets - 1)
        var counts = DurationCounts(counts: [1], nanoseconds: 5)
        counts.add(DurationCounts(counts: [2, 3], nanoseconds: 7))
        #expect(counts.counts.prefix(3) == [3, 3, 0])
        #expect(counts.total == 6)
        #expect(counts.nanoseconds == 12)
    }
}
