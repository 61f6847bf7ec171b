import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite struct PersonAttributesTests {
    private static let app = App(
        row: RowID(1),
        id: PublicID("01920000-0000-7000-8000-000000000001")!,  // a literal
        name: "shop",
        identity: Identity(),
        createdAt: Timestamp(milliseconds: 0)
    )

    private static func category(_ key: String, isArchived: Bool = false) -> MartletCore.Category {
        MartletCore.Category(
            row: RowID(1),
            app: app.row,
            key: key,
            archivedAt: isArchived ? Timestamp(milliseconds: 1) : nil,
            createdAt: Timestamp(milliseconds: 0)
        )
    }

    private static func topic(_ tags: [String: String]) -> Topic {
        Topic(
            row: RowID(1),
            id: PublicID("01920000-0000-7000-8000-000000000002")!,  // a literal
            app: nil,
            region: "us-east-1",
            name: "news",
            isFIFO: false,
            attributes: [:],
            tags: tags,
            counts: SubscriptionCounts(),
            createdAt: Timestamp(milliseconds: 0)
        )
    }

    private func read(_ values: [(String, String)], type: String = "String") throws -> PersonAttributes {
        let attributes = values.map { AttributeCase(name: "MARTLET.\($0.0)", type: type, text: $0.1) }
        let form = try PublishingForm.of([("Message", "m")] + PublishingForm.attributes(attributes))
        return try PublishedMessage(form).person
    }

    private func request(
        _ values: [(String, String)],
        tags: [String: String]? = nil,
        isOfOneDevice: Bool = false
    ) throws -> PersonRequest {
        try PersonRequest(
            read(values),
            tags: tags.map { PersonTags(Self.topic($0)) },
            isOfOneDevice: isOfOneDevice,
            app: Self.app,
            categories: [Self.category("follow"), Self.category("old", isArchived: true)]
        )
    }

    @Test("category, inbox key and dedup key are read; without them there is none of the three")
    func reading() throws {
        let all = try request([("CATEGORY", "follow"), ("INBOX_KEY", "f:1"), ("DEDUP_KEY", "d:1")])
        #expect(all.category?.key == "follow")
        #expect(all.inbox == InboxDraft(key: "f:1"))
        #expect(all.dedup == Dedup(key: "d:1"))
        let none = try request([])
        #expect(none.category == nil && none.inbox == nil && none.dedup == nil)
    }

    @Test("a category that the app has not, or has archived, is refused with the attribute's or the tag's name")
    func categories() {
        for key in ["folow", "old", "Follow"] {
            let attribute = PublishingForm.refusal { try request([("CATEGORY", key)]) }
            #expect(attribute?.code == .invalidParameter)
            #expect(attribute?.message.hasPrefix("Invalid parameter: MARTLET.CATEGORY Reason: ") == true)
            #expect(attribute?.message.contains(key) == true)
            let tag = PublishingForm.refusal { try request([], tags: ["martlet:category": key]) }
            #expect(tag?.message.hasPrefix("Invalid parameter: martlet:category Reason: ") == true)
        }
    }

    @Test("a name that begins like these and is none of them is refused, and so are bytes, long and broken values")
    func refusals() {
        let values = [
            ("CATEGROY", "follow"), ("category", "follow"), ("INBOX_KEY", String(repeating: "k", count: 257)),
            ("DEDUP_KEY", "a\u{0}"), ("INBOX_KEY", "a\nb"),
        ]
        for (name, value) in values {
            let refusal = PublishingForm.refusal { try read([(name, value)]) }
            #expect(refusal?.code == .invalidParameter, "\(name)")
            #expect(refusal?.message.hasPrefix("Invalid parameter: MARTLET.\(name) Reason: ") == true)
        }
        let bytes = AttributeCase(name: "MARTLET.CATEGORY", type: "Binary", bytes: "AAE=")
        let parameters = [("Message", "m")] + PublishingForm.attributes([bytes])
        #expect(PublishingForm.refusal(parameters)?.code == .invalidParameter)
    }

    @Test("a topic's tags say what a message does not say itself")
    func tags() throws {
        let tags = ["martlet:category": "follow", "martlet:inbox": "false"]
        let quiet = try request([], tags: tags)
        #expect(quiet.category?.key == "follow" && quiet.inbox == nil)
        let loud = try request([("INBOX_KEY", "k")], tags: tags)
        #expect(loud.inbox == InboxDraft(key: "k"))
        let inbox = try request([], tags: ["martlet:inbox": "true"])
        #expect(inbox.category == nil && inbox.inbox == InboxDraft())
        #expect(throws: SNSError.self) { try request([("CATEGORY", "other")], tags: tags) }
    }

    @Test("what has a category leaves an item, but not for each of a person's devices")
    func items() throws {
        #expect(try request([("CATEGORY", "follow")]).inbox == InboxDraft())
        #expect(try request([("CATEGORY", "follow")], isOfOneDevice: true).inbox == nil)
        let keyed = try request([("CATEGORY", "follow"), ("INBOX_KEY", "k")], isOfOneDevice: true)
        #expect(keyed.inbox == InboxDraft(key: "k"))
    }

    @Test("tags of this server that mean nothing are refused; others are anybody's")
    func checkedTags() throws {
        for tags in [["martlet:inbox": "yes"], ["martlet:category": ""], ["martlet:categories": "x"]] {
            let refusal = PublishingForm.refusal { try PersonTags.check(tags) }
            #expect(refusal?.message.hasPrefix("Invalid parameter: Tags Reason: ") == true)
        }
        try PersonTags.check([
            "martlet:inbox": "true", "martlet:category": "follow", "team": "martlet", "Martlet:x": "",
        ])
    }

    @Test("an item says what the phone shows, and has the app's own values")
    func words() throws {
        let alert = #"{"aps":{"alert":{"title":"t","body":"b"},"badge":1},"post":7,"deep_link":"app://p/7"}"#
        let item = try item(["default": "d", "APNS": alert])
        #expect(item.title == "t" && item.body == "b" && item.deepLink == "app://p/7" && item.data == ["post": 7])
        #expect(try self.item(["default": "d", "APNS": #"{"aps":{"alert":"a"}}"#]).body == "a")
        let silent = try self.item(["default": "d", "APNS": #"{"aps":{"content-available":1},"n":1}"#])
        #expect(silent.title == "s" && silent.body == "d" && silent.data == ["n": 1])
        let message = #"{"fcmV1Message":{"message":{"notification":{"title":"g"},"data":{"k":"v"}}}}"#
        let google = try self.item(["default": "d", "GCM": message], kind: .gcm)
        #expect(google.title == "g" && google.body == nil && google.data == ["k": "v"])
    }

    @Test("an item of a plain text says what the notification says")
    func plain() throws {
        let form = try PublishingForm.of([("Message", "m"), ("Subject", "s")])
        let message = try PublishedMessage(form)
        let submission = try #require(try submission(message, person: request([("INBOX_KEY", "k")])))
        #expect(submission.inbox == InboxDraft(key: "k"))
        #expect(submission.content.title == "s" && submission.content.body == "m")
    }

    private func item(_ parts: [String: String], kind: PlatformApplication.Kind = .apns) throws -> Content {
        let json = String(decoding: try JSONValue.object(parts.mapValues(JSONValue.string)).json(), as: UTF8.self)
        let form = try PublishingForm.of([("Message", json), ("MessageStructure", "json"), ("Subject", "s")])
        let submission = try submission(PublishedMessage(form), person: request([("INBOX_KEY", "k")]), kind: kind)
        return try #require(submission?.inbox?.content)
    }

    private func submission(
        _ message: PublishedMessage,
        person: PersonRequest,
        kind: PlatformApplication.Kind = .apns
    ) throws -> Submission? {
        message.submission(
            of: try message.text(),
            to: .users(["ann"]),
            app: Self.app,
            kind: kind,
            person: person,
            now: Timestamp(milliseconds: 0),
            recordsRefusals: false
        )
    }
}
