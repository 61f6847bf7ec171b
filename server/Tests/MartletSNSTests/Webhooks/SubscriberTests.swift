import MartletTesting
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
            let filter = #"{"kind":["delay"]}"#
            let subscribed = try await perform(
                stage,
                "Action=Subscribe&TopicArn=\(arn)&Protocol=http&Endpoint=\(stage.address())"
                    + "&Attributes.entry.1.key=FilterPolicy&Attributes.entry.1.value=\(filter)"
            )
            #expect(subscribed == "<SubscriptionArn>pending confirmation</SubscriptionArn>")
            #expect(try await stage.round() == 1)
            let question = try ReadEnvelope(try #require(stage.receiver.all.first).body)
            #expect(try await stage.get(question["SubscribeURL"]).status == 200)

            for kind in ["delay", "other"] {
                _ = try await perform(
                    stage,
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
                stage,
                "Action=Publish&TopicArn=\(arn)&Message=late&MessageAttributes.entry.1.Name=kind"
                    + "&MessageAttributes.entry.1.Value.DataType=String&MessageAttributes.entry.1.Value.StringValue=delay"
            )
            #expect(try await stage.round() == 0)
            #expect(stage.receiver.all.count == 2)
        }
    }

    @Test("that confirms with a signature may ask that only a signature ends the subscription")
    func guarded() async throws {
        try await WebhookStage.run { stage in
            let token = ConfirmationToken.make(at: stage.clock.now())
            let pending = try await stage.subscribe(token: token)
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            let confirmation =
                "Action=ConfirmSubscription&TopicArn=\(arn)&Token=\(token)&AuthenticateOnUnsubscribe=true"
            let answer = try await perform(stage, confirmation)
            #expect(answer == "<SubscriptionArn>\(arn):\(pending.id)</SubscriptionArn>")
            let confirmed = try #require(try await stage.store.subscription(.row(pending.row)))
            #expect(confirmed.attributes["ConfirmationWasAuthenticated"] == "true")
            let link = "/?Action=Unsubscribe&SubscriptionArn=\(arn):\(pending.id)"
            #expect(try await stage.get(link).status == 403)
            #expect(try await stage.store.subscription(.row(pending.row)) != nil)
            _ = try await perform(stage, String(link.dropFirst(2)))
            #expect(try await stage.store.subscription(.row(pending.row)) == nil)
        }
    }

    /// Makes a call whose signature was checked, and says what its result holds.
    private func perform(_ stage: WebhookStage, _ query: String) async throws -> String {
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
}
