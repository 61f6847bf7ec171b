import MartletCore
import MartletStore
import MartletTesting
import MartletWire
import Testing

/// What a provider says about tokens stops nobody else, and what it did not process was not tried.
@Suite(.stageLimit) struct DisownedTests {
    static let wrongTopic = Outcome.rejected(.init(reason: "DeviceTokenNotForTopic", meaning: .wrongTopic))

    private static func status(_ stage: Stage, _ token: String) async throws -> Endpoint.Status? {
        try await stage.store.endpoint(stage.app.row, .token(.apns, token))?.status
    }

    private static func topics(_ stage: Stage) async throws -> [String: CredentialTopic.Standing]? {
        try await stage.store.credentials(stage.app.row).first?.topics
    }

    @Test(
        "one user's tokens of another app's pause no queue: they are rejected, and disabled once the topic is accepted"
    )
    func strayTokens() async throws {
        let stage = try await Stage()
        let strays = (0..<25).map(Stage.token)
        for token in strays {
            try await stage.register(token, user: "mallory")
            stage.provider.script(token, .answer(Self.wrongTopic))
        }
        try await stage.register("b1", user: "bob")
        try await stage.dispatching {
            let first = try await stage.finished(try await stage.submit(.users(["mallory"])))
            #expect(first.counts == DeliveryCounts(rejected: 25))
            #expect(try await stage.store.pauses(nil).isEmpty)
            for token in strays { #expect(try await Self.status(stage, token) == .enabled) }
            #expect(try await Self.topics(stage) == ["com.example": .refused])

            let good = try await stage.finished(try await stage.submit(.users(["bob"])))
            #expect(good.counts == DeliveryCounts(accepted: 1))
            #expect(try await Self.topics(stage) == ["com.example": .accepted])

            let second = try await stage.finished(try await stage.submit(.users(["mallory"])))
            #expect(second.counts == DeliveryCounts(rejected: 25))
            #expect(try await stage.store.pauses(nil).isEmpty)
            let reason = DisableReason(rawValue: "DeviceTokenNotForTopic")
            for token in strays { #expect(try await Self.status(stage, token) == .disabled(reason)) }
        }
    }

    @Test("an endpoint is disabled when the topic was accepted in an earlier checkpoint of the same batch")
    func laterCheckpoint() async throws {
        let stage = try await Stage()
        for (token, user) in [("b1", "bob"), ("m1", "mallory")] { try await stage.register(token, user: user) }
        stage.provider.script("m1", .hold(Self.wrongTopic))
        try await stage.dispatching {
            let id = try await stage.submit(.users(["bob", "mallory"]))
            await stage.provider.untilAttempts(2)
            try await stage.advance { try await Self.topics(stage) == ["com.example": .accepted] }
            stage.provider.release()
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1, rejected: 1))
            let reason = DisableReason(rawValue: "DeviceTokenNotForTopic")
            #expect(try await Self.status(stage, "m1") == .disabled(reason))
        }
    }

    @Test("what is known of a topic is written once, not with every push")
    func writesOnce() async throws {
        let stage = try await Stage()
        try await stage.register("b1", user: "bob")
        try await stage.dispatching {
            try await stage.finished(try await stage.submit(.users(["bob"])))
            try await stage.execute(
                """
                CREATE TRIGGER once BEFORE INSERT ON credential_topics BEGIN SELECT RAISE(ABORT, 'written again'); END
                """
            )
            let again = try await stage.finished(try await stage.submit(.users(["bob"])))
            #expect(again.counts == DeliveryCounts(accepted: 1))
        }
    }

    @Test("what was not processed goes out again and again and uses up no attempt")
    func reroutes() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let disowned = ScriptedProvider.Step.answer(.reroute(reason: "GOAWAY NO_ERROR"))
        stage.provider.script("a1", disowned, disowned, disowned, disowned, .answer(.accepted))
        let start = stage.clock.now()
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"])) { $0.retry.maxAttempts = 1 }
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 1))
            #expect(try await stage.reports(id)["a1"]?.attempts == 1)
        }
        #expect(stage.provider.attempts.count == 5)
        // At once, then with the policy's shortest delay, so that it is not asked as fast as it can answer.
        #expect(stage.clock.now() - start >= .seconds(3 * 8))
    }

    @Test("what may not be sent yet is sent when it may, with the only attempt that it has")
    func silence() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let silence = ScriptedProvider.Step.answer(.reroute(reason: "QUOTA_EXCEEDED", after: .seconds(40)))
        stage.provider.script("a1", silence, silence, .answer(.accepted))
        let start = stage.clock.now()
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"])) { $0.retry.maxAttempts = 1 }
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 1))
            #expect(try await stage.reports(id)["a1"]?.attempts == 1)
        }
        #expect(stage.provider.attempts.count == 3)
        #expect(stage.clock.now() - start >= .seconds(80))
    }

    @Test("what is never processed ends with its time")
    func neverProcessed() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        stage.provider.script("a1", .answer(.reroute(reason: "REFUSED_STREAM")))
        let expiry = stage.clock.now() + .seconds(60)
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"])) { $0.expiry = .at(expiry) }
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.notification(id).counts == DeliveryCounts(expired: 1))
            #expect(try await stage.reports(id)["a1"]?.attempts == 0)
        }
        #expect((4...9).contains(stage.provider.attempts.count))
    }
}
