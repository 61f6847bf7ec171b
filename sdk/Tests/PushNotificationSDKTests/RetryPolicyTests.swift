import PushNotificationSDKCore
import Testing

@Suite struct RetryPolicyTests {
    let policy = RetryPolicy()

    @Test("the bound doubles, and the wait is at least half of it")
    func waits() {
        #expect((1...4).map { policy.wait(after: $0, retryAfter: nil, random: 0.5) } == [375, 750, 1500, nil])
        #expect((1...4).map { policy.wait(after: $0, retryAfter: nil, random: 0) } == [250, 500, 1000, nil])
        #expect(policy.wait(after: 1, retryAfter: nil, random: 0.999) == 499)
    }

    @Test("what the server asks for is the least, and beyond the longest wait there is no next attempt")
    func retryAfter() {
        #expect(policy.wait(after: 1, retryAfter: 3000, random: 0.5) == 3250)
        #expect(policy.wait(after: 1, retryAfter: 20_000, random: 0) == 20_000)
        #expect(policy.wait(after: 1, retryAfter: 20_001, random: 0) == nil)
        #expect(policy.wait(after: 4, retryAfter: 1, random: 0) == nil)
    }

    @Test("only 429 and 5xx are temporary")
    func temporary() {
        let temporary = (100...699).filter(RetryPolicy.isTemporary)
        #expect(temporary == [429] + Array(500...599))
    }

    @Test(
        "Retry-After is seconds or a date",
        arguments: [
            ("0", 0), ("5", 5000), (" 7 ", 7000), ("Sun, 01 Mar 2026 12:00:30 GMT", 30_000),
            ("Sun, 01 Mar 2026 11:00:00 GMT", 0), ("99999999999999999999999", 604_800_000),
            ("99999999", 604_800_000), ("Sun, 01 Mar 2099 12:00:00 GMT", 604_800_000), ("soon", nil), ("", nil),
            ("-5", nil), ("1.5", nil),
        ] as [(String, Int64?)]
    )
    func headers(_ text: String, _ expected: Int64?) {
        let answer = HTTPAnswer(status: 503, headers: ["retry-AFTER": text])
        // 2026-03-01T12:00:00Z
        #expect(answer.retryAfter(now: 1_772_366_400_000) == expected)
    }

    @Test func withoutTheHeaderNothingIsAskedFor() {
        #expect(HTTPAnswer(status: 503).retryAfter(now: 0) == nil)
    }
}
