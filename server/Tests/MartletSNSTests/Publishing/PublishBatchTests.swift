import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite struct PublishBatchTests {
    private static func entry(_ number: Int, _ values: [(String, String)]) -> [(String, String)] {
        values.map { ("PublishBatchRequestEntries.member.\(number).\($0.0)", $0.1) }
    }

    @Test("a batch is published whole; an entry whose text is at fault is named with its code")
    func partial() async throws {
        try await Harness.run(delivers: true) { harness in
            let application = try await harness.makeApplication()
            let endpoint = try await harness.makeEndpoint(application, token: Harness.token(1))
            let topic = try await harness.makeTopic("news")
            try await harness.subscribe(endpoint, to: topic)
            let parameters =
                [("TopicArn", topic)] + Self.entry(1, [("Id", "a"), ("Message", "one")])
                + Self.entry(2, [("Id", "b"), ("Message", "")])
                + Self.entry(3, [("Id", "c"), ("Message", "three"), ("Subject", "")])
                + Self.entry(4, [("Id", "d"), ("Message", "four"), ("MessageGroupId", "g")])
            let reply = try await harness.call("PublishBatch", parameters)
            #expect(reply.status == 200)
            #expect(reply.all("Id") == ["a", "d", "b", "c"])
            #expect(reply.all("Code") == ["InvalidParameter", "InvalidParameter"])
            #expect(reply.all("Message") == ["Invalid parameter: Empty message", "Invalid parameter: Subject"])
            #expect(reply.all("SenderFault") == ["true", "true"])
            let ids = reply.all("MessageId")
            #expect(Set(ids).count == 2)
            for id in ids { #expect(try await harness.outcome(of: id) == ["accepted"]) }
            #expect(
                Set(harness.payloads(Harness.token(1))) == [#"{"aps":{"alert":"one"}}"#, #"{"aps":{"alert":"four"}}"#]
            )
        }
    }

    @Test("both lists are there when all succeed and when none does")
    func lists() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let good = try await harness.call(
                "PublishBatch",
                [("TopicArn", topic)] + Self.entry(1, [("Id", "a"), ("Message", "m")])
            )
            #expect(good.body.contains("<Failed/>"))
            let bad = try await harness.call(
                "PublishBatch",
                [("TopicArn", topic)] + Self.entry(1, [("Id", "a"), ("Message", "")])
            )
            #expect(bad.status == 200)
            #expect(bad.body.contains("<Successful/>"))
        }
    }
}
