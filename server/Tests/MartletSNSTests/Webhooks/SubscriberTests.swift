import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("A subscriber over HTTP")
struct SubscriberTests {
    @Test("subscribes, confirms, gets what its filter takes, and ends it by the link in a message")
    func life() async throws {
        try await WebhookStage.run { stage in
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            let filter = #"{"kind":["delay"]}"#
            let subscribed = try await stage.perform(
                "Action=Subscribe&TopicArn=\(arn)&Protocol=http&Endpoint=\(stage.address())"
                    + "&Attributes.entry.1.key=FilterPolicy&Attributes.entry.1.value=\(filter)"
            )
            #expect(subscribed == "<SubscriptionArn>pending confirmation</SubscriptionArn>")
            #expect(try await stage.round() == 1)
            let confirmation = try ReadEnvelope(try #require(stage.receiver.all.first).body)
            #expect(try await stage.get(confirmation["SubscribeURL"]).status == 200)

            for kind in ["delay", "other"] {
                _ = try await stage.perform(
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
            _ = try await stage.perform(
                "Action=Publish&TopicArn=\(arn)&Message=late&MessageAttributes.entry.1.Name=kind"
                    + "&MessageAttributes.entry.1.Value.DataType=String&MessageAttributes.entry.1.Value.StringValue=delay"
            )
            #expect(try await stage.round() == 1)
            #expect(stage.receiver.all.map { $0.field("x-amz-sns-message-type") }.last == "UnsubscribeConfirmation")
            #expect(stage.receiver.all.count == 3)
        }
    }

    @Test("is told of the end of its subscription, and takes it back by the link, as it was", arguments: [true, false])
    func unsubscribeConfirmation(isSigned: Bool) async throws {
        try await WebhookStage.run { stage in
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            var draft = SubscriptionDraft(
                topic: stage.topic.row,
                subject: .webhook(stage.address()),
                address: stage.address(),
                attributes: ["RawMessageDelivery": "true"]
            )
            draft.filter = try SubscriptionFilter(#"{"kind":["delay"]}"#)
            let hook = try await stage.store.subscribe(draft).subscription
            let name = "\(arn):\(hook.id)"
            let end = "Action=Unsubscribe&SubscriptionArn=\(name)"
            if isSigned { _ = try await stage.perform(end) } else { _ = try await stage.get("/?\(end)") }
            #expect(try await stage.store.subscription(.row(hook.row)) == nil)
            #expect(try await !stage.perform("Action=ListSubscriptions").contains("<member>"))

            #expect(try await stage.round() == 1)
            let got = try #require(stage.receiver.all.first)
            #expect(got.field("x-amz-sns-message-type") == "UnsubscribeConfirmation")
            #expect(got.field("x-amz-sns-topic-arn") == arn)
            #expect(got.field("x-amz-sns-subscription-arn") == name)
            #expect(got.field("x-amz-sns-rawdelivery") == nil)
            let word = try ReadEnvelope(got.body)
            #expect(
                Set(word.members.keys) == [
                    "Type", "MessageId", "Token", "TopicArn", "Message", "SubscribeURL", "Timestamp",
                    "SignatureVersion", "Signature", "SigningCertURL",
                ]
            )
            #expect(word["Type"] == "UnsubscribeConfirmation")
            #expect(word["Message"].hasPrefix("You have chosen to deactivate subscription \(name).\n"))
            try await word.verify(with: stage)

            for _ in 0..<2 {
                let answer = try await stage.get(word["SubscribeURL"])
                #expect(answer.status == 200)
                #expect(answer.body.contains("<SubscriptionArn>\(name)</SubscriptionArn>"))
            }
            let again = try #require(try await stage.store.subscription(.id(hook.id)))
            #expect(again.isConfirmed)
            #expect(again.filter == hook.filter)
            #expect(again.attributes["RawMessageDelivery"] == "true")
            let counts = try #require(try await stage.store.topic(.row(stage.topic.row))).counts
            #expect(counts == SubscriptionCounts(confirmed: 1, pending: 0, deleted: 0))
        }
    }

    @Test("that was told of the end cannot take it back after three days, in another region, or without the topic")
    func lateUnsubscribeConfirmation() async throws {
        try await WebhookStage.run { stage in
            let hook = try await stage.subscribe()
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            _ = try await stage.perform("Action=Unsubscribe&SubscriptionArn=\(arn):\(hook.id)")
            #expect(try await stage.round() == 1)
            let token = try ReadEnvelope(try #require(stage.receiver.all.first).body)["Token"]
            let far = "/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:us-east-1:123456789012:news&Token=\(token)"
            #expect(try await stage.get(far).status == 400)
            let link = "/?Action=ConfirmSubscription&TopicArn=\(arn)&Token=\(token)"
            #expect(try await stage.get("\(link)&AuthenticateOnUnsubscribe=true").status == 403)
            stage.clock.advance(by: SNSService.confirmationLifetime)
            let late = try await stage.get(link)
            #expect(late.body.contains("<Message>Invalid parameter: Token</Message>"))
            #expect(try await stage.store.subscription(.id(hook.id)) == nil)
        }
    }

    @Test("that was never confirmed is not told of its end")
    func pendingEnd() async throws {
        try await WebhookStage.run { stage in
            let pending = try await stage.subscribe(isPending: true)
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            _ = try await stage.perform("Action=Unsubscribe&SubscriptionArn=\(arn):\(pending.id)")
            #expect(try await stage.store.subscription(.row(pending.row)) == nil)
            #expect(try await stage.round() == 0)
        }
    }

    @Test("with a password in its URL is listed without it, by every interface")
    func masked() async throws {
        try await WebhookStage.run { stage in
            let hook = try await stage.subscribe(stage.address().replacing("127.0.0.1", with: "user:secret@127.0.0.1"))
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            let shown = "http://user:****@127.0.0.1:\(stage.receiverPort)/hook"
            for call in [
                "Action=ListSubscriptions", "Action=ListSubscriptionsByTopic&TopicArn=\(arn)",
                "Action=GetSubscriptionAttributes&SubscriptionArn=\(arn):\(hook.id)",
            ] {
                let answer = try await stage.perform(call)
                #expect(answer.contains(">\(shown)<"))
                #expect(!answer.contains("secret"))
            }
            let key = Secret(prefix: "mk_admin_")
            _ = try await stage.store.createKey(app: nil, scope: .admin, name: "a", prefix: "mk_", hash: key.hash)
            for path in ["/api/v1/subscriptions/\(hook.id)", "/api/v1/topics/\(stage.topic.id)/subscriptions"] {
                let answer = try await stage.get(path, key: key.text)
                #expect(answer.status == 200)
                #expect(answer.body.replacing("\\/", with: "/").contains(shown))
                #expect(!answer.body.contains("secret"))
            }
        }
    }

    @Test("that confirms with a signature may ask that only a signature ends the subscription")
    func guarded() async throws {
        try await WebhookStage.run { stage in
            let pending = try await stage.subscribe(isPending: true)
            let token = try stage.token(of: pending)
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            let confirmation =
                "Action=ConfirmSubscription&TopicArn=\(arn)&Token=\(token)&AuthenticateOnUnsubscribe=true"
            let answer = try await stage.perform(confirmation)
            #expect(answer == "<SubscriptionArn>\(arn):\(pending.id)</SubscriptionArn>")
            let confirmed = try #require(try await stage.store.subscription(.row(pending.row)))
            #expect(confirmed.attributes["ConfirmationWasAuthenticated"] == "true")
            let link = "/?Action=Unsubscribe&SubscriptionArn=\(arn):\(pending.id)"
            #expect(try await stage.get(link).status == 403)
            #expect(try await stage.store.subscription(.row(pending.row)) != nil)
            _ = try await stage.perform(String(link.dropFirst(2)))
            #expect(try await stage.store.subscription(.row(pending.row)) == nil)
        }
    }

    @Test("of a FIFO topic gets each message's sequence number, as its publisher does; of another topic there is none")
    func sequence() async throws {
        try await WebhookStage.run { stage in
            let draft = TopicDraft(region: "eu-west-1", name: "line.fifo", isFIFO: true)
            let line = try await stage.store.createTopic(draft).topic
            _ = try await stage.subscribe(to: line)
            _ = try await stage.subscribe(stage.address("/plain"))
            let arn = "arn:aws:sns:eu-west-1:123456789012:"
            for number in 1...2 {
                let answer = try await stage.perform(
                    "Action=Publish&TopicArn=\(arn)line.fifo&Message=m&MessageGroupId=g&MessageDeduplicationId=\(number)"
                )
                #expect(try await stage.round() == 1)
                let message = try ReadEnvelope(try #require(stage.receiver.all.last).body)
                #expect(message["SequenceNumber"].utf8.count == 20)
                #expect(answer.contains("<SequenceNumber>\(message["SequenceNumber"])</SequenceNumber>"))
                try await message.verify(with: stage)
            }
            _ = try await stage.perform("Action=Publish&TopicArn=\(arn)news&Message=m")
            #expect(try await stage.round() == 1)
            #expect(try ReadEnvelope(try #require(stage.receiver.all.last).body).members["SequenceNumber"] == nil)
        }
    }
}
