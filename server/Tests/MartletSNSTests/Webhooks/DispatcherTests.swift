import Foundation
import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS
@testable import MartletSQLite
@testable import MartletStore
@testable import MartletWebhooks

@Suite("The dispatcher for webhook URLs")
struct WebhookDispatcherTests {
    @Test("delivers what is published while it runs, tries again, and stops")
    func runs() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            let running = Task { await stage.dispatcher.run() }
            stage.receiver.answer(.status(.serviceUnavailable))
            try await stage.publish("one")
            #expect(try ReadEnvelope(await stage.receiver.next().body)["Message"] == "one")
            while stage.number(of: "retried") == 0 { await Task.yield() }
            stage.clock.advance(by: .seconds(20))
            #expect(try ReadEnvelope(await stage.receiver.next().body)["Message"] == "one")
            while stage.number(of: "delivered") == 0 { await Task.yield() }
            running.cancel()
            await running.value
        }
    }

    @Test("makes no call a second time because the clock is set forward while it is under way")
    func clockSetForward() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            let running = Task { await stage.dispatcher.run() }
            try await stage.publish("one")
            _ = await stage.receiver.next()
            while stage.number(of: "delivered") == 0 { await Task.yield() }
            stage.receiver.answer(.never)
            try await stage.publish("two")
            _ = await stage.receiver.next()
            stage.clock.set(by: .seconds(3_600))
            try await stage.publish("three")
            #expect(try ReadEnvelope(await stage.receiver.next().body)["Message"] == "three")
            while stage.number(of: "delivered") < 2 { await Task.yield() }
            await stage.stop(running)
            #expect(stage.receiver.all.count == 3)
        }
    }

    @Test("gives back what is under way when it stops, and keeps no lease")
    func stops() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            let running = Task { await stage.dispatcher.run() }
            stage.receiver.answer(.never)
            try await stage.publish()
            _ = await stage.receiver.next()
            running.cancel()
            let end = stage.clock.now() + stage.dispatcher.limits.grace
            while stage.clock.nextDeadline != end { await Task.yield() }
            stage.clock.advance(to: end)
            await running.value
            #expect(try await stage.round() == 1)
            #expect(stage.receiver.all.count == 2)
        }
    }

    @Test("calls once where what became of it can be recorded only later", .timeLimit(.minutes(1)))
    func recordsLater() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            let store = stage.store
            let refuse = """
                CREATE TRIGGER refuse BEFORE DELETE ON webhook_deliveries BEGIN SELECT raise(ABORT, 'away'); END
                """
            try await store.write { try $0.prepare(refuse).run() }
            try await stage.publish("one")
            let round = Task { try await stage.round() }
            for pause in 1...2 {
                let end = stage.clock.now() + .seconds(pause)
                while stage.clock.nextDeadline != end {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                if pause == 2 { try await store.write { try $0.prepare("DROP TRIGGER refuse").run() } }
                stage.clock.advance(to: end)
            }
            #expect(try await round.value == 1)
            #expect(stage.number(of: "delivered") == 1)
            stage.clock.advance(by: WebhookDelivery.lease)
            #expect(try await stage.round() == 0)
            #expect(stage.receiver.all.count == 1)
        }
    }

    @Test("begins no call after the lease's end, by a clock that goes on while the process stands still")
    func frozen() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            try await stage.publish()
            #expect(try await stage.round(since: ContinuousClock.now - WebhookDelivery.lease) == 1)
            #expect(stage.receiver.all.isEmpty)
            #expect(try await stage.round() == 1)
            #expect(stage.receiver.all.count == 1)
        }
    }

    @Test("takes nothing while others may take this process for gone", .timeLimit(.minutes(1)))
    func absent() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            try await stage.publish("one")
            let presence = LeaseTerm(of: Presence.timeout)
            var dispatcher = stage.dispatcher
            dispatcher.presence = presence
            let absent = dispatcher
            let running = Task { await absent.run() }
            await stage.clock.untilAsleep(2)
            #expect(try await stage.round() == 1, "it is still there")
            presence.renew(since: .now)
            try await stage.publish("two")
            stage.clock.advance(by: stage.dispatcher.limits.poll)
            while stage.number(of: "delivered") < 2 {
                try Task.checkCancellation()
                await Task.yield()
            }
            await stage.stop(running)
        }
    }

    @Test("keeps delivering to hosts that answer while new ones hang", .timeLimit(.minutes(10)))
    func hangingHosts() async throws {
        try await run { stage in
            stage.receiver.hang(under: "/never")
            try await stage.subscribe(hosts: 8, paths: 10, under: "/never")
            try await stage.subscribe(hosts: 1, paths: 20, under: "/well")
            let running = Task { await stage.dispatcher.run() }
            try await stage.publish()
            // Nobody moves the clock: no call of a host that hangs ends.
            try await stage.untilDelivered(20)
            #expect(stage.receiver.all.count { $0.path.hasPrefix("/never") } <= 60)
            #expect(stage.receiver.all.count { $0.path.hasPrefix("/well") } == 20)
            await stage.stop(running)
        }
    }

    @Test("keeps delivering to others while eight hosts hang that have answered so far", .timeLimit(.minutes(10)))
    func hostsThatBeginToHang() async throws {
        try await run { stage in
            try await stage.subscribe(hosts: 8, paths: 10, under: "/some")
            let running = Task { await stage.dispatcher.run() }
            try await stage.publish()
            try await stage.untilDelivered(80)
            stage.receiver.hang(under: "/some")
            try await stage.subscribe(hosts: 2, paths: 20, under: "/well")
            try await stage.publish()
            try await stage.untilDelivered(120)
            #expect(stage.receiver.all.count { $0.path.hasPrefix("/some") } <= 80 + 60)
            #expect(stage.receiver.all.count { $0.path.hasPrefix("/well") } == 40)
            await stage.stop(running)
        }
    }

    @Test("reads the recipients of messages behind one whose recipients it cannot read", .timeLimit(.minutes(10)))
    func unreadableRecipients() async throws {
        try await run { stage in
            let draft = TopicDraft(region: "eu-west-1", name: "damaged")
            let damaged = try await stage.store.createTopic(draft).topic
            let address = stage.address("/damaged")
            var subscription = SubscriptionDraft(topic: damaged.row, subject: .webhook(address), address: address)
            subscription.filter = try SubscriptionFilter(#"{"kind":["a"]}"#)
            _ = try await stage.store.subscribe(subscription)
            let store = stage.store
            try await store.write { transaction in
                for sql in ["PRAGMA ignore_check_constraints = ON", "UPDATE filter_policies SET scope = 9"] {
                    try transaction.prepare(sql).run()
                }
            }
            try await stage.subscribe(hosts: 1, paths: 2, under: "/well")
            try await stage.publish("lost", to: damaged)
            let running = Task { await stage.dispatcher.run() }
            try await stage.publish("found")
            try await stage.untilDelivered(2)
            #expect(stage.receiver.all.allSatisfy { $0.path.hasPrefix("/well") })
            await stage.stop(running)
        }
    }

    /// Runs a test with hosts that are all here.
    private func run(_ test: @escaping @Sendable (WebhookStage) async throws -> Void) async throws {
        let here = [IPAddress("127.0.0.1")].compactMap { $0 }
        try await WebhookStage.run(resolve: { _ in here }, test)
    }

    @Test("shows an administrator what was given up, without the address's password")
    func deadLetters() async throws {
        try await WebhookStage.run { stage in
            let secret = Secret(prefix: "mk_admin_")
            _ = try await stage.store.createKey(app: nil, scope: .admin, name: "a", prefix: "mk_", hash: secret.hash)
            let address = stage.address().replacing("127.0.0.1", with: "user:secret@127.0.0.1")
            let hook = try await stage.subscribe(address)
            stage.receiver.answer(.status(.gone))
            let id = try await stage.publish("lost", subject: "s")
            #expect(try await stage.round() == 1)
            #expect(try await stage.get("/api/v1/webhook-dead-letters").status == 401)
            let (status, body) = try await stage.get("/api/v1/webhook-dead-letters", key: secret.text)
            #expect(status == 200)
            #expect(!body.contains("secret"))
            for text in [
                id.description, hook.id.description, #""message":"lost""#, #""reason":"answered 410""#,
                "arn:aws:sns:eu-west-1:123456789012:news",
            ] {
                #expect(body.contains(text), "\(body)")
            }
        }
    }

    @Test("sends an administrator's dead letter again, once, with the password that is not shown")
    func retriesDeadLetters() async throws {
        try await WebhookStage.run { stage in
            let secret = Secret(prefix: "mk_admin_")
            _ = try await stage.store.createKey(app: nil, scope: .admin, name: "a", prefix: "mk_", hash: secret.hash)
            let hook = try await stage.subscribe(stage.address().replacing("127.0.0.1", with: "user:pass@127.0.0.1"))
            stage.receiver.answer(.status(.gone))
            let id = try await stage.publish("lost")
            #expect(try await stage.round() == 1)
            let letter = try #require(try await stage.store.failedWork(WebhookDeadLetter.self).items.first)
            let path = "/api/v1/webhook-dead-letters/\(letter.id)/retry"
            #expect(try await stage.post(path).status == 401)
            let first = try await stage.post(path, key: secret.text)
            #expect(first.status == 202)
            #expect(first.body.contains(id.description))
            #expect(!first.isReplayed)
            let second = try await stage.post(path, key: secret.text)
            #expect((second.status, second.body) == (202, first.body))
            #expect(second.isReplayed)
            let list = try await stage.get("/api/v1/webhook-dead-letters", key: secret.text)
            #expect(!list.body.contains(letter.id.description))
            #expect(try await stage.round() == 1)
            let got = try #require(stage.receiver.all.last)
            #expect(try ReadEnvelope(got.body)["MessageId"] == id.description)
            #expect(got.field("authorization") == "Basic dXNlcjpwYXNz")

            stage.receiver.answer(.status(.gone))
            try await stage.publish("lost as well")
            #expect(try await stage.round() == 1)
            let other = try #require(try await stage.store.failedWork(WebhookDeadLetter.self).items.first)
            #expect(try await stage.store.unsubscribe(hook.row))
            let ended = try await stage.post("/api/v1/webhook-dead-letters/\(other.id)/retry", key: secret.text)
            #expect(ended.status == 404)
            #expect(ended.body.contains("has ended"))
            let unknown = try await stage.post("/api/v1/webhook-dead-letters/\(id)/retry", key: secret.text)
            #expect(unknown.status == 404)
        }
    }

    @Test(
        "sends the word of an end again while the end can be taken back, and not when it was",
        arguments: [false, true]
    )
    func retriesUnsubscribeConfirmations(isRestored: Bool) async throws {
        try await WebhookStage.run { stage in
            let secret = Secret(prefix: "mk_admin_")
            _ = try await stage.store.createKey(app: nil, scope: .admin, name: "a", prefix: "mk_", hash: secret.hash)
            let hook = try await stage.subscribe()
            let name = "arn:aws:sns:eu-west-1:123456789012:news:\(hook.id)"
            _ = try await stage.perform("Action=Unsubscribe&SubscriptionArn=\(name)")
            stage.receiver.answer(.status(.gone))
            #expect(try await stage.round() == 1)
            let word = try ReadEnvelope(try #require(stage.receiver.all.first).body)
            if isRestored { #expect(try await stage.get(word["SubscribeURL"]).status == 200) }

            let letter = try #require(try await stage.store.failedWork(WebhookDeadLetter.self).items.first)
            let path = "/api/v1/webhook-dead-letters/\(letter.id)/retry"
            let answer = try await stage.post(path, key: secret.text)
            #expect(answer.status == (isRestored ? 409 : 202), "\(answer.body)")
            #expect(answer.body.contains("was restored") == isRestored)
            #expect(try await stage.round() == (isRestored ? 0 : 1))
            guard !isRestored else { return }
            let again = try #require(stage.receiver.all.last)
            #expect(again.field("x-amz-sns-message-type") == "UnsubscribeConfirmation")
            #expect(again.field("x-amz-sns-subscription-arn") == name)
            #expect(try ReadEnvelope(again.body)["Token"] == word["Token"])
        }
    }

    @Test("says in /metrics what it delivered and what waits")
    func metrics() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            stage.receiver.answer(.status(.ok), .status(.notFound))
            for _ in 0..<2 { try await stage.publish() }
            #expect(try await stage.round() == 2)
            try await stage.publish()
            let text = try await stage.get("/metrics").body
            #expect(text.contains("martlet_webhook_deliveries_total{result=\"delivered\"} 1\n"))
            #expect(text.contains("martlet_webhook_deliveries_total{result=\"dead\"} 1\n"))
            #expect(text.contains("martlet_webhook_dead_letters 1\n"))
            #expect(text.contains("martlet_webhook_silent_hosts 0\n"))
        }
    }
}
