import PushNotificationSDKTesting
import Testing

/// The tests' clock: it must not keep a test that fails from ending.
@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
    @Test("whoever waits for a sleep that does not come is let go when the time limit cancels the test")
    func cancelled() async {
        let clock = ManualClock(now: 1000)
        let waiting = Task { await clock.passSleep(1) }
        waiting.cancel()
        await waiting.value
        // So is one that was cancelled before it began to wait.
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await clock.passSleep(1)
        }.value
        #expect(clock.now == 1000)
    }

    @Test("the clock moves on to the end of a sleep, and the sleeper wakes")
    func passes() async throws {
        let clock = ManualClock(now: 1000)
        async let slept: Void = clock.sleep(until: 1500)
        await clock.passSleep(1)
        try await slept
        #expect(clock.now == 1500)
    }

    @Test("a clock that is set back goes on from there, and a sleep lasts no longer")
    func setBack() async throws {
        let clock = ManualClock(now: 1000)
        async let slept: Void = clock.sleep(until: 1500)
        _ = await clock.sleeps.wait(for: 1)
        clock.set(200)
        #expect(clock.monotonic == 1000)
        clock.advance(by: 500)
        try await slept
        #expect(clock.now == 700 && clock.monotonic == 1500)
    }
}
