import MartletCore
import MartletFilter
import MartletWire
import Testing

@testable import MartletPostgres
@testable import MartletStore
@testable import MartletTesting

/// Two processes that work on one topic, or one webhook URL, at the same moment.
@Suite(.serialized) struct TopicRaceTests {
    @Test("a policy whose row was drawn first and that is committed last is matched")
    func lowerPolicy() async throws {
        try await RaceScene.with { scene, _ in
            let topic = try await scene.world.makeTopic()
            let (early, late) = (try SubscriptionFilter(#"{"kind":["a"]}"#), try SubscriptionFilter(#"{"kind":["b"]}"#))
            func intern(_ filter: SubscriptionFilter, _ side: RaceScene.Side) throws -> Int64 {
                try side.transaction.intern(filter, of: topic.row, limit: 10)
            }
            func isMatched(_ row: Int64, kind: String) async throws -> Bool {
                let message = TopicMessage(attributes: ["kind": .init(type: "String", value: kind)])
                return try await scene.opened.readWithPolicies { [policies = scene.opened.policies] transaction in
                    try transaction.matching(message, of: topic.row, policies) == [row]
                }
            }
            for side in [scene.first, scene.second] { try side.begin() }
            _ = try intern(early, scene.first)
            // The second draws a greater row, and would be committed, and seen, before the first.
            var second: Int64?
            do {
                second = try intern(late, scene.second)
                try scene.second.connection.commit()
            } catch  where scene.second.mayRunAgain(after: error) { scene.second.connection.rollBack() }
            if let second { #expect(try await isMatched(second, kind: "b")) }
            try scene.first.connection.commit()
            if second == nil {
                try scene.second.begin()
                second = try intern(late, scene.second)
                try scene.second.connection.commit()
            }
            let rows = try await scene.opened.read { transaction in
                try transaction.prepare("SELECT id FROM filter_policies ORDER BY id").all { $0.int("id") }
            }
            #expect(rows.count == 2 && rows.last == second)
            #expect(try await isMatched(rows[0], kind: "a"))
            #expect(try await isMatched(rows[1], kind: "b"))
        }
    }

    @Test("one policy that both make is one, and used twice")
    func samePolicy() async throws {
        try await RaceScene.with { scene, address in
            let topic = try await scene.world.makeTopic()
            let filter = try SubscriptionFilter(#"{"kind":["a"]}"#)
            let made = try await scene.race { try $0.transaction.intern(filter, of: topic.row, limit: 1) }
            #expect(made.first == made.second)
            let counted = "SELECT p.uses, t.policy_count FROM filter_policies p JOIN topics t ON t.id = p.topic_id"
            #expect(try PostgresServer.run(counted, in: address) == "2|1\n")
        }
    }

    @Test(
        "a message to a FIFO topic that both publish is one, with one number; two messages have two",
        arguments: [
            true, false,
        ]
    )
    func sequence(_ isRepeated: Bool) async throws {
        try await RaceScene.with { scene, _ in
            let topic = try await scene.world.makeFIFOTopic("orders.fifo")
            let published = try await scene.race { side in
                try await side.world.publish(isRepeated ? "a" : "a\(side.number)", to: topic)
            }
            #expect(published.first.sequenceNumber == 1)
            #expect(published.second.sequenceNumber == (isRepeated ? 1 : 2))
            #expect((published.second.id == published.first.id) == isRepeated)
            #expect(published.second.isRepeated == isRepeated)
        }
    }

    @Test(
        "what two servers publish to FIFO topics at once takes turns: nothing is rolled back, and no number is left out"
    )
    func turnsOfServers() async throws {
        try await Databases.with { address in
            let clock = ManualClock()
            var worlds: [World] = []
            for _ in 0..<2 {
                let store = try await PostgresStore.open(address, clock: clock)
                worlds.append(World(store: store, clock: clock, withdraw: store.withdraw))
            }
            let topic = try await worlds[0].makeFIFOTopic("orders.fifo")
            let numbers = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for number in 0..<200 {
                    let world = worlds[number % 2]
                    group.addTask { try await world.publish("m\(number)", to: topic).sequenceNumber }
                }
                return try await group.reduce(into: []) { $0.append($1 ?? 0) }
            }
            #expect(numbers.sorted() == Array(1...200))
            for world in worlds { await world.store.close() }
            // A backend counts when it ends.
            let rolledBack = "SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()"
            let left =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            try await Eventually.is("the servers' connections have ended") {
                try PostgresServer.run(left, in: address) == "0\n"
            }
            #expect(try PostgresServer.run(rolledBack, in: address) == "0\n")
        }
    }

    /// A FIFO topic with one webhook URL, which has the first message of a group under way.
    private func callInGroup(_ world: World) async throws -> (topic: Topic, call: WebhookDelivery, lease: Lease) {
        let topic = try await world.makeFIFOTopic("orders.fifo")
        _ = try await world.hook(topic, "https://a.example/")
        _ = try await world.store.enqueue(world.webhookMessage(topic, .subscribers(TopicMessage()), group: "one"))
        try await world.fanOutWebhooks()
        let lease = world.newLease()
        return (topic, try unwrap(try await world.leaseWebhooks(1, lease).first, "delivery"), lease)
    }

    @Test(
        "a message that is written while the one before it in its group ends is not left waiting",
        arguments: [
            true, false,
        ]
    )
    func groupWakeUp(_ isEndFirst: Bool) async throws {
        try await RaceScene.with { scene, _ in
            let (topic, call, lease) = try await callInGroup(scene.world)
            let next = scene.world.webhookMessage(topic, .subscribers(TopicMessage()), group: "one")
            _ = try await scene.world.store.enqueue(next)
            _ = try await scene.race { side in
                guard (side.number == 1) == isEndFirst else {
                    _ = try await side.store.fanOutWebhooks(after: nil, limit: 100)
                    return
                }
                try await side.store.settle(call, .delivered, .answered, lease: lease)
            }
            #expect(try await scene.world.leaseWebhooks().map(\.message) == [next.id])
        }
    }

    @Test(
        "the recipients of a message whose predecessor's were read to the end meanwhile are read",
        arguments: [
            true, false,
        ]
    )
    func groupFanOut(_ isEndFirst: Bool) async throws {
        try await RaceScene.with { scene, _ in
            let topic = try await scene.world.makeFIFOTopic("orders.fifo")
            _ = try await scene.world.hook(topic, "https://a.example/")
            let messages = (0..<2).map { _ in
                scene.world.webhookMessage(topic, .subscribers(TopicMessage()), group: "one")
            }
            _ = try await scene.world.store.enqueue(messages[0])
            _ = try await scene.race { side in
                guard (side.number == 1) == isEndFirst else {
                    _ = try await side.store.enqueue(messages[1])
                    return
                }
                _ = try await side.store.fanOutWebhooks(after: nil, limit: 100)
            }
            try await scene.world.fanOutWebhooks()
            #expect(try await scene.world.store.statistics().webhooks.deliveries == 2)
        }
    }

    @Test("a delivery that is written while its host's turn ends has a turn", arguments: [true, false])
    func endOfTurn(_ isEndFirst: Bool) async throws {
        try await RaceScene.with { scene, _ in
            let topic = try await scene.world.makeTopic()
            _ = try await scene.world.hook(topic, "https://a.example/")
            _ = try await scene.world.enqueueWebhooks(topic)
            try await scene.world.fanOutWebhooks()
            _ = try await scene.world.enqueueWebhooks(topic)
            let lease = scene.world.newLease()
            let leased = try await scene.race { side -> Int in
                guard (side.number == 1) == isEndFirst else {
                    _ = try await side.store.fanOutWebhooks(after: nil, limit: 100)
                    return 0
                }
                return try await side.world.leaseWebhooks(9, lease).count
            }
            let before = leased.first + leased.second
            #expect(before == (isEndFirst ? 1 : 2))
            #expect(try await scene.world.leaseWebhooks(9, lease).count == 2 - before)
        }
    }

    @Test("hosts whose turns both end keep their rows; whose turn ended last comes last")
    func turns() async throws {
        try await RaceScene.with { scene, address in
            let topic = try await scene.world.makeTopic()
            for host in ["a", "b"] { _ = try await scene.world.hook(topic, "https://\(host).example/") }
            _ = try await scene.world.enqueueWebhooks(topic)
            try await scene.world.fanOutWebhooks()
            let rows = "SELECT id, queue FROM webhook_queues ORDER BY id"
            let before = try PostgresServer.run(rows, in: address)
            let later = scene.world.now + .seconds(60)
            try PostgresServer.run("UPDATE webhook_deliveries SET due_at = \(later.rawValue)", in: address)
            _ = try await scene.race { side in
                scene.world.clock.advance(by: .milliseconds(1))
                try side.transaction.endTurn(of: side.number == 1 ? "b.example" : "a.example")
            }
            #expect(try PostgresServer.run(rows, in: address) == before)
            let order = "SELECT queue FROM webhook_queues ORDER BY turn_at, place"
            #expect(try PostgresServer.run(order, in: address) == "b.example\na.example\n")
        }
    }
}
