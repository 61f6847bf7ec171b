import MartletCore
import MartletWire
import Testing

@Suite struct RetryPolicyTests {
    @Test("the standard policy makes 50 attempts over about six hours")
    func standardSpansSixHours() {
        let delays = (1...100).compactMap { RetryPolicy.standard.delay(after: $0) }
        #expect(delays.count == 49)
        let total = delays.reduce(Duration.zero, +)
        #expect(total > .seconds(6 * 3600) && total < .seconds(8 * 3600))
    }

    @Test(
        "delays are steady, then grow, then stay",
        arguments: [(1, 10), (2, 10), (3, 10), (12, 600), (13, 600), (49, 600)]
    )
    func delays(attempts: Int, seconds: Int) {
        #expect(RetryPolicy.standard.delay(after: attempts) == .seconds(seconds))
    }

    @Test("every delay is at least the one before")
    func delaysNeverShrink() {
        let delays = (1...49).map { RetryPolicy.standard.delay(after: $0)! }
        #expect(delays == delays.sorted())
    }

    @Test("the last attempt has no delay after it")
    func attemptsAreUsedUp() {
        var policy = RetryPolicy.standard
        policy.maxAttempts = 4
        #expect(policy.delay(after: 3) != nil)
        #expect(policy.delay(after: 4) == nil)
        #expect(policy.delay(after: 5) == nil)
    }

    @Test("a policy outside what a sender may ask for is refused with its field")
    func validates() {
        var tooMany = RetryPolicy.standard
        tooMany.maxAttempts = 51
        #expect { try tooMany.validate() } throws: { ($0 as? Failure)?.detail.field == "retry.max_attempts" }
        var none = RetryPolicy.standard
        none.maxAttempts = 0
        #expect(throws: Failure.self) { try none.validate() }
        var crossed = RetryPolicy.standard
        crossed.minimumDelay = .seconds(700)
        #expect { try crossed.validate() } throws: {
            ($0 as? Failure)?.detail.field == "retry.minimum_delay_seconds"
        }
        #expect(throws: Never.self) { try RetryPolicy.standard.validate() }
    }
}
