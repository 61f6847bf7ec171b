import MartletCore
import MartletFilter
import MartletStore
import MartletWire

extension StoreConformance {
    /// Who is subscribed to a topic.
    static let subscriptions: [Check] = [
        Check("a subject is subscribed once; asking again finds the subscription as it is") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            let endpoint = try await world.register(app, 1)
            let filter = try SubscriptionFilter(#"{"kind":["delay"]}"#)
            let drafts = [
                SubscriptionDraft(
                    topic: topic.row,
                    subject: .endpoint(endpoint.row),
                    address: "arn:1",
                    filter: filter,
                    attributes: ["Raw": "true"]
                ),
                SubscriptionDraft(topic: topic.row, subject: .user("ann", app: app.row), address: "ann"),
                world.webhook("https://example.com/a", topic),
            ]
            for draft in drafts {
                let made = try await world.store.subscribe(draft)
                try expect(made.isNew, "not new: \(draft.address)")
                try expect(made.subscription.address, is: draft.address, "address")
                try expect(made.subscription.filter, is: draft.filter, "filter")
                try expect(made.subscription.attributes, is: draft.attributes, "attributes")
                var other = draft
                other.filter = try SubscriptionFilter(#"{"kind":["cancelled"]}"#, scope: .messageBody)
                other.attributes = [:]
                let again = try await world.store.subscribe(other)
                try expect(again, is: Subscribed(subscription: made.subscription, isNew: false), "again")
                try expect(
                    try await world.store.subscription(.id(made.subscription.id)),
                    is: made.subscription,
                    "by id"
                )
            }
            let user = try unwrap(try await world.register(app, 2, user: "ann").user, "user")
            let found = try await world.readAll(pagesOf: 2) {
                try await world.store.subscriptions(.topic(topic.row), $0)
            }
            let subjects: [Subscription.Subject] = [
                .endpoint(endpoint.row, endpoint.id, app: app.row), .user(user), .webhook("https://example.com/a"),
            ]
            try expect(found.map(\.subject), is: subjects, "subjects")
            let second = try await world.makeTopic("sport")
            try expect(try await world.subscribe(endpoint, to: second).topic, is: second.row, "another topic's")
            let own = SubscriptionScope.user("ann", app: app.row)
            try expect(
                try await world.store.subscriptions(own, PageRequest()).items.map(\.topic),
                is: [topic.row],
                "own"
            )
            for (to, count) in [(topic, 1), (second, 0)] {
                let one = SubscriptionScope.user("ann", app: app.row, topic: to.row)
                try expect(
                    try await world.store.subscriptions(one, PageRequest()).items.count,
                    is: count,
                    "to one topic"
                )
            }
            let owned = SubscriptionScope.owned(by: nil, region: Topic.defaultRegion)
            let all = try await world.readAll(pagesOf: 3) { try await world.store.subscriptions(owned, $0) }
            try expect(all.count, is: 4, "all")
            let elsewhere = SubscriptionScope.owned(by: app.row, region: Topic.defaultRegion)
            try expect(try await world.store.subscriptions(elsewhere, PageRequest()).items, is: [], "the app's")
        },
        Check("a subscription outlives its endpoint; who is gone or of another app cannot subscribe") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            let topic = try await world.makeTopic(of: app)
            let endpoint = try await world.register(app, 1)
            let made = try await world.subscribe(endpoint, to: topic)
            _ = try await world.store.updateEndpoint(endpoint.row, EndpointUpdate(status: .removed(.byRequest)))
            try expect(try await world.store.subscription(.id(made.id)), is: made, "afterwards")
            try await expectRefusal(.notFound, "a removed endpoint") {
                try await world.subscribe(endpoint, to: try await world.makeTopic("sport", of: app))
            }
            let stranger = try await world.register(other, 1)
            try await expectRefusal(.notFound, "another app's endpoint") {
                try await world.subscribe(stranger, to: topic)
            }
            try await expectRefusal(.notFound, "another app's user") {
                try await world.subscribe("ann", of: other, to: topic)
            }
            let counts = try await world.store.topic(.row(topic.row))?.counts
            try expect(counts, is: SubscriptionCounts(confirmed: 1), "counts")
        },
        Check("a webhook URL waits for its confirmation; what a topic has and had is counted") { world in
            let topic = try await world.makeTopic()
            let first = try await world.store.subscribe(world.webhook("https://example.com/a", topic, isPending: true))
            let second = try await world.store.subscribe(world.webhook("http://example.com/a", topic, isPending: true))
            try expect(second.isNew, "the same address over http is not new")
            let counts = { () async throws in try await world.store.topic(.row(topic.row))?.counts }
            try expect(first.subscription.isConfirmed, is: false, "confirmed")
            try expect(try await counts(), is: SubscriptionCounts(pending: 2), "before")
            let webhooks = SubscriptionScope.webhooks(topic.row)
            try expect(try await world.store.subscriptions(webhooks, PageRequest()).items, is: [], "webhooks before")
            for _ in 0..<2 {
                let update = SubscriptionUpdate(isConfirming: true)
                let confirmed = try await world.store.updateSubscription(first.subscription.row, update)
                try expect(confirmed.isConfirmed, "not confirmed")
                try expect(try await counts(), is: SubscriptionCounts(confirmed: 1, pending: 1), "confirmed")
            }
            let confirmed = try await world.store.subscriptions(webhooks, PageRequest()).items.map(\.id)
            try expect(confirmed, is: [first.subscription.id], "webhooks")
            try expect(try await world.store.unsubscribe(first.subscription.row), "there was none")
            try expect(try await world.store.unsubscribe(first.subscription.row), is: false, "unsubscribed twice")
            try expect(try await world.store.unsubscribe(second.subscription.row), "there was none")
            try expect(try await counts(), is: SubscriptionCounts(deleted: 2), "afterwards")
        },
        Check("an update changes filter and attributes, and null takes the filter away") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            let made = try await world.subscribe("ann", of: app, to: topic)
            let filter = try SubscriptionFilter(#"{"kind":["delay"]}"#, scope: .messageBody)
            var update = SubscriptionUpdate(filter: .value(filter), attributes: ["a": "1", "b": "2"])
            var changed = try await world.store.updateSubscription(made.row, update)
            try expect(changed.filter, is: filter, "filter")
            try expect(changed.attributes, is: ["a": "1", "b": "2"], "attributes")
            update = SubscriptionUpdate(attributes: ["a": nil])
            changed = try await world.store.updateSubscription(made.row, update)
            try expect(changed.filter, is: filter, "filter that is not named")
            try expect(changed.attributes, is: ["b": "2"], "attributes")
            changed = try await world.store.updateSubscription(made.row, SubscriptionUpdate(filter: .null))
            try expect(changed.filter, is: nil, "filter that is taken away")
            try expect(try await world.store.subscription(.row(made.row)), is: changed, "afterwards")
            try await expectRefusal(.notFound, "a subscription that is not there") {
                _ = try await world.store.updateSubscription(RowID(99), SubscriptionUpdate())
            }
        },
        Check("a topic's recipients are the apps whose people are subscribed, each once, and webhook URLs") { world in
            let apps = [
                try await world.makeApp("one"), try await world.makeApp("two"), try await world.makeApp("three"),
            ]
            let topic = try await world.makeTopic()
            let none = TopicRecipients(topic: topic, apps: [], hasWebhooks: false)
            try expect(try await world.store.recipients(of: .row(topic.row)), is: none, "of nobody")
            _ = try await world.store.subscribe(world.webhook("https://example.com/b", topic, isPending: true))
            let unconfirmed = try await world.store.recipients(of: .id(topic.id))
            try expect(unconfirmed?.hasWebhooks, is: false, "an address that has not confirmed")
            _ = try await world.store.subscribe(world.webhook("https://example.com/a", topic))
            for app in [apps[2], apps[0]] {
                for number in 1...3 { try await world.subscribe(try await world.register(app, number), to: topic) }
                try await world.subscribe("ann", of: app, to: topic)
            }
            let name = TopicSelector.name(topic.name, app: topic.app, region: topic.region)
            let found = try await world.store.recipients(of: name)
            try expect(found?.apps, is: [apps[0].row, apps[2].row], "apps")
            try expect(found?.hasWebhooks, is: true, "a webhook URL")
            _ = try await world.store.deleteTopic(topic.row)
            try expect(try await world.store.recipients(of: .row(topic.row)), is: nil, "of a deleted topic")
        },
    ]
}
