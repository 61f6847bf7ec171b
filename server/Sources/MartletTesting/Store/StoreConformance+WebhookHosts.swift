import MartletCore
import MartletFilter
import MartletWire

extension StoreConformance {
    /// Hosts of webhook URLs that do not answer, and messages that wait too long.
    static let webhookHosts: [Check] = [
        Check("a host that does not answer rests, and then gets one call until it answers") { world in
            let topic = try await world.makeTopic()
            for number in 0..<4 { _ = try await world.hook(topic, "https://slow.example/\(number)") }
            _ = try await world.hook(topic, "https://a.example/")
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let capacity = WebhookCapacity(total: 100, perQueue: 2, perUnprovenQueue: 1)
            let lease = world.newLease()
            let start = world.now
            func next(_ what: String) async throws -> [WebhookDelivery] {
                try await world.store.leaseWebhooks(capacity, lease: lease).deliveries.filter {
                    $0.queue == "slow.example"
                }
            }
            func settle(_ one: WebhookDelivery, _ sign: WebhookHost.Sign) async throws {
                try await world.store.settle(one, .deferred(until: world.now), sign, lease: lease)
            }
            let first = try unwrap(try await next("first").first, "delivery")
            try expect(first.standing, is: .new, "standing of a host that nothing is known of")
            try await settle(first, .answered)
            let pair = try await next("pair")
            try expect(pair.map(\.standing), is: [.answering, .answering], "standing of a host that answers")
            world.clock.advance(by: .seconds(15))
            for one in pair { try await settle(one, .silent(since: start)) }
            try expect(try await world.store.webhookBacklog().silentHosts, is: 1, "silent hosts")
            try expect(try await next("while it rests").count, is: 0, "while it rests")
            world.clock.advance(by: .milliseconds(9_999))
            try expect(try await next("at the end of its rest").count, is: 0, "at the end of its rest")
            world.clock.advance(by: .milliseconds(1))
            let probe = try await next("probe")
            try expect(probe.map(\.standing), is: [.silent], "after its rest")
            let began = world.now
            world.clock.advance(by: .seconds(15))
            try await settle(probe[0], .silent(since: began))
            world.clock.advance(by: .seconds(19))
            try expect(try await next("in the second rest").count, is: 0, "in the second rest")
            world.clock.advance(by: .seconds(1))
            try await settle(try unwrap(try await next("second probe").first, "second probe"), .answered)
            try expect(try await next("when it answers").count, is: 2, "when it answers")
            try expect(try await world.store.webhookBacklog().silentHosts, is: 0, "silent hosts afterwards")
        },
        Check("what is read of the next moment with work leaves out hosts that rest") { world in
            let topic = try await world.makeTopic()
            for number in 0..<2 { _ = try await world.hook(topic, "https://slow.example/\(number)") }
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let capacity = WebhookCapacity(total: 8, perQueue: 1)
            let lease = world.newLease()
            let one = try unwrap(
                try await world.store.leaseWebhooks(capacity, lease: lease).deliveries.first,
                "delivery"
            )
            let retry = WebhookOutcome.retry(at: world.now, reason: "no answer")
            try await world.store.settle(one, retry, .silent(since: world.now), lease: lease)
            let rest = world.now + WebhookHost.firstRest
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let found = try await world.store.leaseWebhooks(capacity, lease: lease)
            try expect(found, is: LeasedWebhooks(next: rest), "while it rests")
        },
        Check("hosts of each standing leave capacity for the others") { world in
            let topic = try await world.makeTopic()
            let hosts = (0..<3).map { "new\($0).example" } + (0..<3).map { "silent\($0).example" } + ["well.example"]
            for host in hosts { for path in 0..<3 { _ = try await world.hook(topic, "https://\(host)/\(path)") } }
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let lease = world.newLease()
            let all = try await world.store.leaseWebhooks(WebhookCapacity(total: 99, perQueue: 1), lease: lease)
                .deliveries
            for one in all {
                let sign: WebhookHost.Sign =
                    one.queue.hasPrefix("well")
                    ? .answered : one.queue.hasPrefix("silent") ? .silent(since: world.now) : .none
                try await world.store.settle(one, .deferred(until: world.now), sign, lease: lease)
            }
            world.clock.advance(by: WebhookHost.firstRest)
            let capacity = WebhookCapacity(total: 20, perQueue: 3, perUnprovenQueue: 1, ofNew: 2, ofSilent: 1)
            let leased = try await world.store.leaseWebhooks(capacity, lease: lease).deliveries
            let counts = Dictionary(grouping: leased, by: \.standing).mapValues(\.count)
            try expect(counts, is: [.new: 2, .silent: 1, .answering: 3], "by standing")
        },
        Check("a delivery that is a day old is a dead letter, and lets the next of its group go") { world in
            let topic = try await world.store.createTopic(TopicDraft(name: "news.fifo", isFIFO: true)).topic
            _ = try await world.hook(topic, "https://a.example/")
            var ids: [PublicID] = []
            for _ in 0..<2 {
                let message = world.webhookMessage(topic, .subscribers(TopicMessage()), group: "one")
                ids.append(message.id)
                _ = try await world.store.enqueue(message)
                world.clock.advance(by: .seconds(1))
            }
            try await world.fanOutWebhooks()
            world.clock.advance(by: WebhookDelivery.longestLife - .milliseconds(2_001))
            let lease = world.newLease()
            let young = try unwrap(try await world.leaseWebhooks(1, lease).first, "delivery just in time")
            try await world.store.settle(young, .deferred(until: world.now), lease: lease)
            world.clock.advance(by: .milliseconds(1))
            var found = try await world.store.leaseWebhooks(WebhookCapacity(total: 1, perQueue: 1), lease: lease)
            if found.deliveries.isEmpty {
                try expect(found.next.map { $0 <= world.now }, is: true, "there is more to lease at once")
                found.deliveries = try await world.leaseWebhooks(1, lease)
            }
            try expect(found.expired, is: 1, "expired")
            try expect(found.deliveries.map(\.message), is: [ids[1]], "the next of the group")
            let letter = try unwrap(try await world.store.webhookDeadLetters(PageRequest()).items.first, "dead letter")
            try expect(letter.message, is: ids[0], "message")
            try expect(letter.attempts, is: 0, "attempts")
            try expect(letter.reason, is: "not delivered within 24 hours", "reason")
        },
        Check("hosts that nothing waits for are forgotten, others are not") { world in
            let topic = try await world.makeTopic()
            for host in ["a", "b"] { _ = try await world.hook(topic, "https://\(host).example/") }
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let lease = world.newLease()
            let leased = try await world.leaseWebhooks(2, lease)
            try await world.store.settle(leased[0], .delivered, .silent(since: world.now), lease: lease)
            try await world.store.settle(
                leased[1],
                .deferred(until: world.now + .seconds(90)),
                .silent(since: world.now),
                lease: lease
            )
            world.clock.advance(by: WebhookDelivery.lease)
            try expect(try await world.leaseWebhooks(), is: [], "between")
            world.clock.advance(by: .milliseconds(1))
            try await world.purge(.webhookHosts)
            try expect(try await world.store.webhookBacklog().silentHosts, is: 1, "silent hosts that are left")
            world.clock.advance(by: .seconds(30))
            try expect(try await world.leaseWebhooks().map(\.queue), is: [leased[1].queue], "what waited")
        },
    ]
}
