import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("A subscriber over HTTP")
struct SubscriberTests {
    @Test("subscribes, confirms, gets what its filter takes, and ends it by the link in a message")
    func life() async throws {
        try await WebhookStage.run { stage in
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            func perform(_ query: String) async throws -> String {
                let form = try FormParameters(query: query, body: [])
                let scope = ARNScope(region: "eu-west-1", account: "123456789012", action: try form.action())
                let caller = StoredAccessKey(
                    row: RowID(1),
                    id: "AKIAIOSFODNN7EXAMPLE",
                    sealed: [],
                    name: "test",
                    createdAt: stage.clock.now(),
                    revokedAt: nil
                )
                let call = SNSCall(form: form, scope: scope, caller: caller, origin: stage.url)
                var writer = XMLWriter()
                if let result = try await stage.service.perform(call) { result(&writer) }
                return String(decoding: writer.bytes, as: UTF8.self)
            }
            let filter = #"{"kind":["delay"]}"#
            let subscribed = try await perform(
                "Action=Subscribe&TopicArn=\(arn)&Protocol=http&Endpoint=\(stage.address())"
                    + "&Attributes.entry.1.key=FilterPolicy&Attributes.entry.1.value=\(filter)"
            )
            #expect(subscribed == "<SubscriptionArn>pending confirmation</SubscriptionArn>")
            #expect(try await stage.round() == 1)
            let question = try ReadEnvelope(try #require(stage.receiver.all.first).body)
            #expect(try await stage.get(question["SubscribeURL"]).status == 200)

            for kind in ["delay", "other"] {
                _ = try await perform(
                    "Action=Publish&TopicArn=\(arn)&Message=\(kind)&MessageAttributes.entry.1.Name=kind"
                        + "&MessageAttributes.entry.1.Value.DataType=String"
                        + "&MessageAttributes.entry.1.Value.StringValue=\(kind)"
                )
            }
            #expect(try await stage.round() == 1)
            let message = try ReadEnvelope(try #require(stage.receiver.all.last).body)
            #expect(message["Message"] == "delay")
            #expect(message.attributes == ["kind": ["Type": "String", "Value": "delay"]])
            try await message.verify(with: stage)

            #expect(try await stage.get(message["UnsubscribeURL"]).status == 200)
            _ = try await perform(
                "Action=Publish&TopicArn=\(arn)&Message=late&MessageAttributes.entry.1.Name=kind"
                    + "&MessageAttributes.entry.1.Value.DataType=String&MessageAttributes.entry.1.Value.StringValue=delay"
            )
            #expect(try await stage.round() == 0)
            #expect(stage.receiver.all.count == 2)
        }
    }
}
