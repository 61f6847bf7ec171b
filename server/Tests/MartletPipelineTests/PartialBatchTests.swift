import MartletCore
import MartletStore
import MartletTesting
import MartletWire
import Testing

/// Batches whose members end at different times and for different reasons: nobody is lost on the way.
@Suite(.stageLimit) struct PartialBatchTests {
    static let wrong = Outcome.misconfigured(.init(reason: "InvalidProviderToken", advice: "Store the right key."))

    static func queue(_ stage: Stage) -> DeliveryQueue {
        DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
    }

    @Test("a delivery that waits for an operator stays when the rest of its batch is answered later")
    func holdsAcrossCheckpoints() async throws {
        let stage = try await Stage()
        for token in ["a1", "b1"] { try await stage.register(token, user: token) }
        stage.provider.script("a1", .answer(Self.wrong), .answer(.accepted))
        stage.provider.script("b1", .hold(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.users(["a1", "b1"]))
            await stage.provider.untilAttempts(2)
            try await stage.advance { try await !stage.store.pauses(stage.app.row).isEmpty }
            stage.provider.release()
            try await stage.until { try await stage.notification(id).counts.accepted == 1 }
            #expect(try await stage.notification(id).counts == DeliveryCounts(pending: 1, accepted: 1))
            _ = try await stage.store.resume(Self.queue(stage))
            stage.wakeUps.notify()
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 2))
        }
        #expect(stage.provider.attempts.map(\.token).sorted() == ["a1", "a1", "b1"])
    }

    @Test("what an attempt finds disabled is recorded before the rest of the batch is answered")
    func recordsSuppressionsFirst() async throws {
        let stage = try await Stage()
        for token in ["a1", "b1", "c1", "ee"] { try await stage.register(token, user: token) }
        stage.provider.script("ee", .answer(Self.wrong), .answer(.accepted))
        stage.provider.script("b1", .hold(.accepted))
        try await stage.dispatching {
            _ = try await stage.submit(.users(["ee"]))
            try await stage.until { try await !stage.store.pauses(stage.app.row).isEmpty }
            let id = try await stage.submit(.users(["a1", "b1", "c1"]))
            try await stage.until { try await stage.notification(id).counts.pending == 3 }
            let known = try await stage.store.endpoint(stage.app.row, .token(.apns, "a1"))
            let disabled = EndpointUpdate(status: .disabled(.byRequest))
            _ = try await stage.store.updateEndpoint(try #require(known).row, disabled)
            _ = try await stage.store.resume(Self.queue(stage))
            stage.wakeUps.notify()
            await stage.provider.untilAttempts(4)
            try await stage.advance { try await stage.notification(id).counts.accepted == 1 }
            let halfway = DeliveryCounts(pending: 1, accepted: 1, suppressed: 1)
            #expect(try await stage.notification(id).counts == halfway)
            stage.provider.release()
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 2, suppressed: 1))
        }
    }

    @Test("a delivery follows its device to the environment that it was registered for meanwhile")
    func followsEnvironment() async throws {
        let stage = try await Stage(environments: [.production, .sandbox])
        try await stage.register("a1", user: "ann", environment: .production)
        let later = Outcome.retry(.init(reason: "ServiceUnavailable", kind: .provider))
        stage.provider.script("a1", .answer(later), .answer(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"]))
            await stage.provider.untilAttempts(1)
            try await stage.register("a1", user: "ann", environment: .sandbox)
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 1))
        }
        #expect(Set(stage.provider.attempts.map(\.credential)).count == 2)
        #expect(Set(stage.provider.attempts.map(\.id)).count == 1)
    }
}
