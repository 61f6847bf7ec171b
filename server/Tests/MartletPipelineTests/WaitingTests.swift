import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

/// What waits: for its time, for an operator, for a provider, for a worker.
@Suite(.stageLimit) struct WaitingTests {
    @Test("what is to be sent later is sent then, not before")
    func sendsLater() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let due = stage.clock.now() + .seconds(60)
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"])) { $0.sendAt = due }
            #expect(try await stage.notification(id).state == .scheduled)
            try await stage.advance { try await stage.notification(id).state == .done }
        }
        #expect(stage.provider.attempts.count == 1)
        #expect(stage.clock.now() >= due)
    }

    @Test("what is cancelled before its time is never sent")
    func cancelsScheduled() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let due = stage.clock.now() + .seconds(60)
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"])) { $0.sendAt = due }
            let cancelled = try await stage.store.cancel(try await stage.notification(id).row)
            #expect(cancelled.state == .cancelled)
            try await stage.advance { stage.clock.now() > due + .seconds(30) }
        }
        #expect(stage.provider.attempts.isEmpty)
    }

    @Test("a credential that cannot work pauses the queue; a new one ends the pause and everything is delivered")
    func pausesAndResumes() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let wrong = Outcome.misconfigured(.init(reason: "InvalidProviderToken", advice: "Store the right key."))
        stage.provider.script("a1", .answer(wrong), .answer(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"]))
            try await stage.until { try await !stage.store.pauses(stage.app.row).isEmpty }
            #expect(try await stage.store.pauses(stage.app.row).first?.reason == "InvalidProviderToken")
            #expect(try await stage.notification(id).counts == DeliveryCounts(pending: 1))
            try await stage.configure(stage.app, [.production])
            stage.wakeUps.notify()
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
        }
        #expect(stage.provider.attempts.count == 2)
    }

    @Test("deliveries of a paused queue expire in their time")
    func expiresWhilePaused() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let wrong = Outcome.misconfigured(.init(reason: "InvalidProviderToken", advice: "Store the right key."))
        stage.provider.script("a1", .answer(wrong))
        let expiry = stage.clock.now() + .seconds(60)
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"])) { $0.expiry = .at(expiry) }
            try await stage.advance { try await stage.notification(id).counts.expired == 1 }
        }
        #expect(stage.provider.attempts.count == 1)
        #expect(stage.clock.now() >= expiry)
        let queue = DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
        let numbers = stage.metrics.numbers
        #expect(numbers.ends == [.init(queue: queue, state: .expired): 1])
        #expect(numbers.answers[.init(queue: queue, outcome: "misconfigured", reason: "InvalidProviderToken")] == 1)
    }

    @Test("what is accepted, and what is held back for want of a device or a credential, is counted with its reason")
    func countsWhatBecameOfIt() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        try await stage.register("b1", user: "bob", environment: .sandbox)
        try await stage.dispatching {
            try await stage.finished(try await stage.submit(.users(["ann", "bob", "nobody"])))
        }
        let queue = DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
        let numbers = stage.metrics.numbers
        #expect(numbers.ends == [.init(queue: queue, state: .accepted): 1])
        #expect(numbers.answers == [.init(queue: queue, outcome: "accepted", reason: ""): 1])
        #expect(
            numbers.suppressions == [
                .init(app: stage.app.row, reason: .noEndpoint): 1, .init(app: stage.app.row, reason: .noCredential): 1,
            ]
        )
    }

    @Test("an app whose provider hangs delays no other app")
    func hangingAppDelaysNoOther() async throws {
        let stage = try await Stage()
        let other = try await stage.store.createApp(name: "two", identity: Identity())
        try await stage.configure(other, [.production])
        for index in 0..<100 { try await stage.register(Stage.token(index), user: "u\(index)") }
        try await stage.register("bb", user: "bob", app: other)
        for index in 0..<100 { stage.provider.script(Stage.token(index), .hold(.accepted)) }
        try await stage.dispatching {
            var held: [PublicID] = []
            for index in 0..<100 { held.append(try await stage.submit(.users(["u\(index)"]))) }
            await stage.provider.untilAttempts(8)
            let id = try await stage.submit(.users(["bob"]), app: other)
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
            #expect(try await stage.notification(held[0]).counts.accepted == 0)
            try await stage.releaseUntilDone(held)
        }
    }

    @Test("an app with a long backlog that hangs leaves capacity for others")
    func backlogDelaysNoOther() async throws {
        let stage = try await Stage()
        let other = try await stage.store.createApp(name: "two", identity: Identity())
        try await stage.configure(other, [.production])
        for index in 0..<6 {
            try await stage.register(Stage.token(index), user: "u\(index)")
            stage.provider.script(Stage.token(index), .hold(.accepted))
        }
        try await stage.register("bb", user: "bob", app: other)
        var settings = DispatcherSettings()
        settings.deliveries = 4 * BatchCapacity.leastWeight
        // One begins at once, and one that is leased takes the rest.
        settings.deliveriesPerQueue = 2 * Reservation.limit
        try await stage.dispatching(settings: settings) {
            var held: [PublicID] = []
            for index in 0..<6 { held.append(try await stage.submit(.users(["u\(index)"]))) }
            await stage.provider.untilAttempts(2)
            let id = try await stage.submit(.users(["bob"]), app: other)
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
            #expect(stage.provider.attempts.count == 3)
            try await stage.releaseUntilDone(held)
        }
    }

    @Test("a slow answer does not cost the lease: nothing is sent again while it is outstanding")
    func renewsLease() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        stage.provider.script("a1", .hold(.accepted), .answer(.accepted))
        let late = stage.clock.now() + Lease.duration * 2
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"]))
            await stage.provider.untilAttempts(1)
            try await stage.advance {
                let isPending = try await stage.notification(id).counts.pending == 1
                return stage.clock.now() > late || !isPending
            }
            stage.provider.release()
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
        }
        #expect(stage.provider.attempts.count == 1)
    }

    @Test("what is too old is removed by the dispatcher's own maintenance")
    func maintains() async throws {
        let stage = try await Stage()
        let endpoint = try await stage.register("a1", user: "ann")
        stage.clock.advance(by: Retention().staleEndpoints + .seconds(1))
        try await stage.dispatching {
            try await stage.advance {
                try await stage.store.endpoint(stage.app.row, .row(endpoint.row))?.status == .removed(.stale)
            }
        }
    }

    @Test("the urgent goes before the rest of the same app")
    func urgentFirst() async throws {
        let stage = try await Stage()
        for token in ["a1", "b1", "c1"] { try await stage.register(token, user: token) }
        stage.provider.script("a1", .hold(.accepted))
        var settings = DispatcherSettings()
        // None begins at once.
        settings.deliveriesPerQueue = Reservation.limit
        try await stage.dispatching(settings: settings) {
            let first = try await stage.submit(.users(["a1"]))
            await stage.provider.untilAttempts(1)
            let low = try await stage.submit(.users(["b1"])) { $0.class = .bulk }
            let high = try await stage.submit(.users(["c1"])) { $0.class = .transactional }
            try await stage.until {
                let waiting = try await [stage.notification(low), stage.notification(high)]
                return waiting.allSatisfy { $0.counts.pending == 1 }
            }
            stage.provider.release()
            for id in [first, low, high] { try await stage.finished(id) }
        }
        #expect(stage.provider.attempts.map(\.token) == ["a1", "c1", "b1"])
    }

    @Test("a device that moved to another user gets nothing of the old user's")
    func movedDevice() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let later = Outcome.retry(.init(reason: "ServiceUnavailable", kind: .provider))
        stage.provider.script("a1", .answer(later), .answer(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"]))
            await stage.provider.untilAttempts(1)
            try await stage.register("a1", user: "bob")
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.notification(id).counts == DeliveryCounts(cancelled: 1))
            #expect(try await stage.reports(id)["a1"]?.reason == "moved_to_another_user")
        }
        #expect(stage.provider.attempts.count == 1)
    }

    @Test(
        "a worker that is told to stop records what is in flight; the next one sends only the rest, under the same id"
    )
    func stopsAndResumes() async throws {
        let stage = try await Stage()
        for token in ["a1", "b1", "c1"] { try await stage.register(token, user: token) }
        stage.provider.script("b1", .stall, .answer(.accepted))
        stage.provider.script("c1", .stall, .answer(.accepted))
        let id = try await stage.dispatching {
            let id = try await stage.submit(.users(["a1", "b1", "c1"])) { $0.dedup = Dedup(key: "k") }
            await stage.provider.untilAttempts(3)
            return id
        }
        #expect(try await stage.notification(id).counts == DeliveryCounts(pending: 2, accepted: 1))
        let counts = try await stage.dispatching { try await stage.finished(id).counts }
        #expect(counts == DeliveryCounts(accepted: 3))
        #expect(stage.provider.attempts.filter { $0.token == "a1" }.count == 1)
        #expect(stage.provider.attemptsByDelivery.count == 3)
    }

    @Test("answers are recorded while others of the same batch are still outstanding")
    func checkpoints() async throws {
        let stage = try await Stage()
        for token in ["a1", "b1"] { try await stage.register(token, user: token) }
        stage.provider.script("b1", .hold(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.users(["a1", "b1"]))
            await stage.provider.untilAttempts(2)
            try await stage.advance { try await stage.notification(id).counts.accepted == 1 }
            #expect(try await stage.notification(id).counts.pending == 1)
            stage.provider.release()
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 2))
        }
    }
}
