import Crypto
import MartletCore
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

/// A provider that is gone as a whole, an app that hangs as a whole, a sender that is too fast.
@Suite(.stageLimit) struct TroubleTests {
    /// How old the number of waiting deliveries may be at most.
    static let longestRest: Duration = .seconds(60)
    static let refused = Outcome.retry(.init(reason: "connection refused", kind: .connection))

    @Test("while a provider answers nobody the backlog waits with its attempts; when it answers, all is delivered")
    func waitsForProvider() async throws {
        let stage = try await Stage()
        for index in 0..<120 { try await stage.register(Stage.token(index), user: "u\(index)") }
        let queue = DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
        stage.provider.scriptOthers(.answer(Self.refused))
        try await stage.dispatching {
            var ids: [PublicID] = []
            for _ in 0..<20 { ids.append(try await stage.submit(.all)) }
            try await stage.until {
                var pending = 0
                for id in ids { pending += try await stage.notification(id).counts.pending }
                return pending == 2_400
                    && stage.breakers.all(at: stage.clock.now())[queue].map { $0.state != .closed } ?? false
            }
            stage.provider.scriptOthers(.answer(.accepted))
            try await stage.advance {
                for id in ids where try await stage.notification(id).state != .done { return false }
                return true
            }
            for id in ids {
                let counts = try await stage.notification(id).counts
                #expect(counts == DeliveryCounts(accepted: 120))
            }
            // Eight batches may be under way in a queue: those that were taken up before the first one came back.
            let repeated = stage.provider.attemptsByDelivery.values.count { $0 > 1 }
            #expect((120...8 * 120).contains(repeated))
            #expect(stage.provider.attempts.count == 2_400 + repeated)
            #expect(stage.breakers.all(at: stage.clock.now())[queue]?.state == .closed)
        }
    }

    @Test("a queue that is paused because its credential did not open goes on when the right key is back")
    func resumesOpenedCredentials() async throws {
        let stage = try await Stage()
        try await stage.register("aa", user: "ann")
        let queue = DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
        var locked = stage
        let vault = Vault(key: SymmetricKey(size: .bits256))
        locked.credentialService = CredentialService(
            store: stage.store,
            providers: [.apns: stage.provider],
            vault: vault
        )
        let id = try await stage.submit(.users(["ann"]))
        try await locked.dispatching {
            try await stage.until { try await stage.store.pauses(nil).map(\.queue) == [queue] }
        }
        #expect(try await locked.credentialService.resumeOpened() == [])
        #expect(try await stage.credentialService.resumeOpened() == [queue])
        try await stage.dispatching { try await stage.until { try await stage.notification(id).state == .done } }
        #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 1))
        #expect(try await stage.credentialService.resumeOpened() == [])
    }

    @Test("a provider that is gone for one app is there for another")
    func breaksOneQueue() async throws {
        let stage = try await Stage()
        let other = try await stage.store.createApp(name: "two", identity: Identity())
        try await stage.configure(other, [.production])
        for index in 0..<120 {
            try await stage.register(Stage.token(index), user: "u\(index)")
            stage.provider.script(Stage.token(index), .answer(Self.refused))
        }
        try await stage.register("bb", user: "bob", app: other)
        let queue = DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
        try await stage.dispatching {
            _ = try await stage.submit(.all)
            try await stage.until {
                stage.breakers.all(at: stage.clock.now())[queue].map { $0.state != .closed } ?? false
            }
            let id = try await stage.submit(.users(["bob"]), app: other)
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
            #expect(stage.breakers.all(of: other.row, at: stage.clock.now()).values.allSatisfy { $0.state == .closed })
        }
    }

    @Test("an app that hangs in all its queues leaves capacity for other apps")
    func hangingAppLeavesRoom() async throws {
        let stage = try await Stage(environments: [.production, .sandbox])
        let other = try await stage.store.createApp(name: "two", identity: Identity())
        try await stage.configure(other, [.production])
        for index in 0..<4 {
            let environment: Environment = index < 2 ? .production : .sandbox
            try await stage.register(Stage.token(index), user: "u\(index)", environment: environment)
            stage.provider.script(Stage.token(index), .hold(.accepted))
        }
        try await stage.register("bb", user: "bob", app: other)
        var settings = DispatcherSettings()
        settings.deliveries = 4 * BatchCapacity.leastWeight
        // One may begin at once, and one that is leased takes the rest.
        settings.deliveriesPerApp = 2 * Reservation.limit
        settings.deliveriesPerQueue = 2 * Reservation.limit
        try await stage.dispatching(settings: settings) {
            var held: [PublicID] = []
            for index in 0..<4 { held.append(try await stage.submit(.users(["u\(index)"]))) }
            try await stage.until {
                for id in held where try await stage.notification(id).counts.pending == 0 { return false }
                return true
            }
            await stage.provider.untilAttempts(1)
            try await stage.advance { true }
            let hanging = stage.provider.attempts.count
            #expect(hanging < held.count)
            let id = try await stage.submit(.users(["bob"]), app: other)
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 1))
            #expect(stage.provider.attempts.count == hanging + 1)
            try await stage.releaseUntilDone(held)
        }
    }

    @Test("an audience is read on as soon as the store takes writes again, not when its lease is over")
    func readsOnAfterTrouble() async throws {
        let stage = try await Stage()
        for index in 0..<1_500 { try await stage.register(Stage.token(index), user: "u\(index)") }
        let id = try await stage.submit(.all)
        // Neither all of the audience nor the end of its lease can be written.
        try await stage.execute(
            """
            CREATE TRIGGER trouble BEFORE UPDATE ON fan_outs
                WHEN OLD.lease_holder IS NOT NULL AND NEW.lease_holder IS NULL
            BEGIN SELECT RAISE(ABORT, 'in trouble'); END
            """
        )
        try await stage.fillDisk()
        try await stage.dispatching {
            let start = stage.clock.now()
            try await stage.advance { stage.clock.now() >= start + .seconds(5) }
            // A first part may find capacity in the pages that there are.
            #expect(stage.provider.attempts.count < 1_500)
            try await stage.execute("DROP TRIGGER trouble")
            try await stage.freeDisk()
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 1_500))
            #expect(stage.clock.now() - start < .seconds(10))
        }
    }

    @Test("audiences that the database refuses to write keep no other of their app waiting, and are quarantined")
    func setsRefusedAudiencesAside() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let count = DispatcherSettings().fanOutsPerApp
        var refused: Set<PublicID> = []
        for _ in 0..<count { refused.insert(try await stage.submit(.all)) }
        let other = try await stage.submit(.all)
        try await stage.execute(
            """
            CREATE TRIGGER refusal BEFORE INSERT ON batches
                WHEN NEW.notification_id < (SELECT max(id) FROM notifications)
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """
        )
        let start = stage.clock.now()
        try await stage.dispatching {
            try await stage.advance { try await stage.notification(other).state == .done }
            #expect(stage.clock.now() - start < Lease.duration)
            try await stage.advance { try await stage.store.failedWork(QuarantinedWork.self).items.count == count }
        }
        let aside = try await stage.store.failedWork(QuarantinedWork.self).items
        #expect(Set(aside.map(\.notification)) == refused)
        #expect(aside.allSatisfy { $0.reason == .crashed && $0.tries == LeaseAdmission.limit })
        #expect(stage.provider.attempts.count == 1)
    }

    @Test("answers that came while the disk was full are recorded when it is not, and nothing is sent again")
    func keepsAnswers() async throws {
        let stage = try await Stage()
        for index in 0..<1_000 { try await stage.register(Stage.token(index), user: "u\(index)") }
        stage.provider.scriptOthers(.hold(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.all)
            await stage.provider.untilAttempts(1_000)
            try await stage.fillDisk()
            stage.provider.scriptOthers(.answer(.accepted))
            while stage.provider.heldCount > 0 { stage.provider.release() }
            let start = stage.clock.now()
            try await stage.advance { stage.clock.now() >= start + .seconds(120) }
            #expect(try await stage.notification(id).counts == DeliveryCounts(pending: 1_000))
            try await stage.freeDisk()
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 1_000))
        }
        #expect(stage.provider.attempts.count == 1_000)
    }

    @Test("a message that cannot be read keeps no other from being sent, and is quarantined after some tries")
    func setsUnreadableMessageAside() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        let broken = try await stage.submit(.users(["ann"]))
        var others: [PublicID] = []
        for _ in 0..<9 { others.append(try await stage.submit(.users(["ann"]))) }
        let ids = others
        try await stage.execute(
            "UPDATE messages SET headers = '{' WHERE notification_id = (SELECT min(id) FROM notifications)"
        )
        let start = stage.clock.now()
        try await stage.dispatching {
            for id in ids {
                try await stage.advance { try await stage.notification(id).state == .done }
                #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 1))
            }
            #expect(stage.clock.now() - start < Lease.duration)
            try await stage.advance { try await !stage.store.failedWork(QuarantinedWork.self).items.isEmpty }
        }
        let aside = try await stage.store.failedWork(QuarantinedWork.self).items
        #expect(aside.map(\.notification) == [broken])
        #expect(aside.map(\.tries) == [LeaseAdmission.limit])
        #expect(stage.provider.attempts.count == ids.count)
    }

    @Test("a batch whose worker is told to stop again and again is not quarantined for it")
    func orderlyStopsDoNotCount() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        stage.provider.script("a1", .stall)
        var id: PublicID?
        for round in 1...(LeaseAdmission.limit + 2) {
            let known = id
            id = try await stage.dispatching {
                let id = if let known { known } else { try await stage.submit(.users(["ann"])) }
                await stage.provider.untilAttempts(round)
                return id
            }
        }
        #expect(try await stage.store.failedWork(QuarantinedWork.self).items.isEmpty)
        stage.provider.script("a1", .answer(.accepted))
        let sent = try #require(id)
        let counts = try await stage.dispatching { try await stage.finished(sent).counts }
        #expect(counts == DeliveryCounts(accepted: 1))
    }

    private static func submitter(at stage: Stage, backlogLimit: Int) -> Submitter {
        Submitter(
            store: stage.store,
            providers: [.apns: stage.provider],
            clock: stage.clock,
            wakeUps: stage.wakeUps,
            inlineDispatch: InlineDispatch(),
            metrics: DeliveryMetrics(),
            backlogLimit: backlogLimit
        )
    }

    @Test("when more waits than may, a sender is refused and told when to come again; what was accepted is delivered")
    func refusesBeyondBacklog() async throws {
        let stage = try await Stage()
        for index in 0..<3 { try await stage.register(Stage.token(index), user: "u\(index)") }
        let submitter = Self.submitter(at: stage, backlogLimit: 2)
        let submission = Submission(app: stage.app, audience: .all, content: Content(title: "Delay"))
        var accepted: [PublicID] = []
        for _ in 0..<3 {
            accepted.append(try await submitter.submit(submission, idempotency: nil).id)
            stage.clock.advance(by: Self.longestRest)
        }
        let failure = await #expect(throws: Failure.self) { try await submitter.submit(submission, idempotency: nil) }
        #expect(failure?.code == .overloaded)
        #expect(failure?.retryAfter == .seconds(10))
        let ids = accepted
        try await stage.dispatching {
            for id in ids {
                let counts = try await stage.finished(id).counts
                #expect(counts == DeliveryCounts(accepted: 3))
            }
        }
        stage.clock.advance(by: Self.longestRest)
        _ = try await submitter.submit(submission, idempotency: nil)
        #expect(try await stage.store.notifications(nil, state: nil, PageRequest()).items.count == 4)
    }

    @Test("what one app leaves lying beyond the bound keeps no other app from sending")
    func backlogOfAnotherApp() async throws {
        let stage = try await Stage()
        let other = try await stage.store.createApp(name: "two", identity: Identity())
        try await stage.configure(other, [.production])
        for index in 0..<3 { try await stage.register(Stage.token(index), user: "u\(index)") }
        try await stage.register("bb", user: "bob", app: other)
        let submitter = Self.submitter(at: stage, backlogLimit: 2)
        let dead = Submission(app: stage.app, audience: .users(["u0", "u1", "u2"]), content: Content(title: "Delay"))
        _ = try await submitter.submit(dead, idempotency: nil)
        stage.clock.advance(by: Self.longestRest)
        await #expect(throws: Failure.self) { try await submitter.submit(dead, idempotency: nil) }
        let alive = Submission(app: other, audience: .users(["bob"]), content: Content(title: "Delay"))
        for _ in 0..<2 {
            _ = try await submitter.submit(alive, idempotency: nil)
            stage.clock.advance(by: Self.longestRest)
        }
        let failure = await #expect(throws: Failure.self) { try await submitter.submit(alive, idempotency: nil) }
        #expect(failure?.detail.message == "5 deliveries wait, 2 of them for this sender; the limit is 2.")
    }
}
