import Foundation
import MartletSQLite
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("Subscriptions of the SNS interface")
struct SubscriptionOperationTests {
    static let address = "https://hooks.example.com/a?b=c"

    @Test("an endpoint is subscribed at once, with AWS's attributes")
    func application() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let endpoint = try await harness.makeEndpoint(harness.makeApplication(), token: Harness.token(1))
            let parameters = [("TopicArn", topic), ("Protocol", "application"), ("Endpoint", endpoint)]
            let reply = try await harness.call("Subscribe", parameters)
            let arn = try #require(reply["SubscriptionArn"])
            #expect(arn.hasPrefix("\(topic):"))
            #expect(UUID(uuidString: String(arn.dropFirst(topic.count + 1))) != nil)
            let attributes = try await harness.subscriptionAttributes(arn)
            #expect(
                attributes == [
                    "SubscriptionArn": arn, "TopicArn": topic, "Owner": "123456789012", "Protocol": "application",
                    "Endpoint": endpoint, "PendingConfirmation": "false", "ConfirmationWasAuthenticated": "true",
                    "RawMessageDelivery": "false", "SubscriptionPrincipal": "arn:aws:iam::123456789012:user/test",
                ]
            )
            #expect(try await harness.topicAttributes(topic)["SubscriptionsConfirmed"] == "1")
            let listed = try await harness.call("ListSubscriptionsByTopic", [("TopicArn", topic)])
            #expect(listed["SubscriptionArn"] == arn)
            #expect(listed["Endpoint"] == endpoint)
            #expect(listed["Protocol"] == "application")
            #expect(listed["Owner"] == "123456789012")
            #expect(listed["TopicArn"] == topic)
        }
    }

    @Test("a subscription outlives its endpoint, and an endpoint that is gone cannot subscribe")
    func goneEndpoint() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let endpoint = try await harness.makeEndpoint(harness.makeApplication(), token: Harness.token(1))
            let subscription = try await harness.subscribe(topic, endpoint)
            _ = try await harness.call("DeleteEndpoint", [("EndpointArn", endpoint)])
            #expect(try await harness.subscriptionAttributes(subscription)["Endpoint"] == endpoint)
            let other = try await harness.makeTopic("other")
            let parameters = [("TopicArn", other), ("Protocol", "application"), ("Endpoint", endpoint)]
            let reply = try await harness.call("Subscribe", parameters)
            #expect(
                reply.error.message
                    == "Invalid parameter: Endpoint Reason: Endpoint does not exist for endpoint arn\(endpoint)"
            )
        }
    }

    static let refusedEndpoints: [(String, String, String)] = [
        ("application", "invalid arn", "Application endpoint arn invalid:invalid arn"),
        ("application", "", "Application endpoint arn invalid:"),
        (
            "application", "arn:aws:sns:us-east-1:123456789012:app/APNS/shop",
            "Application endpoint arn invalid:arn:aws:sns:us-east-1:123456789012:app/APNS/shop"
        ),
        ("http", "https://hooks.example.com/", "Endpoint must match the specified protocol"),
        ("https", "hooks.example.com", "Endpoint must match the specified protocol"),
        ("https", "https://", "Endpoint"),
        ("https", "https://hooks.example.com/\r\nX: y", "Endpoint"),
        ("https", "https://a@b@hooks.example.com/", "Endpoint"),
        ("http", "http://127.0.0.1:1/", "Endpoint Reason: This server does not call loopback addresses"),
        ("http", "http://[::1]/", "Endpoint Reason: This server does not call loopback addresses"),
        ("http", "http://10.1.2.3/", "Endpoint Reason: This server does not call private addresses"),
        ("email", "nobody", "Email address"),
        ("email", "a@example.com", "Protocol Reason: This server does not deliver over email"),
        (
            "lambda", "arn:aws:lambda:us-east-1:123456789012:function:f",
            "Protocol Reason: This server does not deliver over lambda"
        ),
        ("HTTPS", address, "Amazon SNS does not support this protocol string: HTTPS"),
    ]

    @Test("an endpoint that a protocol cannot have is refused", arguments: refusedEndpoints)
    func refused(transport: String, endpoint: String, reason: String) async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let parameters = [("TopicArn", topic), ("Protocol", transport), ("Endpoint", endpoint)]
            let reply = try await harness.call("Subscribe", parameters)
            #expect(reply.error.message == "Invalid parameter: \(reason)")
            #expect(try await harness.call("ListSubscriptions").all("member").isEmpty)
        }
    }

    @Test("endpoints of another region or account, and those that there never were, do not exist")
    func strangers() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let id = "0198f000-0000-7000-8000-000000000001"
            for stranger in [
                "arn:aws:sns:us-east-1:123456789012:endpoint/APNS/shop/\(id)",
                "arn:aws:sns:eu-central-1:123456789012:endpoint/APNS/shop/\(id)",
                "arn:aws:sns:us-east-1:999999999999:endpoint/APNS/shop/\(id)",
                "arn:aws:sns:us-east-1:123456789012:endpoint/NONE/shop/\(id)",
                "arn:aws:sns:us-east-1:123456789012:endpoint/APNS/shop/none",
            ] {
                let parameters = [("TopicArn", topic), ("Protocol", "application"), ("Endpoint", stranger)]
                let reply = try await harness.call("Subscribe", parameters)
                let reason = "Endpoint does not exist for endpoint arn\(stranger)"
                #expect(reply.error.message == "Invalid parameter: Endpoint Reason: \(reason)")
            }
        }
    }

    @Test("nothing but webhook URLs subscribes to a FIFO topic")
    func fifo() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("line.fifo", [("FifoTopic", "true")])
            let endpoint = try await harness.makeEndpoint(harness.makeApplication(), token: Harness.token(1))
            let parameters = [("TopicArn", topic), ("Protocol", "application"), ("Endpoint", endpoint)]
            let reply = try await harness.call("Subscribe", parameters)
            #expect(reply.error.message == "Invalid parameter: Invalid protocol type: application")
            _ = try await harness.subscribe(topic, Self.address)
        }
    }

    @Test("a webhook URL is pending, shows its name only on request, and is asked again when it is asked for again")
    func pending() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let parameters = [("TopicArn", topic), ("Protocol", "https"), ("Endpoint", Self.address)]
            var reply = try await harness.call("Subscribe", parameters)
            #expect(reply["SubscriptionArn"] == "pending confirmation")
            reply = try await harness.call("Subscribe", parameters + [("ReturnSubscriptionArn", "true")])
            let arn = try #require(reply["SubscriptionArn"])
            let attributes = try await harness.subscriptionAttributes(arn)
            #expect(attributes["PendingConfirmation"] == "true")
            #expect(attributes["ConfirmationWasAuthenticated"] == "false")
            #expect(attributes["EffectiveDeliveryPolicy"]?.contains(#""numRetries":3"#) == true)
            let listed = try await harness.call("ListSubscriptions")
            #expect(listed.all("SubscriptionArn") == ["PendingConfirmation"])
            let counts = try await harness.topicAttributes(topic)
            #expect(counts["SubscriptionsPending"] == "1")
            #expect(counts["SubscriptionsConfirmed"] == "0")
            // Two confirmations wait for the address.
            #expect(try await harness.store.statistics().webhooks.deliveries == 2)
        }
    }

    @Test("asking again finds the subscription when what is asked for is so")
    func idempotency() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let policy = #"{"device_id": ["a", 1]}"#
            let given = [("FilterPolicy", policy), ("RawMessageDelivery", "TrUe")]
            let arn = try await harness.subscribe(topic, Self.address, attributes: given)
            for same in [
                given, [], [("RawMessageDelivery", "true")], [("FilterPolicy", policy.replacing(" ", with: ""))],
                [("FilterPolicyScope", "MessageAttributes")],
            ] {
                #expect(try await harness.subscribe(topic, Self.address, attributes: same) == arn)
            }
            for other in [
                ("FilterPolicy", #"{"device_id":["b"]}"#), ("FilterPolicy", ""), ("RawMessageDelivery", "false"),
                ("FilterPolicyScope", "MessageBody"), ("DeliveryPolicy", #"{"healthyRetryPolicy":{"numRetries":1}}"#),
            ] {
                let parameters = [("TopicArn", topic), ("Protocol", "https"), ("Endpoint", Self.address)]
                let reply = try await harness.call("Subscribe", parameters + Harness.map([other]))
                let reason = "Subscription already exists with different attributes"
                #expect(reply.error.message == "Invalid parameter: Attributes Reason: \(reason)", "\(other)")
            }
            #expect(try await harness.subscriptionAttributes(arn)["RawMessageDelivery"] == "true")
            #expect(try await harness.subscriptionAttributes(arn)["FilterPolicy"] == policy)
        }
    }

    @Test("a filter policy is shown as given with its scope, and goes with it")
    func filters() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let arn = try await harness.subscribe(topic, Self.address)
            // A scope without a policy waits for one.
            #expect(try await harness.set("FilterPolicyScope", "MessageBody", of: arn).status == 200)
            #expect(try await harness.subscriptionAttributes(arn)["FilterPolicyScope"] == nil)
            let nested = #"{ "order": {"total": [{"numeric": [">", 10]}]} }"#
            #expect(try await harness.set("FilterPolicy", nested, of: arn).status == 200)
            var attributes = try await harness.subscriptionAttributes(arn)
            #expect(attributes["FilterPolicy"] == nested)
            #expect(attributes["FilterPolicyScope"] == "MessageBody")
            let narrowed = try await harness.set("FilterPolicyScope", "MessageAttributes", of: arn)
            let reason = "Filter policy scope MessageAttributes does not support nested filter policy"
            #expect(narrowed.error.message == "Invalid parameter: \(reason)")
            #expect(try await harness.subscriptionAttributes(arn)["FilterPolicyScope"] == "MessageBody")
            #expect(try await harness.set("FilterPolicy", "", of: arn).status == 200)
            attributes = try await harness.subscriptionAttributes(arn)
            #expect(attributes["FilterPolicy"] == nil)
            #expect(attributes["FilterPolicyScope"] == nil)
            let again = try await harness.set("FilterPolicy", nested, of: arn)
            #expect(again.error.message == "Invalid parameter: \(reason)", "the scope went with the policy")
            #expect(try await harness.set("FilterPolicy", "{}", of: arn).status == 200)
            #expect(try await harness.subscriptionAttributes(arn)["FilterPolicy"] == "{}")
        }
    }

    @Test("a topic with as many policies as it may have takes no other, and takes those that it has")
    func policyLimit() async throws {
        try await Harness.run(options: Store.Options(policiesPerTopic: 2)) { harness in
            let topic = try await harness.makeTopic("news")
            for number in 0..<2 {
                let policy = ("FilterPolicy", "{\"k\":[\"\(number)\"]}")
                _ = try await harness.subscribe(topic, "https://hooks.example.com/\(number)", attributes: [policy])
            }
            let free = try await harness.subscribe(topic, "https://hooks.example.com/free")
            let parameters = [("TopicArn", topic), ("Protocol", "https"), ("Endpoint", "https://hooks.example.com/x")]
            let one = #"{"k":["one more"]}"#
            var reply = try await harness.call("Subscribe", parameters + Harness.map([("FilterPolicy", one)]))
            #expect(reply.error.code == "FilterPolicyLimitExceeded")
            #expect(reply.status == 403)
            reply = try await harness.set("FilterPolicy", one, of: free)
            #expect(reply.error.code == "FilterPolicyLimitExceeded")
            #expect(try await harness.set("FilterPolicy", #"{"k":["1"]}"#, of: free).status == 200)
        }
    }

    static let refusedAttributes: [(String, String, String?)] = [
        ("Nothing", "x", "AttributeName"),
        ("PendingConfirmation", "false", "AttributeName"),
        (
            "RedrivePolicy", String(repeating: "[", count: 100_000), "RedrivePolicy: must be at most 30720 bytes long"
        ),
        ("FilterPolicy", String(repeating: "[", count: 200_000), nil),
        ("RedrivePolicy", "[]", "RedrivePolicy: must be a JSON object"),
        (
            "RedrivePolicy", #"{"maxReceiveCount":5}"#,
            "RedrivePolicy: invalid JSON. Attribute maxReceiveCount is unknown."
        ),
        (
            "DeliveryPolicy", #"{"healthyRetryPolicy":{"minDelayTarget":0}}"#,
            "DeliveryPolicy: healthyRetryPolicy.minDelayTarget must be greater than or equal to 1"
        ),
        (
            "DeliveryPolicy", #"{"requestPolicy":{"headerContentType":"text/plain\r\nX: y"}}"#,
            "DeliveryPolicy: requestPolicy.headerContentType is not a supported content type"
        ),
        ("DeliveryPolicy", #"{"http":{}}"#, "DeliveryPolicy: Unexpected JSON member: http"),
        ("ReplayPolicy", "{}", "ReplayPolicy: This server does not archive messages"),
    ]

    @Test("attributes are refused with either operation, each in its words", arguments: refusedAttributes)
    func refusals(name: String, value: String, reason: String?) async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let arn = try await harness.subscribe(topic, Self.address)
            let set = try await harness.set(name, value, of: arn)
            let parameters = [("TopicArn", topic), ("Protocol", "https"), ("Endpoint", "https://hooks.example.com/x")]
            let reply = try await harness.call("Subscribe", parameters + Harness.map([(name, value)]))
            #expect(set.status == 400)
            #expect(reply.status == 400)
            // Of a filter policy the words are looked at elsewhere.
            if let reason {
                #expect(set.error.message == "Invalid parameter: \(reason)")
                #expect(reply.error.message == "Invalid parameter: Attributes Reason: \(reason)")
            }
            #expect(try await harness.call("ListSubscriptions").all("member").count == 1)
        }
    }

    @Test("raw delivery, delivery and redrive policies are kept as given and taken away by an empty text")
    func attributes() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let arn = try await harness.subscribe(topic, Self.address)
            let given = [
                ("DeliveryPolicy", #"{"healthyRetryPolicy": {"numRetries": 7}, "throttlePolicy": null}"#),
                ("RedrivePolicy", #"{"deadLetterTargetArn": "arn:aws:sqs:us-east-1:123456789012:dead"}"#),
                ("SubscriptionRoleArn", "arn:aws:iam::123456789012:role/r"), ("RawMessageDelivery", "true"),
            ]
            for (name, value) in given { #expect(try await harness.set(name, value, of: arn).status == 200) }
            var attributes = try await harness.subscriptionAttributes(arn)
            for (name, value) in given.dropFirst() { #expect(attributes[name] == value) }
            for name in ["DeliveryPolicy", "EffectiveDeliveryPolicy"] {
                #expect(attributes[name]?.contains(#""numRetries":7"#) == true)
            }
            for (name, _) in given.prefix(3) { #expect(try await harness.set(name, "", of: arn).status == 200) }
            attributes = try await harness.subscriptionAttributes(arn)
            for (name, _) in given.prefix(3) { #expect(attributes[name] == nil) }
            #expect(attributes["EffectiveDeliveryPolicy"]?.contains(#""numRetries":3"#) == true)
            let endpoint = try await harness.makeEndpoint(harness.makeApplication(), token: Harness.token(1))
            let device = try await harness.subscribe(topic, endpoint)
            let raw = try await harness.set("RawMessageDelivery", "true", of: device)
            let reason = "Delivery protocol [application] does not support raw message delivery."
            #expect(raw.error.message == "Invalid parameter: \(reason)")
            #expect(try await harness.set("RawMessageDelivery", "false", of: device).status == 200)
        }
    }
}
