import MartletCore
import MartletFilter
import MartletStore
import MartletWire

extension StoreConformance {
    /// What waits for webhook URLs.
    static let webhooks: [Check] =
        [
            Check("a message goes to the confirmed webhook URLs whose filter takes it, and to nobody else") { world in
                let topic = try await world.makeTopic()
                let taken = try await world.hook(topic, "https://a.example/1")
                _ = try await world.hook(topic, "https://a.example/2", #"{"kind":["other"]}"#)
                let matched = try await world.hook(topic, "https://b.example/", #"{"kind":["delay"]}"#)
                _ = try await world.store.subscribe(world.webhook("https://c.example/", topic, isPending: true))
                _ = try await world.hook(try await world.makeTopic("other"), "https://d.example/")
                try expect(try await world.enqueueWebhooks(topic, kind: "delay"), "not accepted")
                _ = try await world.hook(topic, "https://late.example/")
                try await world.fanOutWebhooks()
                let leased = try await world.leaseWebhooks()
                try expect(Set(leased.map(\.subscription.row)), is: [taken.row, matched.row], "recipients")
                let first = try unwrap(leased.first, "delivery")
                try expect(first.document, is: "text", "document")
                try expect(first.attempts, is: 0, "attempts")
                try expect(first.queue, is: "a.example", "queue")
            },
            Check("a topic without a confirmed webhook URL takes nothing of a message for them") { world in
                let topic = try await world.makeTopic()
                _ = try await world.store.subscribe(world.webhook("https://c.example/", topic, isPending: true))
                try expect(try await !world.enqueueWebhooks(topic), "accepted")
                try expect(try await world.store.statistics().webhooks, is: WebhookBacklog(), "backlog")
            },
            Check("a query goes to one webhook URL that is not confirmed") { world in
                let topic = try await world.makeTopic()
                let draft = world.webhook("https://c.example/", topic, isPending: true)
                let pending = try await world.store.subscribe(draft).subscription
                let message = world.webhookMessage(topic, .subscription(pending.row))
                try expect(try await world.store.enqueue(message), "not accepted")
                try expect(try await world.leaseWebhooks().map(\.subscription), is: [pending], "recipient")
            },
            Check("recipients are read in parts, messages in turn, each recipient once") { world in
                let topic = try await world.makeTopic()
                for number in 0..<25 { _ = try await world.hook(topic, "https://h\(number % 5).example/\(number)") }
                for _ in 0..<2 { _ = try await world.enqueueWebhooks(topic) }
                var rows: [RowID<WebhookMessage>] = []
                var last: RowID<WebhookMessage>?
                while rows.count < 20 {
                    last = try await world.store.fanOutWebhooks(after: last, limit: 10)
                    if let last { rows.append(last) } else if try await world.isRead() { break }
                }
                try expect(rows.count, is: 6, "parts")
                try expect(Set(rows.prefix(2)).count, is: 2, "messages in the first two parts")
                let leased = try await world.leaseWebhooks(100)
                try expect(leased.count, is: 50, "deliveries")
                try expect(Set(leased.map { "\($0.message) \($0.subscription.row)" }).count, is: 50, "different ones")
            },
            Check("a delivery is not leased again by the process that holds it when the clock is set forward") {
                world in
                let topic = try await world.makeTopic()
                _ = try await world.hook(topic, "https://a.example/")
                _ = try await world.enqueueWebhooks(topic)
                try await world.fanOutWebhooks()
                let lease = world.newLease()
                let permits = Permits<String>(total: 10, perQueue: 10)
                let one = try unwrap(
                    try await world.store.leaseWebhooks(permits, lease: lease).deliveries.first,
                    "delivery"
                )
                world.clock.advance(by: WebhookDelivery.longestLife)
                let again = Lease.new(process: lease.process)
                let found = try await world.store.leaseWebhooks(permits, lease: again)
                try expect(found.deliveries, is: [], "its own")
                try expect(found.expired, is: 0, "given up")
                try expect(try await world.leaseWebhooks(), is: [], "its lease is longer now")
                try await world.store.settle(one, .dead(reason: "gone"), lease: lease)
                try expect(try await world.store.statistics().webhooks.deadLetters, is: 1, "recorded by its holder")
            },
            Check("a delivery is leased by one holder until its lease ends; a late holder records only success") {
                world in
                let topic = try await world.makeTopic()
                _ = try await world.hook(topic, "https://a.example/")
                _ = try await world.enqueueWebhooks(topic)
                try await world.fanOutWebhooks()
                let (first, second) = (world.newLease(), world.newLease())
                let permits = Permits<String>(total: 10, perQueue: 10)
                let one = try unwrap(
                    try await world.store.leaseWebhooks(permits, lease: first).deliveries.first,
                    "delivery"
                )
                try expect(try await world.leaseWebhooks(), is: [], "leased twice")
                world.clock.advance(by: WebhookDelivery.lease)
                let again = try await world.store.leaseWebhooks(permits, lease: second).deliveries
                try expect(again.map(\.row), is: [one.row], "after the lease")
                try await world.store.settle(one, .dead(reason: "late"), lease: first)
                try expect(
                    try await world.store.statistics().webhooks.deadLetters,
                    is: 0,
                    "dead letters of a late holder"
                )
                try await world.store.settle(one, .delivered, lease: first)
                try expect(try await world.store.statistics().webhooks, is: WebhookBacklog(), "backlog")
            },
            Check("a retry counts and waits for its time, a deferral only waits; what is given up is kept whole") {
                world in
                let topic = try await world.makeTopic()
                let hook = try await world.hook(topic, "https://a.example/")
                _ = try await world.enqueueWebhooks(topic)
                try await world.fanOutWebhooks()
                let lease = world.newLease()
                var one = try unwrap(try await world.leaseWebhooks(1, lease).first, "delivery")
                try await world.store.settle(one, .deferred(until: world.now + .seconds(5)), lease: lease)
                let next = try await world.store.leaseWebhooks(Permits(total: 1, perQueue: 1), lease: lease)
                try expect(next, is: LeasedWebhooks(next: world.now + .seconds(5)), "deferred")
                world.clock.advance(by: .seconds(5))
                one = try unwrap(try await world.leaseWebhooks(1, lease).first, "deferred delivery")
                try expect(one.attempts, is: 0, "attempts after a deferral")
                let retry = WebhookOutcome.retry(at: world.now + .seconds(20), reason: "answered 503")
                try await world.store.settle(one, retry, lease: lease)
                try expect(try await world.leaseWebhooks(), is: [], "before its time")
                world.clock.advance(by: .seconds(20))
                one = try unwrap(try await world.leaseWebhooks(1, lease).first, "retried delivery")
                try expect(one.attempts, is: 1, "attempts after a retry")
                try await world.store.settle(one, .dead(reason: "answered 404"), lease: lease)
                try expect(try await world.store.unsubscribe(hook.row), "not unsubscribed")
                let letter = try unwrap(try await world.store.failedWork(WebhookDeadLetter.self).items.first, "letter")
                try expect(letter.message, is: one.message, "message")
                try expect(letter.subscription, is: hook.id, "subscription")
                try expect(
                    [letter.address, letter.document, letter.reason, letter.topicName],
                    is: ["https://a.example/", "text", "answered 404", "arn:news"],
                    "letter"
                )
                try expect(letter.attempts, is: 2, "attempts")
                try expect(try await world.store.statistics().webhooks, is: WebhookBacklog(deadLetters: 1), "backlog")
                world.clock.advance(by: .seconds(1))
                try await world.purge(.deadLetters)
                try expect(try await world.store.statistics().webhooks, is: WebhookBacklog(), "purged")
            },
        ] + webhookOrder + webhookHosts + webhookEnds

    private static let webhookOrder: [Check] = [
        Check("a host takes its share of calls and leaves the rest to others; the round goes on") { world in
            let topic = try await world.makeTopic()
            for number in 0..<10 { _ = try await world.hook(topic, "https://slow.example/\(number)") }
            _ = try await world.hook(topic, "https://a.example/")
            _ = try await world.hook(topic, "https://z.example/")
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            var permits = Permits<String>(total: 5, perQueue: 3)
            permits.acquire(1, in: "slow.example")
            var leased = try await world.store.leaseWebhooks(permits, lease: world.newLease()).deliveries
            try expect(leased.map(\.queue), is: ["slow.example", "slow.example", "a.example", "z.example"], "queues")
            _ = try await world.hook(topic, "https://a.example/2")
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let next = Permits<String>(total: 3, perQueue: 1)
            leased = try await world.store.leaseWebhooks(next, lease: world.newLease()).deliveries
            try expect(leased.map(\.queue), is: ["slow.example", "a.example", "z.example"], "second round")
            leased = try await world.store.leaseWebhooks(next, lease: world.newLease()).deliveries
            try expect(leased.map(\.queue), is: ["slow.example", "a.example"], "third round")
        },
        Check("messages of a group reach a subscription one after the other, other groups do not wait") { world in
            let topic = try await world.makeTopic("news.fifo", fifo: true)
            _ = try await world.hook(topic, "https://a.example/")
            var ids: [PublicID] = []
            for group in ["one", "one", "two", "one"] {
                let message = world.webhookMessage(topic, .subscribers(TopicMessage()), group: group)
                ids.append(message.id)
                _ = try await world.store.enqueue(message)
            }
            try await world.fanOutWebhooks()
            let lease = world.newLease()
            var leased = try await world.leaseWebhooks(10, lease)
            try expect(leased.map(\.message), is: [ids[0], ids[2]], "first round")
            try expect(try await world.leaseWebhooks(), is: [], "behind the first")
            let retry = WebhookOutcome.retry(at: world.now + .seconds(20), reason: "answered 503")
            try await world.store.settle(leased[0], retry, lease: lease)
            try expect(try await world.leaseWebhooks(), is: [], "behind one that is tried again")
            world.clock.advance(by: .seconds(20))
            leased = try await world.leaseWebhooks(10, lease)
            try expect(leased.map(\.message), is: [ids[0]], "again")
            try await world.store.settle(leased[0], .dead(reason: "answered 404"), lease: lease)
            leased = try await world.leaseWebhooks(10, lease)
            try expect(leased.map(\.message), is: [ids[1]], "second")
            try await world.store.settle(leased[0], .delivered, lease: lease)
            try expect(try await world.leaseWebhooks(10, lease).map(\.message), is: [ids[3]], "third")
        },
        Check("what was accepted is delivered when the topic is deleted, and not when the subscription ends") { world in
            let topic = try await world.makeTopic()
            let kept = try await world.hook(topic, "https://a.example/")
            let ended = try await world.hook(topic, "https://b.example/")
            _ = try await world.enqueueWebhooks(topic)
            try expect(try await world.store.unsubscribe(ended.row), "not unsubscribed")
            try expect(try await world.store.deleteTopic(topic.row), "not deleted")
            try await world.purge(.deletedTopics)
            try await world.fanOutWebhooks()
            let lease = world.newLease()
            let leased = try await world.leaseWebhooks(10, lease)
            try expect(leased.map(\.subscription.row), is: [kept.row], "recipients")
            try await world.store.settle(leased[0], .delivered, lease: lease)
            try expect(try await world.store.statistics().webhooks, is: WebhookBacklog(), "backlog")
            for _ in 0..<3 { try await world.purge(.deletedTopics) }
            try expect(try await world.store.subscription(.row(kept.row)), is: nil, "subscription")
        },
    ]
}

extension World {
    /// A topic that may keep the order of messages.
    fileprivate func makeTopic(_ name: String, fifo: Bool) async throws -> Topic {
        try await store.createTopic(TopicDraft(name: name, isFIFO: fifo)).topic
    }

    /// A confirmed webhook URL.
    func hook(_ topic: Topic, _ url: String, _ policy: String? = nil) async throws -> Subscription {
        var draft = webhook(url, topic)
        draft.filter = try policy.map { try SubscriptionFilter($0) }
        return try await store.subscribe(draft).subscription
    }

    /// A message for webhook URLs.
    func webhookMessage(
        _ topic: Topic,
        _ recipients: WebhookMessage.Recipients,
        group: String? = nil
    ) -> WebhookMessage {
        WebhookMessage(
            id: makeID(),
            topic: topic.row,
            topicName: "arn:\(topic.name)",
            recipients: recipients,
            document: "text",
            group: group
        )
    }

    /// Accepts a message for a topic's webhook URLs.
    func enqueueWebhooks(_ topic: Topic, kind: String = "delay") async throws -> Bool {
        let filtered = TopicMessage(attributes: ["kind": .init(type: "String", value: kind)])
        return try await store.enqueue(webhookMessage(topic, .subscribers(filtered)))
    }

    /// Reads the recipients of all messages.
    func fanOutWebhooks() async throws {
        while try await store.fanOutWebhooks(after: nil, limit: 100) != nil {}
    }

    /// Whether no message has recipients that are not read.
    fileprivate func isRead() async throws -> Bool { try await store.statistics().webhooks.messages == 0 }

    /// Leases deliveries, whatever host they are for.
    func leaseWebhooks(_ limit: Int = 10, _ holder: Lease? = nil) async throws -> [WebhookDelivery] {
        try await store.leaseWebhooks(Permits(total: limit, perQueue: limit), lease: holder ?? newLease()).deliveries
    }
}
