import Foundation
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("A delivery policy that is read back")
struct DeliveryPolicyReadingTests {
    private static let retries = #"{"numRetries":5,"minDelayTarget":1,"maxDelayTarget":2,"backoffFunction":null}"#
    private static let kept: JSONValue = ["numRetries": 5, "minDelayTarget": 1, "maxDelayTarget": 2]

    @Test("of a topic says whether subscriptions may have their own, and has no nulls")
    func topics() async throws {
        try await Harness.run { server in
            let policy = #"{"http":{"defaultHealthyRetryPolicy":\#(Self.retries),"defaultThrottlePolicy":null}}"#
            let topic = try await server.makeTopic("news", [("DeliveryPolicy", policy)])
            let text = try #require(try await server.topicAttributes(topic)["DeliveryPolicy"])
            let expected: JSONValue = [
                "http": ["defaultHealthyRetryPolicy": Self.kept, "disableSubscriptionOverrides": false]
            ]
            #expect(try JSONValue(json: Data(text.utf8)) == expected)
            // What was read is the same policy to whoever makes the topic again.
            #expect(try await server.makeTopic("news", [("DeliveryPolicy", text)]) == topic)
            #expect(try await server.makeTopic("news", [("DeliveryPolicy", policy)]) == topic)
        }
    }

    @Test("of a subscription has all five members")
    func subscriptions() async throws {
        var settings = SNSSettings()
        settings.privateHosts = try PrivateHostPolicy(allowing: ["127.0.0.1"])
        try await Harness.run(settings: settings) { server in
            let topic = try await server.makeTopic("news")
            let address = "http://127.0.0.1:9/"
            let policy = #"{"requestPolicy":{"headerContentType":"application/json"}}"#
            let attributes = [("DeliveryPolicy", policy)]
            let subscription = try await server.subscribe(topic, address, attributes: attributes)
            let text = try #require(try await server.subscriptionAttributes(subscription)["DeliveryPolicy"])
            let expected: JSONValue = [
                "healthyRetryPolicy": .null, "sicklyRetryPolicy": .null, "throttlePolicy": .null,
                "requestPolicy": ["headerContentType": "application/json"], "guaranteed": false,
            ]
            #expect(try JSONValue(json: Data(text.utf8)) == expected)
            for same in [policy, text] {
                let again = try await server.subscribe(topic, address, attributes: [("DeliveryPolicy", same)])
                #expect(again == subscription)
            }
        }
    }
}
