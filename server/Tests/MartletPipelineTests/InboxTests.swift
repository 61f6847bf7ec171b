import Logging
import MartletCore
import MartletTesting
import MartletWire
import Testing

/// What phones are told of what a person does in their inbox.
@Suite(.stageLimit) struct InboxTests {
    private func service(_ stage: Stage) -> InboxService {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        return InboxService(store: stage.store, submitter: stage.submitter, logger: logger)
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
        let service = service(stage)
        let owner = InboxOwner(app: stage.app.row, user: "ann")
        try await stage.dispatching {
            let first = try await send(stage, to: .users(["ann"]))
            try await stage.advance { try await stage.notification(first.id).state == .done }
            let second = try await send(stage, to: .all)
            try await stage.advance { try await stage.notification(second.id).state == .done }
            #expect(stage.provider.attempts.map(\.badge) == [1, 1, 1, 2, 2, 2])
            let counts = try await service.mark(.items([first.id], .read), of: owner)
            #expect(counts.unread == 1)
            stage.provider.script(Stage.token(0), .answer(PipelineTests.unavailable), .answer(.accepted))
            let third = try await send(stage, to: .users(["ann"]))
            await stage.provider.untilAttempts(9)
            _ = try await service.mark(.items([second.id], .read), of: owner)
            try await stage.advance { try await stage.notification(third.id).state == .done }
            let last = stage.provider.attempts.dropFirst(6)
            #expect(last.prefix(3).map(\.badge) == [2, 2, 2])
            #expect(last.last?.badge == 1)
            #expect(last.last?.id == last.first { $0.token == Stage.token(0) }?.id)
        }
        #expect(stage.provider.attempts.count == 10)
    }

    @Test("an app that asks for it tells a person's devices the number after a read, at most every half minute")
    func badgeSync() async throws {
        let stage = try await Stage()
        for index in 0..<2 { try await stage.register(Stage.token(index), user: "ann") }
        try await stage.execute("UPDATE apps SET has_badge_sync = 1")
        let service = service(stage)
        let owner = InboxOwner(app: stage.app.row, user: "ann")
        try await stage.dispatching {
            var sent: [MartletCore.Notification] = []
            for _ in 0..<4 { sent.append(try await send(stage, to: .users(["ann"]))) }
            for id in sent.map(\.id) { try await stage.advance { try await stage.notification(id).state == .done } }
            #expect(stage.provider.attempts.count == 8)
            _ = try await service.mark(.items([sent[0].id], .see), of: owner)
            _ = try await service.mark(.items([sent[0].id], .read), of: owner)
            await stage.provider.untilAttempts(10)
            #expect(stage.provider.attempts.suffix(2).map(\.badge) == [3, 3])
            _ = try await service.mark(.items([sent[1].id], .read), of: owner)
            _ = try await service.mark(.items([sent[2].id], .read), of: owner)
            #expect(stage.provider.attempts.count == 10)
            try await stage.advance { stage.provider.attempts.count == 12 }
            #expect(stage.provider.attempts.suffix(2).map(\.badge) == [1, 1])
            #expect(Set(stage.provider.attempts.suffix(4).map { $0.message.headers["collapse-id"] }).count == 1)
        }
        #expect(stage.provider.attempts.count == 12)
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
}
