import MartletCore
import MartletFilter
import MartletStore
import MartletWire

extension StoreConformance {
    static let topics: [Check] = [
        Check("a topic is made once for each owner, region and name") { world in
            let app = try await world.makeApp()
            let draft = TopicDraft(name: "news", attributes: ["DisplayName": "News"], tags: ["team": "web"])
            let first = try await world.store.createTopic(draft)
            try expect(first.isNew, "the first is not new")
            try expect(first.topic.attributes, is: ["DisplayName": "News"], "attributes")
            try expect(first.topic.tags, is: ["team": "web"], "tags")
            let again = try await world.store.createTopic(TopicDraft(name: "news"))
            try expect(again, is: CreatedTopic(topic: first.topic, isNew: false), "the same again")
            let others = [TopicDraft(app: app.row, name: "news"), TopicDraft(region: "eu-west-1", name: "news")]
            for other in others {
                let made = try await world.store.createTopic(other)
                try expect(made.isNew, "another owner's or region's is not new")
                let selector = TopicSelector.name("news", app: other.app, region: other.region)
                try expect(try await world.store.topic(selector), is: made.topic, "by name")
            }
            try expect(try await world.store.topic(.id(first.topic.id)), is: first.topic, "by id")
            try expect(try await world.store.topic(.row(first.topic.row)), is: first.topic, "by row")
            try await expectRefusal(.notFound, "an app that is not there") {
                _ = try await world.store.createTopic(TopicDraft(app: RowID(99), name: "news"))
            }
        },
        Check("a topic's name, tags and attributes have their bounds, and what is refused leaves nothing") { world in
            let many = Dictionary(uniqueKeysWithValues: (0...Topic.tagLimit).map { ("\($0)", "") })
            let drafts = [
                TopicDraft(name: ""), TopicDraft(name: "with space"), TopicDraft(name: "late.fifo"),
                TopicDraft(name: "late", isFIFO: true), TopicDraft(name: String(repeating: "a", count: 257)),
                TopicDraft(name: "tags", tags: many),
                TopicDraft(name: "long", attributes: ["a": String(repeating: "a", count: Topic.attributesLimit)]),
            ]
            for draft in drafts {
                try await expectRefusal(.invalidValue, "\(draft.name.prefix(20))") {
                    _ = try await world.store.createTopic(draft)
                }
            }
            try expect(try await world.store.topics(.all, PageRequest()).items, is: [], "topics")
            let fifo = try await world.store.createTopic(TopicDraft(name: "late.fifo", isFIFO: true))
            try expect(fifo.topic.isFIFO, "not FIFO")
        },
        Check("topics are listed by age, all or those of one owner and region") { world in
            let app = try await world.makeApp()
            var made: [Topic] = []
            for number in 0..<7 {
                let owner = number.isMultiple(of: 3) ? app.row : nil
                let region = number == 6 ? "eu-west-1" : Topic.defaultRegion
                let draft = TopicDraft(app: owner, region: region, name: "topic-\(number)")
                made.append(try await world.store.createTopic(draft).topic)
            }
            let all = try await world.readAll(pagesOf: 3) { try await world.store.topics(.all, $0) }
            try expect(all, is: made, "all")
            for owner in [app.row, nil] {
                let scope = TopicScope.owned(by: owner, region: Topic.defaultRegion)
                let found = try await world.readAll(pagesOf: 1) { try await world.store.topics(scope, $0) }
                try expect(found, is: made.filter { $0.app == owner && $0.region == Topic.defaultRegion }, "owned")
            }
        },
        Check("an update lays what it names over attributes and tags; too much is refused and changes nothing") {
            world in
            let draft = TopicDraft(name: "news", attributes: ["a": "1", "b": "2"], tags: ["c": "3"])
            let topic = try await world.store.createTopic(draft).topic
            let update = TopicUpdate(attributes: ["a": nil, "b": "4"], tags: ["d": "5"])
            let changed = try await world.store.updateTopic(topic.row, update)
            try expect(changed.attributes, is: ["b": "4"], "attributes")
            try expect(changed.tags, is: ["c": "3", "d": "5"], "tags")
            let many: [String: String?] = Dictionary(uniqueKeysWithValues: (0..<Topic.tagLimit).map { ("\($0)", "") })
            try await expectRefusal(.invalidValue, "too many tags") {
                _ = try await world.store.updateTopic(topic.row, TopicUpdate(attributes: ["b": nil], tags: many))
            }
            try expect(try await world.store.topic(.row(topic.row)), is: changed, "afterwards")
            try await expectRefusal(.notFound, "a topic that is not there") {
                _ = try await world.store.updateTopic(RowID(99), TopicUpdate())
            }
        },
        Check("a topic is not changed when an attribute is not what the update expects") { world in
            let topic = try await world.store.createTopic(TopicDraft(name: "news", attributes: ["a": "1"])).topic
            for stale: [String: String?] in [["a": "0"], ["a": nil], ["b": "1"]] {
                try await expectRefusal(.conflict, "\(stale)") {
                    let update = TopicUpdate(attributes: ["a": "2"], expecting: stale)
                    _ = try await world.store.updateTopic(topic.row, update)
                }
            }
            try expect(try await world.store.topic(.row(topic.row)), is: topic, "afterwards")
            let update = TopicUpdate(attributes: ["a": "2"], expecting: ["a": "1", "b": nil])
            try expect(try await world.store.updateTopic(topic.row, update).attributes, is: ["a": "2"], "changed")
        },
        Check("a deleted topic is gone with its subscriptions, and its name is free at once") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            let endpoint = try await world.register(app, 1)
            let subscription = try await world.subscribe(endpoint, to: topic)
            try expect(try await world.store.deleteTopic(topic.row), "there was none")
            try expect(try await world.store.deleteTopic(topic.row), is: false, "deleted twice")
            try expect(try await world.store.topic(.id(topic.id)), is: nil, "topic")
            try expect(try await world.store.topics(.all, PageRequest()).items, is: [], "topics")
            try expect(try await world.store.subscription(.id(subscription.id)), is: nil, "subscription")
            try expect(try await world.store.subscriptions(.topic(topic.row), PageRequest()).items, is: [], "list")
            try expect(try await world.store.unsubscribe(subscription.row), is: false, "unsubscribed")
            try await expectRefusal(.notFound, "subscribing") { _ = try await world.subscribe(endpoint, to: topic) }
            try await expectRefusal(.notFound, "sending") {
                _ = try await world.submit(world.draft(app, to: .topic(TopicSelection(topic))))
            }
            let second = try await world.makeTopic()
            try expect(second.id != topic.id, "the deleted one came back")
            try expect(second.counts, is: SubscriptionCounts(), "counts")
            try await world.purge(.deletedTopics)
            try expect(try await world.store.topic(.id(second.id)), is: second, "the second after the purge")
        },
        Check("an app's topics and subscriptions go with it") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            let filter = try SubscriptionFilter(#"{"a":["b"]}"#)
            let own = try await world.makeTopic(of: app)
            let shared = try await world.makeTopic()
            for topic in [own, shared] {
                try await world.subscribe(try await world.register(app, 1), to: topic, filter)
                _ = try await world.store.subscribe(world.webhook("https://example.com/a", topic))
            }
            try await world.subscribe(try await world.register(other, 1), to: shared, filter)
            _ = try await world.send(app, to: .topic(TopicSelection(own)))
            try await world.store.deleteApp(app.row)
            try expect(try await world.store.topics(.all, PageRequest()).items.map(\.id), is: [shared.id], "topics")
            let recipients = try await world.store.recipients(of: .row(shared.row))
            try expect(recipients?.apps, is: [other.row], "apps")
            let counts = try await world.store.topic(.row(shared.row))?.counts
            try expect(counts, is: SubscriptionCounts(confirmed: 2, deleted: 1), "counts")
        },
    ]
}

extension World {
    /// A topic; the server's own, unless said otherwise.
    func makeTopic(_ name: String = "news", of app: App? = nil) async throws -> Topic {
        try await store.createTopic(TopicDraft(app: app?.row, name: name)).topic
    }

    /// Subscribes an endpoint.
    @discardableResult
    func subscribe(
        _ endpoint: Endpoint,
        to topic: Topic,
        _ filter: SubscriptionFilter? = nil
    ) async throws -> Subscription {
        let draft = SubscriptionDraft(
            topic: topic.row,
            subject: .endpoint(endpoint.row),
            address: endpoint.id.description,
            filter: filter
        )
        return try await store.subscribe(draft).subscription
    }

    /// Subscribes a user.
    @discardableResult
    func subscribe(
        _ user: String,
        of app: App,
        to topic: Topic,
        _ filter: SubscriptionFilter? = nil
    ) async throws -> Subscription {
        let draft = SubscriptionDraft(
            topic: topic.row,
            subject: .user(user, app: app.row),
            address: user,
            filter: filter
        )
        return try await store.subscribe(draft).subscription
    }

    /// A webhook URL that wants to subscribe.
    func webhook(_ url: String, _ topic: Topic, isPending: Bool = false) -> SubscriptionDraft {
        SubscriptionDraft(topic: topic.row, subject: .webhook(url), address: url, isPending: isPending)
    }
}
