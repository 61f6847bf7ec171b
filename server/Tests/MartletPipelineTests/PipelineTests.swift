import MartletCore
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Synchronization
import Testing

@Suite(.stageLimit) struct PipelineTests {
    static let unavailable = Outcome.retry(.init(reason: "ServiceUnavailable", kind: .provider))

    @Test("all devices of the users that are named get it, and nobody else does")
    func reachesAllDevicesOfAUser() async throws {
        let stage = try await Stage()
        for (token, user) in [("a1", "ann"), ("a2", "ann"), ("b1", "bob"), ("c1", "cem")] {
            try await stage.register(token, user: user)
        }
        let counts = try await stage.dispatching {
            let id = try await stage.submit(.users(["ann", "bob"]))
            return try await stage.finished(id).counts
        }
        #expect(counts == DeliveryCounts(accepted: 3))
        #expect(Set(stage.provider.attempts.map(\.token)) == ["a1", "a2", "b1"])
    }

    @Test("a push to one user is two transactions, its acceptance and its outcome, and one attempt")
    func takesTheShortWay() async throws {
        let commits = Mutex(0)
        let stage = try await Stage(onCommit: { _ in commits.withLock { $0 += 1 } })
        try await stage.register("a1", user: "ann")
        let counts = try await stage.dispatching {
            // What the dispatcher does as it begins is over.
            try await stage.advance { true }
            let before = commits.withLock { $0 }
            let id = try await stage.submit(.users(["ann"]))
            // Whoever looks must not write.
            try await Eventually.is("it is over") { try await stage.notification(id).state == .done }
            #expect(commits.withLock { $0 } - before == 2)
            return try await stage.notification(id).counts
        }
        #expect(counts == DeliveryCounts(accepted: 1))
        #expect(stage.provider.attempts.count == 1)
    }

    @Test("many notifications of one call are each delivered once; one that is refused stops no other")
    func submitsMany() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let count = Submitter.groupLimit * 2 + 50
        let requests = (0..<count).map { index in
            let audience: Audience = index == 120 ? .users([""]) : .users(["ann"])
            let submission = Submission(app: stage.app, audience: audience, content: Content(title: "\(index)"))
            return SubmissionRequest(submission, idempotency: nil)
        }
        try await stage.dispatching {
            let results = try await stage.submitter.submit(requests)
            #expect(results.count == count)
            for (index, result) in results.enumerated() {
                switch result {
                case .success(let submitted):
                    let notification = try await stage.finished(submitted.id)
                    #expect(notification.content.title == "\(index)")
                    #expect(notification.counts == DeliveryCounts(accepted: 1))
                case .failure(let failure):
                    #expect(index == 120 && failure.detail.field == "audience.users[0]")
                }
            }
        }
        #expect(stage.provider.attempts.count == count - 1)
        #expect(stage.provider.attemptsByDelivery.values.allSatisfy { $0 == 1 })
    }

    @Test("what is accepted while the dispatcher is being stopped is sent by the next one, once")
    func stopsWithInlineDispatch() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        stage.provider.script("a1", .stall)
        let ids = try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"]))
            await stage.provider.untilAttempts(1)
            return [id, try await stage.submit(.users(["ann"]))]
        }
        stage.provider.script("a1", .answer(.accepted), .answer(.accepted))
        try await stage.dispatching {
            for id in ids {
                try await stage.advance { try await stage.notification(id).state == .done }
                #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 1))
            }
        }
    }

    @Test("each of a user's devices gets the user's badge, at every attempt; who is not named gets none")
    func badges() async throws {
        let stage = try await Stage()
        for (token, user) in [("a1", "ann"), ("a2", "ann"), ("b1", "bob"), ("c1", "cem"), ("x1", nil)] {
            try await stage.register(token, user: user)
        }
        stage.provider.script("b1", .answer(Self.unavailable), .answer(.accepted))
        let counts = try await stage.dispatching {
            let id = try await stage.submit(.all) { $0.badges = ["ann": 3, "bob": 0, "dora": 9] }
            try await stage.advance { try await stage.notification(id).state == .done }
            return try await stage.finished(id).counts
        }
        #expect(counts == DeliveryCounts(accepted: 5))
        let badges = stage.provider.attempts.reduce(into: [:]) { $0[$1.token, default: []].append($1.badge) }
        #expect(badges == ["a1": [3], "a2": [3], "b1": [0, 0], "c1": [nil], "x1": [nil]])
    }

    @Test("badges name a thousand users at most, each by a user id, with no negative number")
    func refusedBadges() async throws {
        let stage = try await Stage()
        let tooMany = Dictionary(uniqueKeysWithValues: (0...1_000).map { ("u\($0)", Int32(1)) })
        let cases: [([String: Int32], String)] = [
            (tooMany, "badge.by_user"), (["": 1], "badge.by_user."), (["ann": -1], "badge.by_user.ann"),
        ]
        for (badges, field) in cases {
            let failure = await #expect(throws: Failure.self) {
                _ = try await stage.submit(.all) { $0.badges = badges }
            }
            #expect(failure?.code == .invalidValue)
            #expect(failure?.detail.field == field)
        }
    }

    @Test("an audience of many parts is delivered once each")
    func deliversManyParts() async throws {
        let stage = try await Stage()
        for index in 0..<2_500 {
            try await stage.register(Stage.token(index), user: "u\(index / 3)")
        }
        let counts = try await stage.dispatching {
            try await stage.finished(try await stage.submit(.all) { $0.dedup = Dedup(key: "k") }).counts
        }
        #expect(counts == DeliveryCounts(accepted: 2_500))
        #expect(stage.provider.attemptsByDelivery.count == 2_500)
        #expect(stage.provider.attemptsByDelivery.values.allSatisfy { $0 == 1 })
    }

    @Test("a 503 is retried after the policy's delay, under the same id, and accepted")
    func retriesAfter503ThenSettles() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        stage.provider.script("a1", .answer(Self.unavailable), .answer(.accepted))
        let start = stage.clock.now()
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"]))
            await stage.provider.untilAttempts(1)
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.reports(id)["a1"]?.attempts == 2)
        }
        #expect(stage.provider.attempts.count == 2)
        #expect(Set(stage.provider.attempts.map(\.id)).count == 1)
        #expect(stage.clock.now() - start >= .seconds(10))
    }

    @Test(
        "a push service of a device's own that answers one 503 still gets a push that is soon over, and delays nobody"
    )
    func shortPushToOwnService() async throws {
        let stage = try await Stage()
        for (token, user) in [("a1", "ann"), ("b1", "bob")] { try await stage.register(token, user: user) }
        let trouble = Outcome.retry(.init(reason: "HTTP 503", kind: .host))
        stage.provider.script("a1", .answer(trouble), .answer(.accepted))
        try await stage.dispatching {
            let begin = stage.clock.now()
            let id = try await stage.submit(.users(["ann"])) { $0.expiry = .at(begin + .seconds(30)) }
            await stage.provider.untilAttempts(1)
            let other = try await stage.submit(.users(["bob"]))
            #expect(try await stage.finished(other).counts == DeliveryCounts(accepted: 1))
            #expect(stage.clock.now() == begin)
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.reports(id)["a1"]?.state == .accepted)
        }
    }

    @Test("the same thing within the cooldown is suppressed on all devices, and says who holds it")
    func suppressesDuplicates() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        try await stage.register("a2", user: "ann")
        try await stage.dispatching {
            let first = try await stage.submit(.users(["ann"])) { $0.dedup = Dedup(key: "alert") }
            #expect(try await stage.finished(first).counts == DeliveryCounts(accepted: 2))
            let second = try await stage.submit(.users(["ann"])) { $0.dedup = Dedup(key: "alert") }
            #expect(try await stage.finished(second).counts == DeliveryCounts(suppressed: 2))
            let reports = try await stage.reports(second)
            #expect(reports.values.allSatisfy { $0.reason == "duplicate" && $0.heldBy == first })
        }
        #expect(stage.provider.attempts.count == 2)
    }

    @Test("after the cooldown the same thing is sent again")
    func cooldownEnds() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        try await stage.dispatching {
            for _ in 0..<2 {
                let id = try await stage.submit(.users(["ann"])) { $0.dedup = Dedup(key: "alert") }
                #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
                stage.clock.advance(by: Dedup.defaultCooldown)
            }
        }
    }

    @Test("what reached nobody does not stand in the way of the next try")
    func givesClaimBack() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let refusal = Outcome.rejected(.init(reason: "PayloadEmpty"))
        stage.provider.script("a1", .answer(refusal), .answer(.accepted))
        try await stage.dispatching {
            let first = try await stage.submit(.users(["ann"])) { $0.dedup = Dedup(key: "alert", cooldown: nil) }
            #expect(try await stage.finished(first).counts == DeliveryCounts(rejected: 1))
            let second = try await stage.submit(.users(["ann"])) { $0.dedup = Dedup(key: "alert", cooldown: nil) }
            #expect(try await stage.finished(second).counts == DeliveryCounts(accepted: 1))
        }
    }

    @Test("a device that the provider calls gone is disabled and skipped from then on")
    func disablesUnregistered() async throws {
        let stage = try await Stage()
        let endpoint = try await stage.register("a1", user: "ann")
        stage.clock.advance(by: .seconds(1))
        let gone = Outcome.rejected(.init(reason: "Unregistered", meaning: .unregistered(since: stage.clock.now())))
        stage.provider.script("a1", .answer(gone))
        try await stage.dispatching {
            try await stage.finished(try await stage.submit(.users(["ann"])))
            let status = try await stage.store.endpoint(stage.app.row, .id(endpoint.id))?.status
            #expect(status == .disabled(DisableReason(rawValue: "Unregistered")))
            let second = try await stage.submit(.users(["ann"]))
            #expect(try await stage.finished(second).counts == DeliveryCounts(suppressed: 1))
            #expect(try await stage.reports(second)["a1"]?.reason == "endpoint_disabled")
        }
        #expect(stage.provider.attempts.count == 1)
    }

    @Test("what the provider says about a time before the last registration disables nothing")
    func oldUnregisteredIsIgnored() async throws {
        let stage = try await Stage()
        let old = stage.clock.now() - .seconds(60)
        let endpoint = try await stage.register("a1", user: "ann")
        let gone = Outcome.rejected(.init(reason: "Unregistered", meaning: .unregistered(since: old)))
        stage.provider.script("a1", .answer(gone))
        try await stage.dispatching { try await stage.finished(try await stage.submit(.users(["ann"]))) }
        #expect(try await stage.store.endpoint(stage.app.row, .id(endpoint.id))?.isEnabled == true)
    }

    @Test("an unknown environment is learned from the answer")
    func learnsEnvironment() async throws {
        let stage = try await Stage(environments: [.production, .sandbox])
        let endpoint = try await stage.register("a1", user: "ann", environment: nil)
        let bad = Outcome.rejected(.init(reason: "BadDeviceToken", meaning: .badToken))
        stage.provider.script("a1", .answer(bad), .answer(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"]))
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
        }
        #expect(try await stage.store.endpoint(stage.app.row, .id(endpoint.id))?.environment == .sandbox)
        #expect(Set(stage.provider.attempts.map(\.credential)).count == 2)
    }

    @Test("used-up attempts make a dead letter, which can be sent again")
    func deadLetters() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        stage.provider.script("a1", .answer(Self.unavailable), .answer(Self.unavailable), .answer(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"])) { $0.retry.maxAttempts = 2 }
            try await stage.advance { try await stage.notification(id).counts.dead == 1 }
            let letter = try #require(try await stage.store.failedWork(DeadLetter.self).items.first)
            #expect(letter.reason == "ServiceUnavailable" && letter.attempts == 2)
            _ = try await stage.store.retry(DeadLetter.self, letter.id)
            stage.wakeUps.notify()
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
            #expect(try await stage.store.failedWork(DeadLetter.self).items.isEmpty)
        }
        #expect(Set(stage.provider.attempts.map(\.id)).count == 1)
    }
}
