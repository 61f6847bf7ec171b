import MartletCore
import Testing

@testable import MartletProviders

/// A header `retry-after`, as it is read at 1,700,000,000 s, which is Tue, 14 Nov 2023 22:13:20 GMT.
struct RetryAfterRow: Sendable, CustomTestStringConvertible {
    var text: String
    var delay: Duration?

    var testDescription: String { "\"\(text)\"" }

    static let now = Timestamp(milliseconds: 1_700_000_000_000)

    static let all: [RetryAfterRow] = [
        .init(text: "0", delay: nil), .init(text: "120", delay: .seconds(120)),
        .init(text: "3600", delay: .seconds(3_600)), .init(text: "7200", delay: .seconds(3_600)),
        .init(text: "99999999999999999999", delay: .seconds(3_600)),
        .init(text: "Tue, 14 Nov 2023 22:13:30 GMT", delay: .seconds(10)),
        .init(text: "Wed, 15 Nov 2023 22:13:20 GMT", delay: .seconds(3_600)),
        .init(text: "Tue, 14 Nov 2023 22:13:10 GMT", delay: nil),
        .init(text: "-1", delay: nil), .init(text: "+5", delay: nil), .init(text: "1.5", delay: nil),
        .init(text: "soon", delay: nil), .init(text: "", delay: nil),
    ]
}

@Suite("How long a provider asks us to wait")
struct RetryAfterTests {
    @Test("it is read in seconds or as a date, and an hour bounds it", arguments: RetryAfterRow.all)
    func delay(row: RetryAfterRow) {
        #expect(RetryAfter.delay(row.text, now: RetryAfterRow.now) == row.delay)
        #expect(RetryAfter.delay(nil, now: RetryAfterRow.now) == nil)
    }

    @Test(
        "APNs, FCM and its token endpoint are waited for as the push services of browsers are",
        arguments: RetryAfterRow.all
    )
    func others(row: RetryAfterRow) {
        let apple = APNsAnswer(status: 503, body: [], date: nil, retryAfter: row.text, now: RetryAfterRow.now)
        #expect(apple.retryAfter == row.delay)
        let answer = FCMAnswer(status: 429, body: [], date: nil, retryAfter: row.text, now: RetryAfterRow.now)
        #expect(answer.retryAfter == row.delay)
        let token = TokenAnswer(status: 503, body: [], date: nil, retryAfter: row.text, now: RetryAfterRow.now)
        #expect(token.retryAfter == row.delay)
    }

    @Test("a date counts from what the provider says the time is, whatever our clock says")
    func skew() {
        let (date, end) = ("Tue, 14 Nov 2023 22:20:00 GMT", "Tue, 14 Nov 2023 22:21:00 GMT")
        let apple = APNsAnswer(status: 503, body: [], date: date, retryAfter: end, now: RetryAfterRow.now)
        #expect(apple.retryAfter == .seconds(60))
        let answer = FCMAnswer(status: 503, body: [], date: date, retryAfter: end, now: RetryAfterRow.now)
        #expect(answer.retryAfter == .seconds(60))
        let token = TokenAnswer(status: 503, body: [], date: date, retryAfter: end, now: RetryAfterRow.now)
        #expect(token.retryAfter == .seconds(60))
    }

    @Test(
        "the detail that says it is bounded too",
        arguments: [
            ("3.2s", 4), ("0s", nil), ("7200s", 3_600), ("1e300s", 3_600), ("-3s", nil), ("nan", nil), ("s", nil),
        ] as [(String, Int?)]
    )
    func detail(text: String, seconds: Int?) {
        let detail = #"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"\#(text)"}"#
        let body = Array(FCMAnswerRow.error("UNAVAILABLE", more: detail).utf8)
        let answer = FCMAnswer(status: 503, body: body, date: nil, retryAfter: nil, now: RetryAfterRow.now)
        #expect(answer.retryAfter == seconds.map { .seconds($0) })
    }
}
