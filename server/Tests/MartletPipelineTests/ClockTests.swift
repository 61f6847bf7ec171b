import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

/// Clocks that jump, and leases that are lost.
@Suite(.stageLimit) struct ClockTests {
    /// A stage with one device, whose first push is to be tried again.
    private func stageWithRetry() async throws -> Stage {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let unavailable = Outcome.retry(.init(reason: "ServiceUnavailable", kind: .provider))
        stage.provider.script("a1", .answer(unavailable), .answer(.accepted))
        return stage
    }

    /// Sends to it and returns when the push waits for its second attempt.
    private func waitForRetry(_ stage: Stage) async throws -> PublicID {
        let id = try await stage.submit(.users(["ann"]))
        await stage.provider.untilAttempts(1)
        // The first try's lease would last for thirty seconds, the wait for the second is less.
        try await stage.until {
            let next = try await stage.store.dueWork().next
            return next.map { $0 - stage.clock.now() < .seconds(20) } ?? false
        }
        return id
    }

    @Test("what is on the wire is not sent a second time when the clock is set an hour forward")
    func forward() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        try await stage.register("b1", user: "bob")
        stage.provider.script("a1", .hold(.accepted))
        try await stage.dispatching {
            let held = try await stage.submit(.users(["ann"]))
            await stage.provider.untilAttempts(1)
            stage.clock.set(by: .seconds(3_600))
            // Whatever ends notifies, and the dispatcher looks for what is due.
            try await stage.finished(try await stage.submit(.users(["bob"])))
            try await stage.advance { true }
            try await stage.releaseUntilDone([held])
            #expect(try await stage.notification(held).counts == DeliveryCounts(accepted: 1))
        }
        #expect(stage.provider.attempts.map(\.token).sorted() == ["a1", "b1"])
    }

    @Test("what waits for a further attempt when the clock is set back an hour does not wait for an hour more")
    func back() async throws {
        let stage = try await stageWithRetry()
        try await stage.dispatching {
            let id = try await waitForRetry(stage)
            stage.clock.set(by: .seconds(-3_600))
            let start = stage.clock.now()
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(stage.clock.now() - start < .seconds(30))
        }
        #expect(stage.provider.attempts.count == 2)
    }

    @Test("a clock that was set back while the store took no writes is made up for when it does")
    func backInTrouble() async throws {
        let stage = try await stageWithRetry()
        try await stage.dispatching {
            let id = try await waitForRetry(stage)
            try await stage.execute(
                "CREATE TRIGGER trouble BEFORE UPDATE ON batches BEGIN SELECT RAISE(ABORT, 'in trouble'); END"
            )
            stage.clock.set(by: .seconds(-3_600))
            let start = stage.clock.now()
            try await stage.advance { stage.clock.now() >= start + .seconds(5) }
            stage.clock.set(by: .seconds(-3_600))
            try await stage.advance { stage.clock.now() >= start + .seconds(-3_590) }
            try await stage.execute("DROP TRIGGER trouble")
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(stage.clock.now() - start < .seconds(-3_560))
        }
        #expect(stage.provider.attempts.count == 2)
    }

    @Test("a worker whose lease another has got sends no more, and leaves the batch to him")
    func lost() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        stage.provider.script("a1", .stall)
        let queue = DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
        try await stage.dispatching {
            _ = try await stage.submit(.users(["ann"]))
            await stage.provider.untilAttempts(1)
            #expect(stage.metrics.numbers.batchesInFlight == 1)
            let lease = Lease(holder: 42)
            var taken: [Batch] = []
            while taken.isEmpty {
                stage.clock.advance(by: Lease.duration)
                taken = try await stage.store.leaseBatches(queue, limit: 1, lease: lease)
            }
            try await stage.advance { stage.metrics.numbers.batchesInFlight == 0 }
            #expect(try await stage.store.renew(taken.map(\.row), lease: lease).count == 1)
        }
        #expect(stage.provider.attempts.count == 1)
    }
}
