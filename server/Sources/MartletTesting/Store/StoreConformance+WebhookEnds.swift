import MartletCore
import MartletFilter
import MartletStore
import MartletWire

extension StoreConformance {
    /// Dead letters of webhook URLs that are sent again, addresses that never confirm, and ends that are taken back.
    static let webhookEnds: [Check] = [
        Check("a dead letter of a webhook URL is sent again once, with all attempts before it") { world in
            let topic = try await world.makeTopic()
            let hook = try await world.hook(topic, "https://a.example/")
            let letter = try await world.webhookLetter(topic)
            let retry = try await world.store.retry(WebhookDeadLetter.self, letter.id)
            try expect(retry, is: Retried(letter, isRepeated: false), "first retry")
            let again = try await world.store.retry(WebhookDeadLetter.self, letter.id)
            try expect(again, is: Retried(letter, isRepeated: true), "second retry")
            try expect(try await world.store.failedWork(WebhookDeadLetter.self).items, is: [], "dead letters")
            try expect(try await world.store.statistics().webhooks.deadLetters, is: 0, "number of dead letters")
            let lease = world.newLease()
            let leased = try await world.leaseWebhooks(10, lease)
            try expect(leased.map(\.message), is: [letter.message], "message")
            try expect(leased.map(\.subscription.row), is: [hook.row], "recipient")
            try expect(leased.map(\.attempts), is: [0], "attempts")
            try expect(leased.map(\.document), is: ["text"], "document")
            try await world.store.settle(leased[0], .dead(reason: "again"), lease: lease)
            let other = try unwrap(try await world.store.failedWork(WebhookDeadLetter.self).items.first, "dead letter")
            try expect(other.id != letter.id, "the same dead letter")
            try expect(try await world.store.unsubscribe(hook.row), "not unsubscribed")
            try await expectRefusal(.notFound, "a dead letter of a subscription that has ended") {
                _ = try await world.store.retry(WebhookDeadLetter.self, other.id)
            }
            try await expectRefusal(.notFound, "a dead letter that is not there") {
                _ = try await world.store.retry(WebhookDeadLetter.self, world.makeID())
            }
            try expect(try await world.store.statistics().webhooks.deadLetters, is: 1, "what cannot be sent stays")
        },
        Check("webhook URLs that never confirm are forgotten; being asked again counts anew") { world in
            let topic = try await world.makeTopic()
            let kept = try await world.hook(topic, "https://confirmed.example/")
            let policy = try SubscriptionFilter(#"{"kind":["a"]}"#)
            var pending: [Subscription] = []
            for name in ["old", "asked"] {
                var draft = world.webhook("https://\(name).example/", topic, isPending: true)
                draft.filter = policy
                pending.append(try await world.store.subscribe(draft).subscription)
            }
            world.clock.advance(by: .seconds(1))
            let again = SubscriptionUpdate(isAskedAgain: true)
            var asked = pending[1]
            asked.createdAt = world.now
            try expect(try await world.store.updateSubscription(asked.row, again), is: asked, "asked again")
            try expect(try await world.store.updateSubscription(kept.row, again), is: kept, "a confirmed one")
            let late = try await world.store.subscribe(world.webhook("https://late.example/", topic, isPending: true))
            let before = world.now
            try expect(try await world.store.purge(.pendingSubscriptions, before: before, limit: 10), is: 1, "first")
            let left = try await world.store.subscriptions(.topic(topic.row), PageRequest()).items.map(\.row)
            try expect(left, is: [kept.row, pending[1].row, late.subscription.row], "subscriptions that are left")
            let counts = try await world.store.topic(.row(topic.row))?.counts
            try expect(counts, is: SubscriptionCounts(confirmed: 1, pending: 2, deleted: 1), "counts")
            world.clock.advance(by: .milliseconds(1))
            try await world.purge(.pendingSubscriptions, limit: 1)
            let confirmed = try await world.store.subscriptions(.topic(topic.row), PageRequest()).items.map(\.row)
            try expect(confirmed, is: [kept.row], "confirmed ones")
        },
        Check("a webhook URL's end is told to it alone, and can be taken back for a while") { world in
            let topic = try await world.makeTopic()
            let hook = try await world.hook(topic, "https://a.example/", #"{"kind":["delay"]}"#)
            _ = try await world.enqueueWebhooks(topic)
            try await world.fanOutWebhooks()
            let token = SecretHash(of: "token")
            let end = UnsubscribeConfirmation(token: token, message: world.webhookMessage(topic, .ended(hook.row)))
            try expect(try await world.store.unsubscribe(hook.row, confirmation: end), "not ended")
            try expect(try await !world.store.unsubscribe(hook.row, confirmation: end), "ended twice")
            try expect(try await world.store.subscription(.row(hook.row)), is: nil, "subscription")
            let lease = world.newLease()
            let leased = try await world.leaseWebhooks(10, lease)
            try expect(leased.map(\.message), is: [end.message.id], "what it gets")
            try expect(leased.map(\.subscription.id), is: [hook.id], "whose it is")
            try await world.store.settle(leased[0], .delivered, lease: lease)

            let region = topic.region
            try expect(try await world.store.restore(token, region: "xx-north-1"), is: nil, "elsewhere")
            let other = SecretHash(of: "other")
            try expect(try await world.store.restore(other, region: region), is: nil, "another token")
            var restored = try unwrap(try await world.store.restore(token, region: region), "restored")
            try expect(try await world.store.subscription(.id(hook.id)), is: restored, "by its id")
            restored.row = hook.row
            try expect(restored, is: hook, "restored")
            let counts = try await world.store.topic(.row(topic.row))?.counts
            try expect(counts, is: SubscriptionCounts(confirmed: 1, pending: 0, deleted: 0), "counts")
            try expect(try await world.store.restore(token, region: region), is: nil, "restored twice")
        },
        Check("an end is not taken back when it is forgotten or the topic is gone") { world in
            let topic = try await world.makeTopic()
            for number in 0..<2 {
                let hook = try await world.hook(topic, "https://a.example/\(number)")
                let token = SecretHash(of: "\(number)")
                let end = UnsubscribeConfirmation(token: token, message: world.webhookMessage(topic, .ended(hook.row)))
                _ = try await world.store.unsubscribe(hook.row, confirmation: end)
                world.clock.advance(by: .seconds(1))
            }
            let before = world.now - .seconds(1)
            try expect(try await world.store.purge(.pendingSubscriptions, before: before, limit: 10), is: 1, "purged")
            let (first, second) = (SecretHash(of: "0"), SecretHash(of: "1"))
            try expect(try await world.store.restore(first, region: topic.region), is: nil, "forgotten")
            _ = try await world.store.deleteTopic(topic.row)
            try expect(try await world.store.restore(second, region: topic.region), is: nil, "without a topic")
        },
        Check("the word of an end is sent again while the end can be taken back, and not when it was") { world in
            let topic = try await world.makeTopic()
            let hook = try await world.hook(topic, "https://a.example/")
            let token = SecretHash(of: "token")
            let end = UnsubscribeConfirmation(token: token, message: world.webhookMessage(topic, .ended(hook.row)))
            _ = try await world.store.unsubscribe(hook.row, confirmation: end)
            var letters: [WebhookDeadLetter] = []
            for _ in 0..<2 {
                let lease = world.newLease()
                let leased = try await world.leaseWebhooks(10, lease)
                try expect(leased.map(\.message), is: [end.message.id], "message")
                try expect(leased.map(\.subscription.id), is: [hook.id], "whose it is")
                try await world.store.settle(leased[0], .dead(reason: "answered 503"), lease: lease)
                let letter = try unwrap(try await world.store.failedWork(WebhookDeadLetter.self).items.first, "letter")
                if letters.isEmpty { _ = try await world.store.retry(WebhookDeadLetter.self, letter.id) }
                letters.append(letter)
            }
            let again = try unwrap(try await world.store.restore(token, region: topic.region), "restored")
            try await expectRefusal(.conflict, "of an end that was taken back") {
                _ = try await world.store.retry(WebhookDeadLetter.self, letters[1].id)
            }
            try expect(try await world.store.unsubscribe(again.row), "not unsubscribed")
            try await expectRefusal(.notFound, "of an end that cannot be taken back") {
                _ = try await world.store.retry(WebhookDeadLetter.self, letters[1].id)
            }
            try expect(try await world.leaseWebhooks(), is: [], "what is sent")
        },
        Check("an end that is taken back confirms the subscription that the address has by now") { world in
            let topic = try await world.makeTopic()
            let hook = try await world.hook(topic, "https://a.example/")
            let token = SecretHash(of: "token")
            let end = UnsubscribeConfirmation(token: token, message: world.webhookMessage(topic, .ended(hook.row)))
            _ = try await world.store.unsubscribe(hook.row, confirmation: end)
            let pending = try await world.store.subscribe(world.webhook("https://a.example/", topic, isPending: true))
            let restored = try await world.store.restore(token, region: topic.region)
            try expect(restored?.id, is: pending.subscription.id, "id")
            try expect(restored?.isConfirmed, is: true, "confirmed")
        },
    ]
}

extension World {
    /// A message to a topic's only webhook URL that was given up.
    fileprivate func webhookLetter(_ topic: Topic) async throws -> WebhookDeadLetter {
        _ = try await enqueueWebhooks(topic)
        try await fanOutWebhooks()
        let lease = newLease()
        let one = try unwrap(try await leaseWebhooks(1, lease).first, "delivery")
        try await store.settle(one, .retry(at: now, reason: "answered 503"), lease: lease)
        let again = try unwrap(try await leaseWebhooks(1, lease).first, "delivery")
        try await store.settle(again, .dead(reason: "answered 404"), lease: lease)
        return try unwrap(try await store.failedWork(WebhookDeadLetter.self).items.first, "dead letter")
    }
}
