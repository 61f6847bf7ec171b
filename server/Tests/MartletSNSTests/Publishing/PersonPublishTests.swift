import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

/// What is published to people: preferences and inboxes through the interface of Amazon SNS.
@Suite struct PersonPublishTests {
    private static let scope = "arn:aws:sns:us-east-1:123456789012"

    private static func attributes(_ values: [(String, String)]) -> [(String, String)] {
        PublishingForm.attributes(values.map { AttributeCase(name: "MARTLET.\($0.0)", type: "String", text: $0.1) })
    }

    /// An app with the category `follow` whose user `ann` has two phones.
    private static func makeAnn(_ harness: Harness) async throws -> (app: App, phones: [String]) {
        let application = try await harness.makeApplication("shop")
        #expect(try await harness.rest(.PATCH, "/api/v1/apps/shop", ["sns_user_pointer": "/user_uid"]).0 == 200)
        let app = try #require(try await harness.store.app(.name("shop")))
        _ = try await harness.store.createCategory(CategoryRequest(key: "follow"), of: app.row, actor: "test")
        var phones: [String] = []
        for number in 1...2 {
            let data = #"{"user_uid":"ann"}"#
            phones.append(
                try await harness.makeEndpoint(application, token: Harness.token(number), userData: data)
            )
        }
        return (app, phones)
    }

    private static func inbox(_ harness: Harness, _ app: App, _ user: String = "ann") async throws -> [InboxItem] {
        let owner = InboxOwner(app: app.row, user: user)
        return try await harness.store.inbox(.list(.active, category: nil), of: owner, PageRequest()).items
    }

    @Test("one message to each of a person's devices under one inbox key is a push on each and one item")
    func devices() async throws {
        try await Harness.run(delivers: true) { harness in
            let (app, phones) = try await Self.makeAnn(harness)
            let message = [("Message", "Bob follows you"), ("Subject", "New follower")]
            let own = Self.attributes([("CATEGORY", "follow"), ("INBOX_KEY", "follow:bob:ann")])
            for phone in phones {
                let id = try await harness.publish(("TargetArn", phone), message + own)
                #expect(try await harness.outcome(of: id) == ["accepted"])
            }
            #expect((1...2).map { harness.payloads(Harness.token($0)).count } == [1, 1])
            let items = try await Self.inbox(harness, app)
            #expect(items.map(\.content.body) == ["Bob follows you"])
            #expect(items.map(\.category) == ["follow"])
        }
    }

    @Test("a dedup key keeps a message from a person's second device")
    func dedup() async throws {
        try await Harness.run(delivers: true) { harness in
            let (_, phones) = try await Self.makeAnn(harness)
            var outcomes: [[String]] = []
            for phone in phones {
                let parameters = [("Message", "m")] + Self.attributes([("DEDUP_KEY", "follow:bob:ann")])
                let id = try await harness.publish(("TargetArn", phone), parameters)
                outcomes.append(try await harness.outcome(of: id))
            }
            #expect(outcomes == [["accepted"], ["suppressed duplicate"]])
        }
    }

    @Test("a topic that is deleted as soon as its message is published reaches both devices, and leaves one item")
    func topic() async throws {
        try await Harness.run(delivers: true) { harness in
            let (app, phones) = try await Self.makeAnn(harness)
            let topic = try await harness.makeTopic("post_bob_20261125")
            for phone in phones { try await harness.subscribe(phone, to: topic) }
            let own = Self.attributes([("CATEGORY", "follow"), ("INBOX_KEY", "post:1")])
            let id = try await harness.publish(("TopicArn", topic), [("Message", "A new post")] + own)
            #expect(try await harness.call("DeleteTopic", [("TopicArn", topic)]).status == 200)
            #expect(try await harness.outcome(of: id) == ["accepted", "accepted"])
            #expect((1...2).map { harness.payloads(Harness.token($0)).count } == [1, 1])
            #expect(try await Self.inbox(harness, app).map(\.content.body) == ["A new post"])
        }
    }

    @Test("a user's ARN reaches all devices, and the inbox of somebody who has none")
    func users() async throws {
        try await Harness.run(delivers: true) { harness in
            let (app, _) = try await Self.makeAnn(harness)
            let parameters = [("Message", "m")] + Self.attributes([("INBOX_KEY", "k")])
            let id = try await harness.publish(("TargetArn", "\(Self.scope):user/shop/ann"), parameters)
            #expect(try await harness.outcome(of: id) == ["accepted", "accepted"])
            #expect(try await Self.inbox(harness, app).count == 1)
            // Known, and without a device.
            let topic = try await harness.makeTopic("news")
            _ = try await harness.subscribe(topic, "\(Self.scope):user/shop/bob")
            let other = try await harness.publish(("TargetArn", "\(Self.scope):user/shop/bob"), parameters)
            #expect(try await harness.outcome(of: other) == ["suppressed no_endpoint"])
            #expect(try await Self.inbox(harness, app, "bob").count == 1)
        }
    }

    @Test("a user's subscription reaches all devices, is made once, and is shown by the user's ARN")
    func subscribed() async throws {
        try await Harness.run(delivers: true) { harness in
            _ = try await Self.makeAnn(harness)
            let topic = try await harness.makeTopic("news")
            let arn = "\(Self.scope):user/shop/ann"
            let subscription = try await harness.subscribe(topic, arn)
            #expect(try await harness.subscribe(topic, arn) == subscription)
            #expect(try await harness.subscriptionAttributes(subscription)["Endpoint"] == arn)
            let id = try await harness.publish(("TopicArn", topic), [("Message", "m")])
            #expect(try await harness.outcome(of: id) == ["accepted", "accepted"])
            let none = [
                ("TopicArn", topic), ("Protocol", "application"), ("Endpoint", "\(Self.scope):user/none/ann"),
            ]
            let reply = try await harness.call("Subscribe", none)
            #expect(reply.error.code == "InvalidParameter")
            #expect(reply.error.message?.contains("Endpoint does not exist for endpoint arn") == true)
        }
    }

    @Test("a user of an app that there is not cannot be published to")
    func unknownApp() async throws {
        try await Harness.run { harness in
            let reply = try await harness.call(
                "Publish",
                [("TargetArn", "\(Self.scope):user/none/ann"), ("Message", "m")]
            )
            #expect(reply.status == 400)
            #expect(
                reply.error
                    == (
                        "InvalidParameter",
                        "Invalid parameter: TargetArn Reason: No app found for the target arn specified"
                    )
            )
        }
    }

    @Test("who switched a category off gets neither a push nor an item")
    func off() async throws {
        try await Harness.run(delivers: true) { harness in
            let (app, phones) = try await Self.makeAnn(harness)
            let category = try #require(try await harness.store.categories(of: app.row).first)
            let draft = PreferencesDraft(
                user: "ann",
                categories: [category.row: ChannelPatch(enabled: .value(false))]
            )
            let changed = try await harness.store.changePreferences([draft], of: app.row, actor: "test")
            #expect(changed.allSatisfy { (try? $0.get()) != nil } && changed.count == 1)
            let own = Self.attributes([("CATEGORY", "follow"), ("INBOX_KEY", "k")])
            let id = try await harness.publish(("TargetArn", phones[0]), [("Message", "m")] + own)
            #expect(try await harness.outcome(of: id) == ["suppressed preference_off"])
            #expect(try await Self.inbox(harness, app).isEmpty)
        }
    }

    @Test("an unknown category refuses a message, and in a batch its entry alone")
    func unknownCategory() async throws {
        try await Harness.run(delivers: true) { harness in
            let (_, phones) = try await Self.makeAnn(harness)
            let wrong = Self.attributes([("CATEGORY", "folow")])
            let topic = try await harness.makeTopic("news")
            try await harness.subscribe(phones[0], to: topic)
            let words = "Invalid parameter: MARTLET.CATEGORY Reason: The app shop has no category folow"
            for target in [("TargetArn", phones[0]), ("TopicArn", topic), ("TargetArn", "\(Self.scope):user/shop/ann")]
            {
                let reply = try await harness.call("Publish", [target, ("Message", "m")] + wrong)
                #expect(reply.error == ("InvalidParameter", words))
            }
            let path = "PublishBatchRequestEntries.member."
            let attribute = [AttributeCase(name: "MARTLET.CATEGORY", type: "String", text: "folow")]
            let entries =
                [("TopicArn", topic), (path + "1.Id", "a"), (path + "1.Message", "m")]
                + [(path + "2.Id", "b"), (path + "2.Message", "m")]
                + PublishingForm.attributes(attribute, prefix: path + "2.")
            let batch = try await harness.call("PublishBatch", entries)
            #expect(batch.status == 200, "\(batch.body)")
            #expect(batch.all("Id") == ["a", "b"])
            #expect(batch["Message"] == words)
            await harness.pushes.untilAttempts(1)
            #expect(harness.pushes.attempts.count == 1)
        }
    }

    @Test("a topic's tags give its messages their category and their item")
    func tags() async throws {
        try await Harness.run(delivers: true) { harness in
            let (app, phones) = try await Self.makeAnn(harness)
            let tags = [
                ("Tags.member.1.Key", "martlet:category"), ("Tags.member.1.Value", "follow"),
                ("Tags.member.2.Key", "martlet:inbox"), ("Tags.member.2.Value", "true"),
            ]
            let made = try await harness.call("CreateTopic", [("Name", "followers-bob")] + tags)
            let topic = try #require(made["TopicArn"], "\(made.body)")
            try await harness.subscribe(phones[0], to: topic)
            let id = try await harness.publish(("TopicArn", topic), [("Message", "m")])
            #expect(try await harness.outcome(of: id) == ["accepted"])
            #expect(try await Self.inbox(harness, app).map(\.category) == ["follow"])
            let wrong = [("Tags.member.1.Key", "martlet:inbox"), ("Tags.member.1.Value", "no")]
            let refused = try await harness.call("TagResource", [("ResourceArn", topic)] + wrong)
            #expect(refused.error.code == "InvalidParameter")
            let quiet = [("Tags.member.1.Key", "martlet:inbox"), ("Tags.member.1.Value", "false")]
            #expect(try await harness.call("TagResource", [("ResourceArn", topic)] + quiet).status == 200)
            _ = try await harness.outcome(of: harness.publish(("TopicArn", topic), [("Message", "n")]))
            #expect(try await Self.inbox(harness, app).count == 1)
        }
    }
}
