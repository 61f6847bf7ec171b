import MartletCore
import MartletTesting
import Testing

@testable import MartletHTTP

@Suite("Whether the store answers")
struct StoreProbeTests {
    private struct Broken: Error {}

    @Test("a store that answers does, one that fails does not")
    func answers() async {
        let probe = StoreProbe()
        #expect(await probe.answers(clock: SystemClock()) {})
        #expect(await !probe.answers(clock: SystemClock()) { throw Broken() })
    }

    @Test("a read that hangs is given up in time, and many of them are not added to", .timeLimit(.minutes(4)))
    func givesUp() async {
        let (probe, clock) = (StoreProbe(), ManualClock())
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<StoreProbe.limit {
            async let isAnswering = probe.answers(clock: clock) { for await _ in held {} }
            await clock.untilAsleep()
            clock.advance(by: StoreProbe.timeout)
            #expect(await !isAnswering)
        }
        #expect(await !probe.answers(clock: clock) { Issue.record("it is asked once more") })
        release.finish()
        while await !probe.answers(clock: SystemClock(), {}) { await Task.yield() }
    }
}
