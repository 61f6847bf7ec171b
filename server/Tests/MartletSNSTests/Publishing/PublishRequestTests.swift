import MartletCore
import MartletWire
import Testing

@testable import MartletSNS

@Suite struct PublishRequestTests {
    private func target(_ parameters: [(String, String)]) throws -> TargetARN {
        try PublishRequest(PublishingForm.of([("Message", "m")] + parameters), in: PublishingForm.scope()).target
    }

    @Test("a message is for a topic, by either parameter, or for an endpoint")
    func targets() throws {
        let topic = TargetARN.topic(TopicARN(region: "us-east-1", account: "123456789012", name: "news"))
        #expect(try target([("TopicArn", PublishingForm.topic)]) == topic)
        #expect(try target([("TargetArn", PublishingForm.topic)]) == topic)
        let endpoint = "arn:aws:sns:us-east-1:123456789012:endpoint/APNS/shop/1"
        guard case .endpoint(let arn) = try target([("TargetArn", endpoint)]) else {
            Issue.record("not an endpoint")
            return
        }
        #expect(arn.description == endpoint)
    }

    @Test(
        "a target that is none, or two of them, is refused",
        arguments: [
            ([], "TopicArn or TargetArn Reason: no value for required parameter"),
            ([("TopicArn", "")], "TopicArn Reason: An ARN must have at least 6 elements, not 1"),
            ([("TopicArn", "a:b")], "TopicArn Reason: An ARN must have at least 6 elements, not 2"),
            ([("TargetArn", "x")], "TargetArn Reason: An ARN must have at least 6 elements, not 1"),
            ([("TopicArn", "arn:aws:sns:eu-west-1:123456789012:news")], "TopicArn"),
            (
                [("TopicArn", PublishingForm.topic), ("PhoneNumber", "+15551234567")],
                "TopicArn Reason: Only one of TopicArn, TargetArn and PhoneNumber can be specified"
            ),
            ([("PhoneNumber", "+1a234")], "PhoneNumber Reason: +1a234 is not valid to publish to"),
            ([("PhoneNumber", "NAA+15551234567")], "PhoneNumber Reason: NAA+15551234567 is not valid to publish to"),
            ([("PhoneNumber", "+15551234567")], "PhoneNumber Reason: This server does not send text messages"),
        ] as [([(String, String)], String)]
    )
    func refusedTargets(_ parameters: [(String, String)], _ message: String) {
        #expect(PublishingForm.refusal { try target(parameters) } == .invalidParameter(message))
    }

    @Test("a message has a text and is not too long, its attributes with it")
    func messages() {
        #expect(PublishingForm.refusal([]) == .missing(["message"]))
        #expect(PublishingForm.refusal([("Message", "")]) == .invalidParameter("Empty message"))
        let full = String(repeating: "a", count: PublishedMessage.limit)
        #expect(PublishingForm.refusal([("Message", full)]) == nil)
        #expect(PublishingForm.refusal([("Message", full + "a")]) == .invalidParameter("Message too long"))
        let attribute = PublishingForm.attributes([AttributeCase(name: "a", type: "String", text: "b")])
        let rest = String(full.dropLast(8))
        #expect(PublishingForm.refusal([("Message", rest)] + attribute) == nil)
        #expect(PublishingForm.refusal([("Message", rest + "a")] + attribute) == .invalidParameter("Message too long"))
    }

    @Test("a subject is one line of 1 to 100 characters")
    func subjects() {
        func refusal(_ subject: String) -> SNSError? {
            PublishingForm.refusal([("Message", "m"), ("Subject", subject)])
        }
        for subject in ["a", "新しい分析結果", String(repeating: "é", count: 100)] { #expect(refusal(subject) == nil) }
        let zalgo = "a" + String(repeating: "\u{301}", count: 10_000)
        for subject in ["", "a\nb", "a\u{7}", "a\u{2028}b", String(repeating: "a", count: 101), zalgo] {
            #expect(refusal(subject) == .invalidParameter("Subject"))
        }
    }

    @Test("group and deduplication id have 1 to 128 letters, digits and punctuation marks")
    func words() {
        for name in ["MessageGroupId", "MessageDeduplicationId"] {
            for word in ["a b", "é", "a\n", String(repeating: "a", count: 129)] {
                let refusal = PublishingForm.refusal([("Message", "m"), (name, word)])
                #expect(refusal?.message.hasPrefix("Invalid parameter: \(name) Reason: ") == true)
            }
            #expect(
                PublishingForm.refusal([("Message", "m"), (name, "a!~" + String(repeating: "b", count: 125))]) == nil
            )
        }
    }

    @Test("a FIFO topic needs a group, and an id unless it takes the message for one")
    func order() throws {
        func order(_ parameters: [(String, String)], isFIFO: Bool = true, _ attributes: [String: String] = [:]) throws
            -> PublicationOrder?
        {
            let message = try PublishedMessage(PublishingForm.of([("Message", "m")] + parameters))
            return try message.order(on: topic(isFIFO: isFIFO, attributes))
        }
        let group = [("MessageGroupId", "g")]
        let id = [("MessageDeduplicationId", "1")]
        let byContent = ["ContentBasedDeduplication": "true"]
        #expect(try order([], isFIFO: false) == nil)
        #expect(try order(group, isFIFO: false) == nil)
        #expect(
            PublishingForm.refusal { try order(id, isFIFO: false) }?.message.contains("not valid for this topic type")
                == true
        )
        #expect(
            PublishingForm.refusal { try order(id) }?.message.contains("MessageGroupId parameter is required") == true
        )
        #expect(
            PublishingForm.refusal { try order(group) }?.message.contains("ContentBasedDeduplication enabled") == true
        )
        let hash = "62c66a7a5dd70c3146618063c344e531e6d4b59e379808443ce962b3abd63c5a"  // SHA-256 of m
        #expect(
            try order(group, byContent) == order(group + [("MessageDeduplicationId", hash)])
        )
        let other = [("MessageGroupId", "h")]
        #expect(try order(group + id) == order(other + id))
        let perGroup = ["FifoThroughputScope": "MessageGroup"]
        #expect(try order(group + id, perGroup) != order(other + id, perGroup))
        #expect(try order(group + id, perGroup) == order(group + id, perGroup))
    }

    @Test("a sequence number has 20 digits, and texts sort as numbers do")
    func sequence() {
        func text(_ number: Int64?) -> String? {
            Published(
                id: PublicID(high: 0, low: 0),
                sequenceNumber: number,
                isRepeated: false,
                submitted: [],
                hasWebhooks: false
            ).sequenceText
        }
        #expect(text(nil) == nil)
        #expect(text(1) == "10000000000000000001")
        #expect(text(.max)?.utf8.count == 20)
    }

    private func topic(isFIFO: Bool, _ attributes: [String: String]) -> Topic {
        Topic(
            row: RowID(1),
            id: PublicID(high: 0, low: 1),
            app: nil,
            region: "us-east-1",
            name: isFIFO ? "news.fifo" : "news",
            isFIFO: isFIFO,
            attributes: attributes,
            tags: [:],
            counts: SubscriptionCounts(),
            createdAt: Timestamp(milliseconds: 0)
        )
    }
}
