import MartletCore
import MartletFilter
import MartletStore
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
            let permits = Permits<String>(total: 100, perQueue: 2)
            let lease = world.newLease()
            let start = world.now
            func next(_ what: String) async throws -> [WebhookDelivery] {
                try await world.store.leaseWebhooks(permits, lease: lease).deliveries.filter {
                    $0.queue == "slow.example"
                }
            }
            func settle(_ one: WebhookDelivery, _ sign: WebhookHost.Sign) async throws {
                try await world.store.settle(one, .deferred(until: world.now), sign, lease: lease)
            }
            let pair = try await next("pair")
            try expect(pair.map(\.isSilent), is: [false, false], "a host that nothing is known of")
            world.clock.advance(by: .seconds(15))
            for one in pair { try await settle(one, .silent(since: start)) }
            try expect(try await world.store.statistics().webhooks.silentHosts, is: 1, "silent hosts")
            try expect(try await next("while it rests").count, is: 0, "while it rests")
            world.clock.advance(by: .milliseconds(9_999))
            try expect(try await next("at the end of its rest").count, is: 0, "at the end of its rest")
            world.clock.advance(by: .milliseconds(1))
            let probe = try await next("probe")
            try expect(probe.map(\.isSilent), is: [true], "after its rest")
            try expect(try await next("beside the probe").count, is: 0, "beside the probe")
            let began = world.now
            world.clock.advance(by: .seconds(15))
            try await settle(probe[0], .silent(since: began))
            world.clock.advance(by: .seconds(19))
            try expect(try await next("in the second rest").count, is: 0, "in the second rest")
            world.clock.advance(by: .seconds(1))
            try await settle(try unwrap(try await next("second probe").first, "second probe"), .answered)
            try expect(try await next("when it answers").count, is: 2, "when it answers")
            try expect(try await world.store.statistics().webhooks.silentHosts, is: 0, "silent hosts afterwards")
        },
        Check("what is read of the next moment with work leaves out hosts that rest") { world in
            let topic = try await world.makeTopic()
            for number in 0..<2 { _ = try await world.hook(topic, "https://slow.example/\(number)") }
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let permits = Permits<String>(total: 8, perQueue: 1)
            let lease = world.newLease()
            let one = try unwrap(
                try await world.store.leaseWebhooks(permits, lease: lease).deliveries.first,
                "delivery"
            )
            let retry = WebhookOutcome.retry(at: world.now, reason: "no answer")
            try await world.store.settle(one, retry, .silent(since: world.now), lease: lease)
            let rest = world.now + WebhookHost.firstRest
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let found = try await world.store.leaseWebhooks(permits, lease: lease)
            try expect(found, is: LeasedWebhooks(next: rest), "while it rests")
        },
        Check("hosts that do not answer leave capacity for the others, however many they are") { world in
            let topic = try await world.makeTopic()
            let hosts = (0..<9).map { "silent\($0).example" } + ["well.example"]
            for host in hosts { for path in 0..<3 { _ = try await world.hook(topic, "https://\(host)/\(path)") } }
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let lease = world.newLease()
            let all = try await world.store.leaseWebhooks(Permits(total: 99, perQueue: 1), lease: lease).deliveries
            for one in all {
                let sign: WebhookHost.Sign = one.queue.hasPrefix("well") ? .answered : .silent(since: world.now)
                try await world.store.settle(one, .deferred(until: world.now), sign, lease: lease)
            }
            world.clock.advance(by: WebhookHost.firstRest)
            var permits = Permits<String>(total: 20, perQueue: 3)
            var leased = try await world.store.leaseWebhooks(permits, lease: lease).deliveries
            let silent = leased.filter(\.isSilent)
            try expect([silent.count, leased.count - silent.count], is: [3, 3], "silent and well")
            try expect(Set(silent.map(\.queue)).count, is: 3, "silent hosts that are called")
            for one in leased { permits.acquire(1, in: one.permitHolder) }
            leased = try await world.store.leaseWebhooks(permits, lease: lease).deliveries
            try expect(leased, is: [], "while all of them are under way")
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
            var found = try await world.store.leaseWebhooks(Permits(total: 1, perQueue: 1), lease: lease)
            if found.deliveries.isEmpty {
                try expect(found.next.map { $0 <= world.now }, is: true, "there is more to lease at once")
                found.deliveries = try await world.leaseWebhooks(1, lease)
            }
            try expect(found.expired, is: 1, "expired")
            try expect(found.deliveries.map(\.message), is: [ids[1]], "the next of the group")
            let letter = try unwrap(try await world.store.failedWork(WebhookDeadLetter.self).items.first, "dead letter")
            try expect(letter.message, is: ids[0], "message")
            try expect(letter.attempts, is: 0, "attempts")
            try expect(letter.reason, is: "not delivered within 24 hours", "reason")
        },
        Check("a delivery that crashes the server again and again is tried alone, and then a dead letter") { world in
            let topic = try await world.makeTopic()
            let hooks = [
                try await world.hook(topic, "https://a.example/"), try await world.hook(topic, "https://a.example/2"),
            ]
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            // The server dies while both are under way, and is back when the leases have ended.
            for _ in 0..<LeaseAdmission.isolatedFrom {
                try expect(try await world.leaseWebhooks().count, is: 2, "deliveries that crashed less often")
                world.clock.advance(by: WebhookDelivery.lease)
            }
            var tries = 0
            while try await world.store.statistics().webhooks.deadLetters == 0 {
                let lease = world.newLease()
                let leased = try await world.leaseWebhooks(10, lease)
                for one in leased {
                    try expect(try await world.leaseWebhooks(), is: [], "beside the one that is alone")
                    if one.subscription.row == hooks[0].row {
                        tries += 1
                    } else {
                        try await world.store.settle(one, .delivered, lease: lease)
                    }
                }
                try expect(leased.count <= 1 && tries < LeaseAdmission.limit, "alone, and not for ever")
                world.clock.advance(by: WebhookDelivery.lease)
            }
            try expect(tries, is: LeaseAdmission.limit - LeaseAdmission.isolatedFrom, "leases of it alone")
            let letter = try unwrap(try await world.store.failedWork(WebhookDeadLetter.self).items.first, "dead letter")
            try expect(letter.subscription, is: hooks[0].id, "whose it is")
            try expect(letter.attempts, is: LeaseAdmission.limit, "attempts")
            try expect(letter.reason.hasPrefix("the server stopped 5 times in a row"), "\(letter.reason)")
            try expect(try await world.store.statistics().webhooks, is: WebhookBacklog(deadLetters: 1), "backlog")
            _ = try await world.store.retry(WebhookDeadLetter.self, letter.id)
            try expect(try await world.leaseWebhooks().map(\.subscription.row), is: [hooks[0].row], "sent again")
        },
        Check("an attempt that is recorded clears a delivery of the leases before it") { world in
            let topic = try await world.makeTopic()
            _ = try await world.hook(topic, "https://a.example/")
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            for _ in 0..<2 {
                for _ in 0..<LeaseAdmission.limit - 1 {
                    try expect(try await world.leaseWebhooks().count, is: 1, "leased")
                    world.clock.advance(by: WebhookDelivery.lease)
                }
                let lease = world.newLease()
                let one = try unwrap(try await world.leaseWebhooks(10, lease).first, "delivery")
                try await world.store.settle(one, .retry(at: world.now, reason: "answered 503"), lease: lease)
            }
            try expect(try await world.store.statistics().webhooks.deadLetters, is: 0, "dead letters")
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
            try expect(try await world.store.statistics().webhooks.silentHosts, is: 1, "silent hosts that are left")
            world.clock.advance(by: .seconds(30))
            try expect(try await world.leaseWebhooks().map(\.queue), is: [leased[1].queue], "what waited")
        },
    ]
}
