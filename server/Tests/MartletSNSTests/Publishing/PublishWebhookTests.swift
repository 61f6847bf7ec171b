import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite struct PublishWebhookTests {
    @Test(
        "a message waits for confirmed webhook URLs with their text and its id, and a repetition does not wait again"
    )
    func waits() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("line.fifo", [("FifoTopic", "true")])
            _ = try await harness.subscribe(topic, "https://hooks.example.com/a")
            let known = try await harness.store.subscriptions(.owned(by: nil, region: Harness.region), PageRequest())
                .items
            let update = SubscriptionUpdate(isConfirming: true)
            _ = try await harness.store.updateSubscription(try #require(known.first).row, update)
            let attribute = AttributeCase(name: "n", type: "Number", text: "1")
            let parameters =
                [
                    ("Message", #"{"default":"d","https":"h"}"#), ("MessageStructure", "json"), ("Subject", "s"),
                    ("MessageGroupId", "g"), ("MessageDeduplicationId", "1"),
                ] + PublishingForm.attributes([attribute])
            let id = try await harness.publish(("TopicArn", topic), parameters)
            #expect(try await harness.publish(("TopicArn", topic), parameters) == id)
            var read: RowID<WebhookMessage>?
            repeat { read = try await harness.store.fanOutWebhooks(after: read, limit: 10) } while read != nil
            let permits = Permits<String>(total: 10, perQueue: 10)
            let leased = try await harness.store.leaseWebhooks(permits, lease: Lease(process: 1, holder: 1)).deliveries
            let delivery = try #require(leased.first { $0.message == PublicID(id) })
            #expect(leased.count { $0.message == PublicID(id) } == 1)
            #expect(delivery.topicName == topic)
            let document = try WebhookDocument(stored: delivery.document)
            #expect(document.message == "d")
            #expect(document.secureMessage == "h")
            #expect(document.subject == "s")
            #expect(document.attributes == [WebhookDocument.Attribute(name: "n", type: "Number", value: "1")])
        }
    }
}
