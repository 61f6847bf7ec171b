import Logging
import MartletCore
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

/// What phones are told of what a person does in their inbox.
@Suite(.stageLimit) struct InboxTests {
    private func service(_ stage: Stage) -> InboxService {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        return InboxService(store: stage.store, submitter: stage.submitter, logger: logger)
    }

    private func worker(_ stage: Stage) -> BadgeSyncWorker {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        return BadgeSyncWorker(store: stage.store, submitter: stage.submitter, clock: stage.clock, logger: logger)
    }

    /// The notifications that a push has the SDK remove.
    private func removed(_ attempt: ScriptedProvider.Attempt) -> [PublicID] {
        (attempt.message.headers["remove"] ?? "").split(separator: ",").compactMap { PublicID(String($0)) }
    }

    /// Registers the third device of a person with its installation.
    private func registerInstallation(_ id: PublicID, _ stage: Stage) async throws {
        var registration = Registration(
            app: stage.app.row,
            platform: .apns,
            token: Stage.token(2),
            environment: .production,
            owner: .user("ann")
        )
        registration.installation = Registration.InstallationClaim(
            id: id,
            presented: nil,
            issued: SecretHash(of: "a secret")
        )
        _ = try await stage.store.register(registration)
    }

    /// Records that a person tapped a notification.
    private func open(_ notification: PublicID, on installation: PublicID, _ stage: Stage) async throws {
        var event = EventDraft(type: .open, platform: .ios, clientTime: stage.clock.now())
        event.messageID = notification.description
        event.installation = installation
        _ = try await stage.store.record(
            EventBatch(app: stage.app.row, events: [event], users: .asserted, retention: .seconds(86_400))
        )
    }

    /// Sends what leaves an item and has the number of unread items as its badge.
    private func send(_ stage: Stage, to audience: Audience) async throws -> MartletCore.Notification {
        let submission = Submission(
            app: stage.app,
            audience: audience,
            content: Content(title: "T"),
            inbox: InboxDraft(),
            inboxBadge: .unread
        )
        let id = try await stage.submitter.submit(submission, idempotency: nil).id
        return try await stage.notification(id)
    }

    @Test("read on one device, the next push has the new number for all three, and a retry the number of then")
    func badges() async throws {
        let stage = try await Stage()
        for index in 0..<3 { try await stage.register(Stage.token(index), user: "ann") }
        let owner = InboxOwner(app: stage.app.row, user: "ann")
        try await stage.dispatching {
            let first = try await send(stage, to: .users(["ann"]))
            try await stage.advance { try await stage.notification(first.id).state == .done }
            let second = try await send(stage, to: .all)
            try await stage.advance { try await stage.notification(second.id).state == .done }
            #expect(stage.provider.attempts.map(\.badge) == [1, 1, 1, 2, 2, 2])
            let counts = try await stage.store.markInbox(.items([first.id], .read), of: owner)
            #expect(counts.unread == 1)
            stage.provider.script(Stage.token(0), .answer(PipelineTests.unavailable), .answer(.accepted))
            let third = try await send(stage, to: .users(["ann"]))
            await stage.provider.untilAttempts(9)
            _ = try await stage.store.markInbox(.items([second.id], .read), of: owner)
            try await stage.advance { try await stage.notification(third.id).state == .done }
            let last = stage.provider.attempts.dropFirst(6)
            #expect(last.prefix(3).map(\.badge) == [2, 2, 2])
            #expect(last.last?.badge == 1)
            #expect(last.last?.id == last.first { $0.token == Stage.token(0) }?.id)
        }
        #expect(stage.provider.attempts.count == 10)
    }

    @Test("an app that asks for it tells a person's other devices after a read, at most every half minute")
    func badgeSync() async throws {
        let stage = try await Stage()
        for index in 0..<2 { try await stage.register(Stage.token(index), user: "ann") }
        let reader = PublicID(high: 7, low: 7)
        try await registerInstallation(reader, stage)
        try await stage.execute("UPDATE apps SET has_badge_sync = 1")
        let worker = worker(stage)
        let owner = InboxOwner(app: stage.app.row, user: "ann")
        try await stage.dispatching {
            var sent: [MartletCore.Notification] = []
            for _ in 0..<6 { sent.append(try await send(stage, to: .users(["ann"]))) }
            for id in sent.map(\.id) { try await stage.advance { try await stage.notification(id).state == .done } }
            #expect(stage.provider.attempts.count == 18)
            func read(_ index: Int, on installation: PublicID?) async throws {
                _ = try await stage.store.markInbox(.items([sent[index].id], .read), of: owner, on: installation)
            }
            _ = try await stage.store.markInbox(.items([sent[0].id], .see), of: owner, on: reader)
            #expect(try await worker.work() == 0)
            try await read(0, on: reader)
            #expect(try await worker.work() == 1)
            await stage.provider.untilAttempts(20)
            let first = stage.provider.attempts.suffix(2)
            #expect(Set(first.map(\.token)) == [Stage.token(0), Stage.token(1)])
            #expect(first.map(\.badge) == [5, 5])
            #expect(first.map(removed) == [[sent[0].id], [sent[0].id]])
            // What is read within the half minute, on whichever device, is told at its end, and what was told before.
            try await read(1, on: reader)
            try await read(2, on: nil)
            _ = try await stage.store.markInbox(.all(upTo: sent[4].id, .read, category: nil), of: owner, on: reader)
            #expect(try await worker.work() == 0)
            stage.clock.advance(by: BadgeSync.interval)
            #expect(try await worker.work() == 1)
            await stage.provider.untilAttempts(23)
            let second = stage.provider.attempts.suffix(3)
            #expect(Set(second.map(\.token)).count == 3)
            #expect(second.map(\.badge) == [1, 1, 1])
            #expect(second.allSatisfy { Set(removed($0)) == Set(sent.prefix(5).map(\.id)) })
            stage.clock.advance(by: BadgeSync.interval)
            #expect(try await worker.work() == 0)
            // A tap reads too.
            try await open(sent[5].id, on: reader, stage)
            #expect(try await worker.work() == 1)
            await stage.provider.untilAttempts(25)
            #expect(stage.provider.attempts.suffix(2).map(\.badge) == [0, 0])
            #expect(Set(stage.provider.attempts.suffix(7).map { $0.message.headers["collapse-id"] }).count == 1)
        }
        #expect(stage.provider.attempts.count == 25)
    }

    @Test(
        "a recall removes what is shown from whoever it was sent to, also when their topic is gone, and nothing where nothing was sent"
    )
    func recall() async throws {
        let stage = try await Stage()
        for index in 0..<2 { try await stage.register(Stage.token(index), user: "user\(index)") }
        let service = service(stage)
        try await stage.dispatching {
            for audience in [Audience.users(["user0"]), .all] {
                let sent = try await send(stage, to: audience)
                try await stage.advance { try await stage.notification(sent.id).state == .done }
                let before = stage.provider.attempts.count
                let accepted = try await stage.notification(sent.id).counts.accepted
                _ = try await service.recall(sent.row)
                _ = try await service.recall(sent.row)
                await stage.provider.untilAttempts(before + accepted)
                let removals = stage.provider.attempts.dropFirst(before)
                #expect(removals.count == accepted)
                let ids = Set(removals.map { $0.message.headers["collapse-id"] })
                #expect(ids == ["martlet.remove.\(sent.id)"])
            }
            let topic = try await stage.makeTopic()
            try await stage.subscribe(.user("user1", app: stage.app.row), to: topic)
            let published = try await send(stage, to: .topic(TopicSelection(topic)))
            try await stage.advance { try await stage.notification(published.id).state == .done }
            _ = try await stage.store.deleteTopic(topic.row)
            let shown = stage.provider.attempts.count
            _ = try await service.recall(published.row)
            await stage.provider.untilAttempts(shown + 1)
            let removal = try #require(stage.provider.attempts.last)
            #expect(removal.token == Stage.token(1))
            #expect(removal.message.headers["collapse-id"] == "martlet.remove.\(published.id)")
            let before = stage.provider.attempts.count
            let nobody = try await send(stage, to: .users(["nobody"]))
            _ = try await service.recall(nobody.row)
            let page = try await stage.store.notifications(.all(of: nil, state: nil), PageRequest())
            #expect(page.items.first?.id == nobody.id)
            #expect(stage.provider.attempts.count == before)
        }
    }

    @Test("a recall tells each device that it was sent to, whoever it was for, and nobody's device in the background")
    func recallTellsAll() async throws {
        let stage = try await Stage()
        for index in 0..<2 { try await stage.register(Stage.token(index), user: "user\(index)") }
        let anonymous = try await stage.register(Stage.token(2))
        let devices = try await stage.register(Stage.token(3))
        let service = service(stage)
        try await stage.dispatching {
            let audiences: [(Audience, Set<Int>)] = [
                (.all, [0, 1, 2, 3]), (.users(["user1"]), [1]), (.endpoints([anonymous.id, devices.id]), [2, 3]),
            ]
            for (audience, expected) in audiences {
                let sent = try await send(stage, to: audience)
                try await stage.advance { try await stage.notification(sent.id).state == .done }
                let before = stage.provider.attempts.count
                _ = try await service.recall(sent.row)
                await stage.provider.untilAttempts(before + expected.count)
                try await stage.advance { try await stage.store.dueWork().queues.isEmpty }
                let told = stage.provider.attempts.dropFirst(before)
                #expect(told.map(\.token).sorted() == expected.map(Stage.token).sorted())
                #expect(told.allSatisfy { removed($0) == [sent.id] })
                for push in told {
                    let hasUser = [0, 1].map(Stage.token).contains(push.token)
                    #expect(push.badge == (hasUser ? 0 : nil))
                    #expect(push.message.headers["push-type"] == (hasUser ? nil : "background"))
                }
            }
            // Who came after an announcement to everybody is not woken for it.
            let sent = try await send(stage, to: .all)
            try await stage.advance { try await stage.notification(sent.id).state == .done }
            let before = stage.provider.attempts.count
            try await stage.register(Stage.token(4))
            _ = try await service.recall(sent.row)
            await stage.provider.untilAttempts(before + 4)
            try await stage.advance { try await stage.store.dueWork().queues.isEmpty }
            #expect(Set(stage.provider.attempts.dropFirst(before).map(\.token)) == Set((0..<4).map(Stage.token)))
        }
    }

    @Test("a recall tells who was sent to and no device that is new, with the number that the icon shows now")
    func recallTellsTheBadge() async throws {
        let stage = try await Stage()
        let settings = AppSettings(hasBadgeSync: true)
        _ = try await stage.store.updateApp(stage.app.row, name: nil, identity: nil, settings: settings)
        try await stage.register(Stage.token(0), user: "user0")
        let service = service(stage)
        try await stage.dispatching {
            let kept = try await send(stage, to: .users(["user0"]))
            let sent = try await send(stage, to: .users(["user0"]))
            for one in [kept, sent] { try await stage.advance { try await stage.notification(one.id).state == .done } }
            let before = stage.provider.attempts.count
            try await stage.register(Stage.token(1), user: "user0")
            _ = try await service.recall(sent.row)
            await stage.provider.untilAttempts(before + 1)
            try await stage.advance { try await stage.store.dueWork().queues.isEmpty }
            let told = stage.provider.attempts.dropFirst(before)
            #expect(told.map(\.token) == [Stage.token(0)])
            #expect(told.map(\.badge) == [1])
        }
    }
}
