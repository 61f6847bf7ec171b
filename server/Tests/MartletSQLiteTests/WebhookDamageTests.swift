import GRDB
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// What waits for webhook URLs and cannot be read keeps nothing else waiting.
@Suite struct WebhookDamageTests {
    private let clock = ManualClock()

    private func message(_ topic: Topic, _ number: Int64) -> WebhookMessage {
        WebhookMessage(
            id: PublicID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64(number)),
            topic: topic.row,
            topicName: "arn",
            recipients: .subscribers(TopicMessage()),
            document: "text"
        )
    }

    @Test("a subscription that cannot be read waits an hour; others are served")
    func subscription() async throws {
        let store = try await SQLiteStore.inMemory(clock: clock)
        let topic = try await store.createTopic(TopicDraft(name: "news")).topic
        for url in ["https://example.com/1", "https://example.com/2"] {
            let draft = SubscriptionDraft(topic: topic.row, subject: .webhook(url), address: url)
            _ = try await store.subscribe(draft)
        }
        _ = try await store.enqueue(message(topic, 1))
        while try await store.fanOutWebhooks(after: nil, limit: 10) != nil {}
        try await store.sqlite.write {
            try $0.execute(sql: "UPDATE subscriptions SET attributes = '{' WHERE id = 1")
        }
        let permits = Permits<String>(total: 10, perQueue: 10)
        let leased = try await store.leaseWebhooks(permits, lease: Lease(holder: 1)).deliveries
        #expect(leased.map(\.subscription.address) == ["https://example.com/2"])
        try await store.sqlite.write {
            try $0.execute(sql: "UPDATE subscriptions SET attributes = '{}' WHERE id = 1")
        }
        clock.advance(by: .seconds(3_600))
        #expect(try await store.leaseWebhooks(permits, lease: Lease(holder: 2)).deliveries.count == 2)
    }

    @Test("a message whose attributes cannot be read goes to those who take all; the next one is read")
    func attributes() async throws {
        let store = try await SQLiteStore.inMemory(clock: clock)
        let topic = try await store.createTopic(TopicDraft(name: "news")).topic
        let url = "https://example.com/"
        _ = try await store.subscribe(SubscriptionDraft(topic: topic.row, subject: .webhook(url), address: url))
        for number in 1...2 { _ = try await store.enqueue(message(topic, Int64(number))) }
        try await store.sqlite.write {
            try $0.execute(sql: "UPDATE webhook_messages SET filtered = '{' WHERE id = 1")
        }
        while try await store.fanOutWebhooks(after: nil, limit: 10) != nil {}
        #expect(try await store.statistics().webhooks.deliveries == 2)
    }

    @Test("a message whose recipients cannot be read is named, and those behind it are read")
    func recipients() async throws {
        let store = try await SQLiteStore.inMemory(clock: clock)
        var rows: [RowID<WebhookMessage>] = []
        for name in ["damaged", "well"] {
            let topic = try await store.createTopic(TopicDraft(name: name)).topic
            let url = "https://example.com/\(name)"
            var draft = SubscriptionDraft(topic: topic.row, subject: .webhook(url), address: url)
            if name == "damaged" { draft.filter = try SubscriptionFilter(#"{"kind":["a"]}"#) }
            _ = try await store.subscribe(draft)
            _ = try await store.enqueue(message(topic, Int64(rows.count)))
            rows.append(RowID(Int64(rows.count + 1)))
        }
        try await store.sqlite.write {
            try $0.execute(sql: "PRAGMA ignore_check_constraints = ON; UPDATE filter_policies SET scope = 9")
        }
        let failure = await #expect(throws: WebhookFanOutFailure.self) {
            _ = try await store.fanOutWebhooks(after: nil, limit: 10)
        }
        #expect(failure?.row == rows[0])
        #expect(try await store.fanOutWebhooks(after: rows[0], limit: 10) == rows[1])
        #expect(try await store.statistics().webhooks.deliveries == 1)
    }

    @Test("a subscription that cannot be read for a day leaves a dead letter")
    func unreadableForLong() async throws {
        let store = try await SQLiteStore.inMemory(clock: clock)
        let topic = try await store.createTopic(TopicDraft(name: "news")).topic
        let url = "https://example.com/"
        _ = try await store.subscribe(SubscriptionDraft(topic: topic.row, subject: .webhook(url), address: url))
        _ = try await store.enqueue(message(topic, 1))
        while try await store.fanOutWebhooks(after: nil, limit: 10) != nil {}
        try await store.sqlite.write { try $0.execute(sql: "UPDATE subscriptions SET attributes = '{'") }
        let permits = Permits<String>(total: 10, perQueue: 10)
        for hour in 0..<24 {
            let leased = try await store.leaseWebhooks(permits, lease: Lease(holder: 1))
            #expect((leased.deliveries.count, leased.expired) == (0, 0), "hour \(hour)")
            clock.advance(by: .seconds(3_600))
        }
        #expect(try await store.leaseWebhooks(permits, lease: Lease(holder: 1)).expired == 1)
        #expect(try await store.statistics().webhooks == WebhookBacklog(deadLetters: 1))
    }
}
