import MartletCore
import MartletFilter
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

/// Messages to topics, from the submission to the provider.
@Suite(.timeLimit(.minutes(2))) struct TopicTests {
    @Test("a message reaches exactly the endpoints whose filter it matches, and those without one")
    func filters() async throws {
        let stage = try await Stage()
        let topic = try await stage.makeTopic()
        for number in 0..<300 {
            let endpoint = try await stage.register(Stage.token(number))
            let filter = number == 0 ? nil : try SubscriptionFilter(#"{"device_id":["\#(number)"]}"#)
            try await stage.subscribe(.endpoint(endpoint.row), to: topic, filter)
        }
        try await stage.dispatching {
            let first = try await stage.submit(.topic(TopicSelection(topic))) {
                $0.message = TopicMessage(attributes: ["device_id": .init(type: "String", value: "7")])
            }
            #expect(try await stage.finished(first).counts == DeliveryCounts(accepted: 2))
            #expect(Set(stage.provider.attempts.map(\.token)) == [Stage.token(0), Stage.token(7)])
            let second = try await stage.submit(.topic(TopicSelection(topic)))
            #expect(try await stage.finished(second).counts == DeliveryCounts(accepted: 1))
        }
        #expect(stage.provider.attempts.count == 3)
    }

    @Test("a topic of 2,500 subscribers is read in parts, and deleted meanwhile it still reaches each once")
    func deletedWhileSent() async throws {
        let stage = try await Stage()
        let topic = try await stage.makeTopic()
        for number in 0..<2_500 {
            let endpoint = try await stage.register(Stage.token(number), user: "user\(number / 2)")
            // Half of the users subscribe, the devices of the other half one by one.
            if number < 1_250 {
                try await stage.subscribe(.endpoint(endpoint.row), to: topic)
            } else if number.isMultiple(of: 2) {
                try await stage.subscribe(.user("user\(number / 2)", app: stage.app.row), to: topic)
            }
        }
        let id = try await stage.submit(.topic(TopicSelection(topic))) { $0.dedup = Dedup(key: "k") }
        _ = try await stage.store.deleteTopic(topic.row)
        while try await stage.store.purge(.deletedTopics, before: stage.clock.now(), limit: 1_000) > 0 {}
        let counts = try await stage.dispatching { try await stage.finished(id).counts }
        #expect(counts == DeliveryCounts(accepted: 2_500))
        #expect(stage.provider.attemptsByDelivery.count == 2_500)
        #expect(stage.provider.attemptsByDelivery.values.allSatisfy { $0 == 1 })
    }

    @Test("a reader that dies in the middle of a topic is followed by one that repeats and loses nobody")
    func resumesAfterACrash() async throws {
        let stage = try await Stage()
        let topic = try await stage.makeTopic()
        for number in 0..<150 {
            let endpoint = try await stage.register(Stage.token(number))
            try await stage.subscribe(.endpoint(endpoint.row), to: topic)
        }
        let id = try await stage.submit(.topic(TopicSelection(topic)))
        let leased = try await stage.store.leaseFanOuts(limit: 1, lease: Lease(holder: 7))
        let fanOut = try #require(leased.first)
        let queue = DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
        let gate = Gate(app: stage.app.row, queues: [queue])
        let page = try await stage.store.audience(of: fanOut, limit: 60)
        #expect(page.candidates.count == 60)
        let further = try await stage.store.commit(gate.decide(page), of: fanOut)
        // It reads a second part and is gone before that is written.
        _ = try await stage.store.audience(of: try #require(further), limit: 60)
        stage.clock.advance(by: Lease.duration)
        let counts = try await stage.dispatching { try await stage.finished(id).counts }
        #expect(counts == DeliveryCounts(accepted: 150))
        #expect(stage.provider.attemptsByDelivery.count == 150)
        #expect(stage.provider.attempts.count == 150)
    }

    @Test("a subscribed user gets it on all devices, and a device that is subscribed by itself too gets one push")
    func userAndDevice() async throws {
        let stage = try await Stage()
        let topic = try await stage.makeTopic()
        let first = try await stage.register("a1", user: "ann")
        try await stage.register("a2", user: "ann")
        try await stage.register("b1", user: "bob")
        try await stage.subscribe(.user("ann", app: stage.app.row), to: topic)
        try await stage.subscribe(.endpoint(first.row), to: topic)
        try await stage.dispatching {
            let id = try await stage.submit(.topic(TopicSelection(topic)))
            #expect(try await stage.finished(id).counts == DeliveryCounts(accepted: 2))
        }
        #expect(stage.provider.attempts.map(\.token).sorted() == ["a1", "a2"])
    }

    @Test("a message to a topic with people of two apps is accepted for both or for none")
    func severalApps() async throws {
        let stage = try await Stage()
        let other = try await stage.store.createApp(name: "two", identity: Identity())
        let topic = try await stage.makeTopic()
        for (token, app) in [("a1", stage.app), ("b1", other)] {
            let endpoint = try await stage.register(token, app: app)
            try await stage.subscribe(.endpoint(endpoint.row), to: topic)
        }
        let submissions = [stage.app, other].map {
            Submission(app: $0, audience: .topic(TopicSelection(topic)), content: Content(title: "Delay"))
        }
        let request = PublicationRequest(id: stage.submitter.makeID(), topic: topic.row, submissions: submissions)
        let failure = await #expect(throws: Failure.self) { _ = try await stage.submitter.publish([request]) }
        #expect(failure?.code == .missingCredential)
        #expect(try await stage.store.notifications(nil, state: nil, PageRequest()).items.isEmpty)
        try await stage.configure(other, [.production])
        try await stage.dispatching {
            for submitted in try await stage.submitter.publish([request]).flatMap(\.submitted) {
                try await stage.finished(submitted.id)
            }
        }
        #expect(stage.provider.attempts.map(\.token).sorted() == ["a1", "b1"])
    }
}

extension Stage {
    func makeTopic(_ name: String = "news") async throws -> Topic {
        try await store.createTopic(TopicDraft(name: name)).topic
    }

    func subscribe(
        _ subject: SubscriptionDraft.Subject,
        to topic: Topic,
        _ filter: SubscriptionFilter? = nil
    ) async throws {
        let draft = SubscriptionDraft(topic: topic.row, subject: subject, address: "x", filter: filter)
        _ = try await store.subscribe(draft)
    }
}
