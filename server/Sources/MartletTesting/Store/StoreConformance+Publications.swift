import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Messages to topics: order, repetitions, and all or none.
    static let publications = [
        Check("a FIFO topic numbers its messages from 1, each topic by itself") { world in
            let orders = try await world.makeFIFOTopic("orders.fifo")
            let other = try await world.makeFIFOTopic("other.fifo")
            var numbers: [Int64?] = []
            for id in ["a", "b", "c"] { numbers.append(try await world.publish(id, to: orders).sequenceNumber) }
            numbers.append(try await world.publish("a", to: other).sequenceNumber)
            try expect(numbers, is: [1, 2, 3, 1], "numbers")
            let plain = try await world.publish(nil, to: try await world.makeTopic())
            try expect(plain.sequenceNumber, is: nil, "a topic without order")
        },
        Check("a repetition within five minutes gets the first message's id and number, and is written nowhere") {
            world in
            let app = try await world.makeApp()
            let topic = try await world.makeFIFOTopic("orders.fifo")
            try await world.subscribe(try await world.register(app, 1), to: topic)
            let first = try await world.publish("a", to: topic, of: app)
            world.clock.advance(by: PublicationOrder.window - .milliseconds(1))
            let second = try await world.publish("a", to: topic, of: app)
            try expect(second.isRepeated && !first.isRepeated, "repetitions")
            try expect([second.id, second.submitted.first?.id], is: [first.id, nil], "ids")
            try expect(second.sequenceNumber, is: 1, "number")
            let written = try await world.store.notifications(app.row, state: nil, PageRequest()).items
            try expect(written.map(\.id), is: [first.id], "notifications")
            world.clock.advance(by: .milliseconds(1))
            let third = try await world.publish("a", to: topic, of: app)
            try expect(third.isRepeated, is: false, "after five minutes")
            try expect(third.sequenceNumber, is: 2, "number afterwards")
        },
        Check("two messages of one call that are the same are one; the second gets the first's id") { world in
            let topic = try await world.makeFIFOTopic("orders.fifo")
            let published = try await world.store.publish([
                world.publication("a", to: topic), world.publication("b", to: topic), world.publication("a", to: topic),
            ])
            try expect(published.map(\.sequenceNumber), is: [1, 2, 1], "numbers")
            try expect(published.map(\.isRepeated), is: [false, false, true], "repetitions")
            try expect(published[2].id, is: published[0].id, "id")
        },
        Check("messages are written all or none: one topic that is gone leaves no trace of the others") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeFIFOTopic("orders.fifo")
            let gone = try await world.makeTopic("gone")
            _ = try await world.store.deleteTopic(gone.row)
            try await expectRefusal(.notFound, "a deleted topic") {
                _ = try await world.store.publish([
                    world.publication("a", to: topic, of: app), world.publication(nil, to: gone),
                ])
            }
            try expect(try await world.store.notifications(nil, state: nil, PageRequest()).items, is: [], "written")
            let next = try await world.publish("a", to: topic, of: app)
            try expect(next.isRepeated, is: false, "a repetition of what was not written")
            try expect(next.sequenceNumber, is: 1, "number")
        },
        Check("a message waits for webhook URLs when it is accepted with them, and not when there is none") { world in
            let topic = try await world.makeTopic()
            try expect(try await world.publish(nil, to: topic, hasWebhook: true).hasWebhooks, is: false, "nobody")
            _ = try await world.store.subscribe(world.webhook("https://example.com/a", topic))
            try expect(try await world.publish(nil, to: topic, hasWebhook: true).hasWebhooks, "somebody")
        },
        Check("webhook URLs get the number that the publisher is told, after a dead letter's retry as well") { world in
            let topic = try await world.makeFIFOTopic("orders.fifo")
            _ = try await world.hook(topic, "https://a.example/")
            for id in ["a", "b", "c"] { try await world.publish(id, to: topic, hasWebhook: true) }
            try await world.fanOutWebhooks()
            let lease = world.newLease()
            let leased = try await world.leaseWebhooks(10, lease)
            try expect(leased.map(\.sequenceNumber), is: [1, 2, 3], "numbers")
            try await world.store.settle(leased[1], .dead(reason: "answered 404"), lease: lease)
            let letter = try unwrap(try await world.store.failedWork(WebhookDeadLetter.self).items.first, "dead letter")
            _ = try await world.store.retry(WebhookDeadLetter.self, letter.id)
            try expect(try await world.leaseWebhooks().map(\.sequenceNumber), is: [2], "again")
        },
        Check("what repetitions are known by is forgotten when it is out of date, numbers never") { world in
            let topic = try await world.makeFIFOTopic("orders.fifo")
            for id in ["a", "b"] { try await world.publish(id, to: topic) }
            world.clock.advance(by: PublicationOrder.window + .seconds(1))
            try await world.publish("c", to: topic)
            let before = world.now - PublicationOrder.window
            try expect(try await world.store.purge(.fifoMessages, before: before, limit: 1), is: 1, "one part")
            try expect(try await world.store.purge(.fifoMessages, before: before, limit: 9), is: 1, "the rest")
            try expect(try await world.publish("c", to: topic).sequenceNumber, is: 3, "what is in date")
            try expect(try await world.publish("a", to: topic).sequenceNumber, is: 4, "the next number")
        },
    ]
}

extension World {
    func makeFIFOTopic(_ name: String) async throws -> Topic {
        try await store.createTopic(TopicDraft(name: name, isFIFO: true)).topic
    }

    /// A message with a deduplication id, or without one; for an app's people, or for nobody.
    func publication(
        _ deduplication: String?,
        to topic: Topic,
        of app: App? = nil,
        hasWebhook: Bool = false
    ) -> Publication {
        let drafts = app.map { [draft($0, to: .topic(TopicSelection(topic)))] } ?? []
        let id = drafts.first?.id ?? makeID()
        let webhook = WebhookMessage(
            id: id,
            topic: topic.row,
            topicName: topic.name,
            recipients: .subscribers(TopicMessage()),
            document: "{}"
        )
        let request = PublicationRequest(
            id: id,
            topic: topic.row,
            order: deduplication.map { PublicationOrder(deduplication: SecretHash(of: $0)) },
            submissions: [],
            webhook: hasWebhook ? webhook : nil
        )
        return Publication(request, drafts: drafts, gates: [])
    }

    @discardableResult
    func publish(
        _ deduplication: String?,
        to topic: Topic,
        of app: App? = nil,
        hasWebhook: Bool = false
    ) async throws -> Published {
        let publication = publication(deduplication, to: topic, of: app, hasWebhook: hasWebhook)
        return try await store.publish([publication])[0]
    }
}
