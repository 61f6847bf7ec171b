import Foundation
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("An access key that is limited to actions and names")
struct AllowedActionsTests {
    private static let prefix = "arn:aws:sns:us-east-1:123456789012:"

    /// Makes a key by REST and says who calls with it.
    private func limited(_ server: Harness, _ allow: [String], name: String = "backend") async throws -> Harness {
        let request: JSONValue = ["name": .string(name), "allow": .array(allow.map(JSONValue.string))]
        let (status, made) = try await server.rest(.POST, "/api/v1/access-keys", request)
        #expect(status == 201, "\(made.compact)")
        let data = try #require(made.members?["data"]?.members)
        #expect(data["allow"] == .array(allow.map(JSONValue.string)))
        var other = server
        other.key = Harness.Key(
            id: try #require(data["access_key_id"]?.stringValue),
            secret: try #require(data["secret_access_key"]?.stringValue)
        )
        return other
    }

    @Test("does what it may and is refused all else in AWS's words, over every operation")
    func topics() async throws {
        try await Harness.run { server in
            for name in ["news", "orders-a", "orders-b"] { _ = try await server.makeTopic(name) }
            let rules = ["publish:\(Self.prefix)news", "get*,ListTagsForResource:\(Self.prefix)orders-*"]
            let backend = try await limited(server, rules)
            func call(_ action: String, _ name: String) async throws -> Reply {
                let member = action.contains("Tags") ? "ResourceArn" : "TopicArn"
                return try await backend.call(action, [(member, Self.prefix + name), ("Message", "m")])
            }
            #expect(try await call("Publish", "news").status == 200)
            for name in ["orders-a", "orders-b"] {
                #expect(try await call("GetTopicAttributes", name).status == 200)
                #expect(try await call("ListTagsForResource", name).status == 200)
            }
            for (action, name) in [
                ("Publish", "orders-a"), ("PublishBatch", "orders-a"),
                ("GetTopicAttributes", "news"), ("DeleteTopic", "news"), ("DeleteTopic", "orders-a"),
                ("Publish", "none"), ("Subscribe", "news"), ("ListSubscriptionsByTopic", "orders-a"),
            ] {
                let refused = try await call(action, name)
                #expect(refused.status == 403 && refused.error.code == "AuthorizationError")
                let user = "arn:aws:iam::123456789012:user/backend"
                let judged = action == "PublishBatch" ? "Publish" : action
                #expect(
                    refused.error.message
                        == """
                        User: \(user) is not authorized to perform: SNS:\(judged) on resource: \(Self.prefix)\(name) \
                        because no identity-based policy allows the SNS:\(judged) action
                        """
                )
            }
            for action in SNSAction.allCases.map(\.rawValue) {
                let refused = try await backend.call(action, [])
                #expect(refused.status == 403, "\(action): \(refused.body)")
                #expect(refused.error.message?.contains("on resource: \(Self.prefix)* because") == true)
            }
            #expect(try await server.call("ListTopics").all("TopicArn").count == 3)
        }
    }

    @Test("to a topic subscribes no user but those whom it may publish to")
    func users() async throws {
        try await Harness.run { server in
            _ = try await server.makeApplication()
            let topic = try await server.makeTopic("news")
            let backend = try await limited(server, ["*:\(topic)", "publish:\(Self.prefix)user/shop/ann*"])
            for (user, expected) in [("user/shop/ann", 200), ("user/shop/bob", 403), ("user/%73hop/ann", 403)] {
                let subscriber = [("Protocol", "application"), ("Endpoint", Self.prefix + user)]
                #expect(try await backend.call("Subscribe", [("TopicArn", topic)] + subscriber).status == expected)
                let message = [("TargetArn", Self.prefix + user), ("Message", "m")]
                #expect(try await backend.call("Publish", message).status == expected)
            }
        }
    }

    @Test("to an application reaches its endpoints and no others; to a topic, its subscriptions")
    func applications() async throws {
        try await Harness.run { server in
            let (shop, bank) = (try await server.makeApplication(), try await server.makeApplication("bank"))
            let topic = try await server.makeTopic("news")
            let mine = try await server.makeEndpoint(shop, token: Harness.token(1))
            let other = try await server.makeEndpoint(bank, token: Harness.token(2))
            let backend = try await limited(server, ["*:\(shop)", "*:\(topic)"])
            func status(_ action: String, _ parameters: [(String, String)]) async throws -> Int {
                try await backend.call(action, parameters).status
            }
            for (endpoint, application, expected) in [(mine, shop, 200), (other, bank, 403)] {
                let message = [("TargetArn", endpoint), ("Message", "m")]
                #expect(try await status("Publish", message) == expected)
                #expect(try await status("GetEndpointAttributes", [("EndpointArn", endpoint)]) == expected)
                let device = [("PlatformApplicationArn", application), ("Token", Harness.token(3))]
                #expect(try await status("CreatePlatformEndpoint", device) == expected)
            }
            for (name, expected) in [("shop", 200), ("bank", 403)] {
                let parameters = [("Name", name), ("Platform", "APNS")] + Harness.map(Harness.apple)
                #expect(try await status("CreatePlatformApplication", parameters) == expected)
            }
            #expect(try await status("CreateTopic", [("Name", "news")]) == 200)
            #expect(try await status("CreateTopic", [("Name", "other")]) == 403)
            let subscription = try await backend.subscribe(topic, mine)
            #expect(try await status("GetSubscriptionAttributes", [("SubscriptionArn", subscription)]) == 200)
            let wrong = subscription.replacing(":news:", with: ":other:")
            #expect(try await status("Unsubscribe", [("SubscriptionArn", wrong)]) == 403)
            #expect(try await status("Unsubscribe", [("SubscriptionArn", subscription)]) == 200)
            #expect(try await status("ListTopics", []) == 403)
            #expect(try await status("Publish", [("PhoneNumber", "+15551234567"), ("Message", "m")]) == 403)
            // Which of the two counts must not depend on who reads.
            let both = [("TargetArn", other), ("TopicArn", topic), ("Message", "m")]
            #expect(try await status("Publish", both) == 403)
        }
    }

    @Test("lets an application tell of its endpoints only on topics that it may publish to")
    func events() async throws {
        try await Harness.run { server in
            let (mine, other) = (try await server.makeTopic("news"), try await server.makeTopic("other"))
            let shop = try await server.makeApplication()
            let backend = try await limited(server, ["*:\(shop)", "sns:Publish:\(mine)"])
            func statuses(_ attribute: String, _ topic: String) async throws -> [Int] {
                let changed = [(attribute, topic)]
                let set = [("PlatformApplicationArn", shop)] + Harness.map(changed)
                let create = [("Name", "shop"), ("Platform", "APNS")] + Harness.map(Harness.apple + changed)
                return [
                    try await backend.call("SetPlatformApplicationAttributes", set).status,
                    try await backend.call("CreatePlatformApplication", create).status,
                ]
            }
            for name in ApplicationAttributes.events {
                #expect(try await statuses(name, other) == [403, 403])
                #expect(try await statuses(name, mine).first == 200)
                #expect(try await statuses(name, "").first == 200)
            }
        }
    }

    @Test("shows its rules in lists, a key without rules has none and may do everything")
    func lists() async throws {
        try await Harness.run { server in
            let reader = try await limited(server, ["list*:*", "publish,subscribe:\(Self.prefix)*"])
            #expect(try await reader.call("ListTopics").status == 200)
            #expect(try await reader.call("CreateTopic", [("Name", "news")]).status == 403)
            let (_, listed) = try await server.rest(.GET, "/api/v1/access-keys")
            #expect(listed.compact.contains(#""allow":["list*:*","publish,subscribe:\#(Self.prefix)*"]"#))
            #expect(listed.compact.components(separatedBy: "\"allow\"").count == 2)
            #expect(try await server.call("CreateTopic", [("Name", "news")]).status == 200)
        }
    }

    @Test(
        "cannot have a rule that allows nothing",
        arguments: [
            "", "publish", "publish:", ":arn:aws:sns:*", "publish:news", "publsh:*", "publish,:*", "publish: arn:*",
            "sqs:Publish:arn:aws:sns:*", "publish:arn:aws:sqs:*",
        ]
    )
    func wrong(_ rule: String) async throws {
        try await Harness.run { server in
            let request: JSONValue = ["name": "x", "allow": [.string(rule)]]
            let (status, refused) = try await server.rest(.POST, "/api/v1/access-keys", request)
            #expect(status == 422 && refused.compact.contains(#""field":"allow""#), "\(refused.compact)")
            #expect(try await server.rest(.POST, "/api/v1/access-keys", ["name": "x", "allow": []]).0 == 422)
        }
    }

    @Test("is refused through boto3 as it comes", .enabled(if: PythonProgram.hasBoto3, "python3 has no boto3"))
    func boto3() async throws {
        try await Harness.run { server in
            let topic = try await server.makeTopic("news")
            let other = try await server.makeTopic("other")
            let backend = try await limited(server, ["publish:\(topic)"])
            _ = try await PythonProgram.run("allowed_actions", backend, [topic, other])
        }
    }
}
