import MartletCore
import MartletFilter
import MartletStore
import MartletWire

extension StoreConformance {
    /// What changes about a topic and its subscribers while its audience is read.
    static let topicChanges: [Check] = [
        Check("a topic that is deleted while its audience is read reaches all who were subscribed") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            let filter = try SubscriptionFilter(#"{"kind":[{"exists":true}]}"#)
            for number in 1...3 {
                try await world.subscribe(try await world.register(app, number), to: topic, number == 3 ? filter : nil)
            }
            var draft = world.draft(app, to: .topic(TopicSelection(topic)))
            draft.message = TopicMessage(attributes: ["kind": .init(type: "String", value: "delay")])
            let sent = try await world.submit(draft)
            let fanOut = try unwrap(
                try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first,
                "fan-out"
            )
            let rest = try unwrap(try await world.readOne(fanOut), "rest")
            _ = try await world.store.deleteTopic(topic.row)
            try await world.purge(.deletedTopics)
            try await world.readToEnd(rest)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 3), "counts")
            try expect(try await world.read(sent.id).audience, is: .topic(TopicSelection(topic)), "audience")
            let left = try await world.store.purge(.deletedTopics, before: world.now, limit: 2)
            try expect(left > 0, "nothing is left to purge")
            try await world.purge(.deletedTopics)
        },
        Check("a topic whose last message was cancelled or is scheduled goes when no audience needs it") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            let endpoint = try await world.register(app, 1)
            try await world.subscribe(endpoint, to: topic)
            let audience = Audience.topic(TopicSelection(topic))
            let cancelled = try await world.submit(world.draft(app, to: audience))
            _ = try await world.store.cancel(cancelled.row)
            let scheduled = try await world.submit(world.draft(app, to: audience, sendAt: world.now + .seconds(60)))
            _ = try await world.store.deleteTopic(topic.row)
            try await world.purge(.deletedTopics)
            world.clock.advance(by: .seconds(60))
            try await world.fanOut()
            try expect(try await world.read(scheduled.id).counts.pending, is: 1, "of the scheduled one")
            try expect(try await world.store.purge(.deletedTopics, before: world.now, limit: 100) > 0, "nothing left")
        },
        Check("an endpoint whose own subscription ends or changes among its user's devices is met once") { world in
            let app = try await world.makeApp()
            let no = try SubscriptionFilter(#"{"kind":["no"]}"#)
            for (name, change) in [
                ("ends", { _ = try await world.store.unsubscribe($0.row) }),
                ("no longer matches", { try await world.change($0, .value(no)) }),
            ] as [(String, (Subscription) async throws -> Void)] {
                let (topic, own) = try await world.makeTwiceSubscribed(app, name: name.replacing(" ", with: "-"), nil)
                let fanOut = try await world.begin(app, .topic(TopicSelection(topic)))
                let rest = try unwrap(try await world.readOne(fanOut), "rest")
                try await change(own)
                try await world.readToEnd(rest)
                let counts = try await world.read(fanOut.notification.id).counts
                try expect(counts, is: DeliveryCounts(pending: 2), "counts when it \(name)")
            }
        },
        Check("an endpoint whose own subscription begins to match after it was passed over is met once") { world in
            let app = try await world.makeApp()
            let no = try SubscriptionFilter(#"{"kind":["no"]}"#)
            let (topic, own) = try await world.makeTwiceSubscribed(app, name: "news", no)
            // Another one, so that the first part ends among the endpoints.
            try await world.subscribe(try await world.register(app, 9), to: topic)
            try await world.subscribe(try await world.register(app, 10), to: topic)
            let fanOut = try await world.begin(app, .topic(TopicSelection(topic)))
            let rest = try unwrap(try await world.readOne(fanOut), "rest")
            try await world.change(own, .null)
            try await world.readToEnd(rest)
            let counts = try await world.read(fanOut.notification.id).counts
            try expect(counts, is: DeliveryCounts(pending: 4), "counts")
        },
        Check("an endpoint that goes from one subscribed user to another is met once") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            var endpoints: [Endpoint] = []
            for (number, user) in ["ann", "bob", "ann", "bob"].enumerated() {
                endpoints.append(try await world.register(app, number, user: user))
            }
            for user in ["ann", "bob"] { try await world.subscribe(user, of: app, to: topic) }
            let fanOut = try await world.begin(app, .topic(TopicSelection(topic)))
            let rest = try unwrap(try await world.readOne(fanOut), "rest")
            for (index, user) in [(0, "bob"), (1, "ann"), (3, "eve")] {
                _ = try await world.store.updateEndpoint(endpoints[index].row, EndpointUpdate(owner: .user(user)))
            }
            try await world.readToEnd(rest)
            let reports = try await world.store.deliveries(fanOut.notification.row, PageRequest()).items
            try expect(reports.map(\.endpoint), is: endpoints[0...2].map(\.id), "endpoints")
        },
        Check("a fan-out that is taken over goes on where it stood and repeats nobody") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let topic = try await world.makeTopic()
            var expected: [RowID<Endpoint>] = []
            for number in 1...6 {
                let endpoint = try await world.register(app, number, user: number > 3 ? "ann" : nil)
                if number <= 3 { try await world.subscribe(endpoint, to: topic) }
                expected.append(endpoint.row)
            }
            try await world.subscribe("ann", of: app, to: topic)
            var fanOut = try await world.begin(app, .topic(TopicSelection(topic)))
            for _ in expected {
                let lost = try await world.store.audience(of: fanOut, limit: 1)
                let before = fanOut
                guard let further = try await world.readOne(fanOut) else { break }
                try expect(
                    try await world.store.commit(world.gated(lost, app.row), of: before),
                    is: nil,
                    "a part that is written twice"
                )
                world.clock.advance(by: Lease.duration)
                let leased = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease())
                fanOut = try unwrap(leased.first, "fan-out")
                try expect(fanOut.cursor, is: further.cursor, "cursor")
            }
            let members = try await world.lease(queue).flatMap(\.batch.members).map(\.endpoint)
            try expect(members.sorted(), is: expected, "endpoints")
        },
    ]

    /// How notifications to topics are accepted.
    static let topicSubmission: [Check] = [
        Check("a short topic is read, gated and written in the transaction that accepts the message") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let gate = Gate(app: app.row, queues: [queue])
            let topic = try await world.makeTopic()
            for number in 1...100 {
                let filter = try SubscriptionFilter(#"{"line":["\#(number)"]}"#)
                try await world.subscribe(try await world.register(app, number), to: topic, number > 1 ? filter : nil)
            }
            var draft = world.draft(app, to: .topic(TopicSelection(topic)))
            draft.message = TopicMessage(attributes: ["line": .init(type: "String", value: "7")])
            let short = try await world.store.submit(draft, idempotency: nil, gate: gate)
            try expect(short.fanOut?.batches.map(\.members.count), is: [2], "batches")
            try expect(try await world.read(short.id).counts, is: DeliveryCounts(pending: 2), "counts")
            try expect(try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()), is: [], "open fan-outs")
            try await world.subscribe("ann", of: app, to: topic)
            for number in 101...200 { try await world.register(app, number, user: "ann") }
            let long = try await world.store.submit(
                world.draft(app, to: .topic(TopicSelection(topic))),
                idempotency: nil,
                gate: gate
            )
            try expect(long.fanOut, is: nil, "a long one that was read at once")
            try await world.fanOut(pageSize: 7)
            try expect(try await world.read(long.id).counts, is: DeliveryCounts(pending: 101), "counts of the long one")
        },
        Check("a request to send to a topic that is repeated is the same request") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            let key = try await world.store.createKey(
                app: nil,
                scope: .send,
                name: "",
                prefix: "",
                hash: SecretHash(of: "key")
            )
            let record = IdempotencyRecord(key: key.row, route: "send", value: "1", bodyHash: SecretHash(of: "body"))
            let audience = Audience.topic(TopicSelection(topic))
            let first = try await world.store.submit(world.draft(app, to: audience), idempotency: record)
            _ = try await world.store.deleteTopic(topic.row)
            let again = try await world.store.submit(world.draft(app, to: audience), idempotency: record)
            try expect(again, is: Submitted(id: first.id, isRepeated: true), "again")
        },
        Check("several notifications are accepted together or not at all") { world in
            let apps = [try await world.makeApp("one"), try await world.makeApp("two")]
            let topic = try await world.makeTopic()
            var gates: [Gate] = []
            for app in apps {
                gates.append(Gate(app: app.row, queues: [try await world.makeQueue(app)]))
                try await world.subscribe(try await world.register(app, 1), to: topic)
            }
            let audience = Audience.topic(TopicSelection(topic))
            let sent = try await world.publish(apps.map { world.draft($0, to: audience) }, gates, to: topic)
            try expect(sent.map { $0.fanOut?.batches.count }, is: [1, 1], "batches")
            var drafts = apps.map { world.draft($0, to: audience) }
            drafts[1].app = RowID(99)
            try await expectRefusal(.notFound, "an app that is not there") {
                _ = try await world.publish(drafts, gates, to: topic)
            }
            let own = try await world.makeTopic("own", of: apps[0])
            drafts = apps.map { world.draft($0, to: .topic(TopicSelection(own))) }
            try await expectRefusal(.notFound, "another app's topic") {
                _ = try await world.publish(drafts, [], to: own)
            }
            let stored = try await world.store.notifications(nil, state: nil, PageRequest()).items.map(\.id)
            try expect(Set(stored), is: Set(sent.map(\.id)), "notifications")
        },
    ]
}

extension World {
    /// Publishes a message to a topic that becomes these notifications.
    func publish(_ drafts: [NotificationDraft], _ gates: [Gate], to topic: Topic) async throws -> [Submitted] {
        let request = PublicationRequest(id: drafts[0].id, topic: topic.row, submissions: [])
        return try await store.publish([Publication(request, drafts: drafts, gates: gates)]).flatMap(\.submitted)
    }

    /// A topic to which a user is subscribed, and one of the user's two endpoints by itself too.
    fileprivate func makeTwiceSubscribed(
        _ app: App,
        name: String,
        _ filter: SubscriptionFilter?
    ) async throws -> (Topic, own: Subscription) {
        let topic = try await makeTopic(name)
        let endpoint = try await register(app, 1, user: "ann")
        try await register(app, 2, user: "ann")
        try await subscribe("ann", of: app, to: topic)
        return (topic, try await subscribe(endpoint, to: topic, filter))
    }

    fileprivate func change(_ one: Subscription, _ filter: NullablePatch<SubscriptionFilter>) async throws {
        _ = try await store.updateSubscription(one.row, SubscriptionUpdate(filter: filter))
    }
}
