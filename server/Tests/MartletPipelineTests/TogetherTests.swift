import MartletCore
import MartletTesting
import MartletWire
import Testing

/// What deliveries have in common, and what each batch has for itself.
@Suite(.stageLimit) struct TogetherTests {
    @Test("a notification is rendered once, for all devices, environments, batches and attempts")
    func rendersOnce() async throws {
        let stage = try await Stage(environments: [.production, .sandbox])
        for index in 0..<40 {
            try await stage.register(
                Stage.token(index),
                user: "u\(index / 2)",
                environment: index < 30 ? .production : .sandbox
            )
        }
        stage.provider.script(Stage.token(0), .answer(PipelineTests.unavailable), .answer(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.all)
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 40))
        }
        #expect(stage.provider.attempts.count == 41)
        #expect(Set(stage.provider.attempts.map(\.message)).count == 1)
        #expect(stage.provider.renderings == 1)
    }

    @Test("batches that fail together are tried again at moments of their own, within a fifth of the delay")
    func batchesComeBackApart() async throws {
        let stage = try await Stage()
        for index in 0..<20 { try await stage.register(Stage.token(index), user: "u\(index)") }
        stage.provider.scriptOthers(.answer(PipelineTests.unavailable))
        let start = stage.clock.now()
        let moments = try await stage.dispatching {
            var ids: [PublicID] = []
            for index in 0..<20 { ids.append(try await stage.submit(.users(["u\(index)"]))) }
            var moments: [Timestamp] = []
            for (index, id) in ids.enumerated() {
                let token = Stage.token(index)
                try await stage.until { try await stage.reports(id)[token]?.attempts == 1 }
                moments.append(try #require(try await stage.reports(id)[token]?.at))
            }
            return moments
        }
        let delay = try #require(RetryPolicy.standard.delay(after: 1))
        let range = (start + delay * RetryPolicy.jitter.lowerBound)...(start + delay * RetryPolicy.jitter.upperBound)
        #expect(moments.allSatisfy(range.contains), "\(moments)")
        // A single moment for all of them has a probability of one in 4,000 to the power of nineteen.
        #expect(Set(moments).count > 1)
    }
}
