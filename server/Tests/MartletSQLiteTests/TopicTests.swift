import MartletCore
import MartletFilter
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// What the conformance suite does not see of topics.
@Suite struct TopicTests {
    @Test("a topic has as many different policies as is set; equal ones share a row, which goes with the last use")
    func policiesPerTopic() async throws {
        let options = Store.Options(policiesPerTopic: 2)
        let store = try await SQLiteStore.inMemory(clock: ManualClock(), options: options)
        let app = try await store.createApp(name: "one", identity: Identity())
        let topic = try await store.createTopic(TopicDraft(name: "news")).topic
        func subscribe(_ user: String, _ kind: String) async throws -> Subscription {
            let draft = SubscriptionDraft(
                topic: topic.row,
                subject: .user(user, app: app.row),
                address: user,
                filter: try SubscriptionFilter(#"{"kind":["\#(kind)"]}"#)
            )
            return try await store.subscribe(draft).subscription
        }
        func policies() async throws -> [Int64] {
            try await store.read { transaction in
                try transaction.prepare("SELECT uses FROM filter_policies ORDER BY id").all { $0.int("uses") }
            }
        }
        let first = try await subscribe("ann", "a")
        let second = try await subscribe("bob", "a")
        let third = try await subscribe("cem", "b")
        #expect(try await policies() == [2, 1])
        let failure = await #expect(throws: Failure.self) { _ = try await subscribe("dan", "c") }
        #expect(failure?.code == .conflict && failure?.detail.field == "filter_policy")
        #expect(try await store.subscriptions(.topic(topic.row), PageRequest()).items.count == 3)
        let change = SubscriptionUpdate(filter: .value(try SubscriptionFilter(#"{"kind":["c"]}"#)))
        await #expect(throws: Failure.self) { _ = try await store.updateSubscription(first.row, change) }
        #expect(try await policies() == [2, 1])
        _ = try await store.updateSubscription(third.row, change)
        #expect(try await policies() == [2, 1])
        for one in [first, second, third] { _ = try await store.unsubscribe(one.row) }
        #expect(try await policies() == [])
        let count = try await store.read { try $0.policyCount(of: topic.row) }
        #expect(count == 0)
        await store.close()
    }

    @Test("a message that one of thousands of policies matches is accepted without a look at the others' subscribers")
    func looksAtFew() async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let app = try await store.createApp(name: "one", identity: Identity())
        let topic = try await store.createTopic(TopicDraft(name: "news")).topic
        for number in 0..<600 {
            let filter = try SubscriptionFilter(#"{"line":["\#(number)"]}"#)
            let subject = SubscriptionDraft.Subject.user("user\(number)", app: app.row)
            let draft = SubscriptionDraft(topic: topic.row, subject: subject, address: "x", filter: filter)
            _ = try await store.subscribe(draft)
        }
        let message = TopicMessage(attributes: ["line": .init(type: "String", value: "7")])
        var fanOuts: [Bool] = []
        for _ in 0..<2 {
            var draft = NotificationDraft(
                id: NotificationIDs().next(at: Timestamp(milliseconds: 1_750_000_000_000)),
                app: app.row,
                audience: .topic(TopicSelection(topic)),
                content: Content(title: "Delay"),
                priority: .high,
                dedup: nil,
                collapseID: nil,
                sendAt: nil,
                expiresAt: Timestamp(milliseconds: 1_760_000_000_000),
                retry: .standard,
                messages: []
            )
            draft.message = message
            let submitted = try await store.submit(draft, idempotency: nil, gate: Gate(app: app.row, queues: []))
            fanOuts.append(submitted.fanOut == nil)
            for fanOut in try await store.leaseFanOuts(limit: 1, lease: Lease(holder: 1)) {
                let page = try await store.audience(of: fanOut, limit: 1_000)
                #expect(page.usersWithoutEndpoint.count == 1 && page.next == nil)
                _ = try await store.commit(Gate(app: app.row, queues: []).decide(page), of: fanOut)
            }
        }
        // The first has six hundred policies to compile, which the fan-out does; the second finds them compiled.
        #expect(fanOuts == [true, false])
        await store.close()
    }
}
