import Foundation
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("Topics of the SNS interface")
struct TopicOperationTests {
    static let arn = "arn:aws:sns:us-east-1:123456789012:news"

    @Test("a new topic has AWS's defaults and nothing else")
    func defaults() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            #expect(arn == Self.arn)
            let attributes = try await harness.topicAttributes(arn)
            #expect(
                Set(attributes.keys) == [
                    "TopicArn", "Owner", "Policy", "DisplayName", "SubscriptionsConfirmed", "SubscriptionsPending",
                    "SubscriptionsDeleted", "EffectiveDeliveryPolicy",
                ]
            )
            #expect(attributes["TopicArn"] == arn)
            #expect(attributes["Owner"] == "123456789012")
            #expect(attributes["DisplayName"]?.isEmpty == true)
            #expect(attributes["SubscriptionsConfirmed"] == "0")
            let delivery = """
                {"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":20,"maxDelayTarget":20,"numRetries":3,\
                "numMaxDelayRetries":0,"numNoDelayRetries":0,"numMinDelayRetries":0,"backoffFunction":"linear"},\
                "disableSubscriptionOverrides":false,\
                "defaultRequestPolicy":{"headerContentType":"text/plain; charset=UTF-8"}}}
                """
            #expect(try json(attributes["EffectiveDeliveryPolicy"]) == json(delivery))
            let policy = """
                {"Version":"2008-10-17","Id":"__default_policy_ID","Statement":[{"Sid":"__default_statement_ID",\
                "Effect":"Allow","Principal":{"AWS":"*"},"Action":["SNS:GetTopicAttributes","SNS:SetTopicAttributes",\
                "SNS:AddPermission","SNS:RemovePermission","SNS:DeleteTopic","SNS:Subscribe",\
                "SNS:ListSubscriptionsByTopic","SNS:Publish"],"Resource":"\(Self.arn)",\
                "Condition":{"StringEquals":{"AWS:SourceOwner":"123456789012"}}}]}
                """
            #expect(try json(attributes["Policy"]) == json(policy))
        }
    }

    @Test("a FIFO topic says so, and one that is asked for with FifoTopic=false does not")
    func fifo() async throws {
        try await Harness.run { harness in
            let fifo = try await harness.makeTopic("line.fifo", [("FifoTopic", "True")])
            var attributes = try await harness.topicAttributes(fifo)
            #expect(attributes["FifoTopic"] == "true")
            #expect(attributes["ContentBasedDeduplication"] == "false")
            #expect(try await harness.set("ContentBasedDeduplication", "true", of: fifo).status == 200)
            #expect(try await harness.set("FifoThroughputScope", "MessageGroup", of: fifo).status == 200)
            attributes = try await harness.topicAttributes(fifo)
            #expect(attributes["ContentBasedDeduplication"] == "true")
            #expect(attributes["FifoThroughputScope"] == "MessageGroup")
            let plain = try await harness.makeTopic("news", [("FifoTopic", "false")])
            #expect(try await harness.topicAttributes(plain)["FifoTopic"] == nil)
            #expect(try await harness.set("ContentBasedDeduplication", "true", of: plain).status == 400)
            let wrong = try await harness.call(
                "CreateTopic",
                [("Name", "late")] + Harness.map([("ContentBasedDeduplication", "true")])
            )
            #expect(wrong.error.message?.hasPrefix("Invalid parameter: Attributes Reason: ") == true)
        }
    }

    @Test("asking for a topic again finds it when what is asked for is so")
    func idempotency() async throws {
        try await Harness.run { harness in
            let policy = #"{"Statement": [{"Effect":"Allow","Action":"SNS:Publish","Principal":"*"}]}"#
            let given = [("DisplayName", "News & more"), ("Policy", policy), ("SignatureVersion", "2")]
            let tags = [
                ("Tags.member.1.Key", "a"), ("Tags.member.1.Value", "1"), ("Tags.member.2.Key", "b"),
                ("Tags.member.2.Value", "2"),
            ]
            let first = try await harness.call("CreateTopic", [("Name", "news")] + Harness.map(given) + tags)
            let respelt = [("Policy", policy.replacing(": [", with: ":["))]
            for same in [
                Harness.map(given) + tags, [], Harness.map([given[0]]), Array(tags[..<2]), Harness.map(respelt),
                Harness.map([("TracingConfig", "PassThrough"), ("FifoTopic", "false")]),
            ] {
                let again = try await harness.call("CreateTopic", [("Name", "news")] + same)
                #expect(again["TopicArn"] == first["TopicArn"], "\(again.body)")
            }
            let other = try await harness.call(
                "CreateTopic",
                [("Name", "news"), ("Tags.member.1.Key", "a"), ("Tags.member.1.Value", "2")]
            )
            #expect(other.error.message == "Invalid parameter: Tags Reason: Topic already exists with different tags")
        }
    }

    @Test("what REST sets under a name that SNS knows is what SNS would take; other names are the operator's own")
    func restAttributes() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            func change(_ name: String, _ value: JSONValue) async throws -> (Int, JSONValue) {
                try await harness.rest(.PATCH, "/api/v1/topics/news", ["attributes": .object([name: value])])
            }
            for (name, value) in [
                ("Policy", "garbage"), ("DeliveryPolicy", "{"), ("SignatureVersion", "9"), ("FifoTopic", "true"),
                ("FifoTopic", "false"), ("ContentBasedDeduplication", "true"), ("ArchivePolicy", "{}"),
                ("DisplayName", String(repeating: "x", count: 101)), ("HTTPSuccessFeedbackSampleRate", "-1"),
            ] {
                let (status, answer) = try await change(name, .string(value))
                #expect(status == 422, "\(name): \(answer.compact)")
                #expect(answer.members?["error"]?.members?["field"] == .string("attributes.\(name)"))
                let draft: JSONValue = ["name": "other", "attributes": .object([name: .string(value)])]
                #expect(try await harness.rest(.POST, "/api/v1/topics", draft).0 == 422, "\(name)")
            }
            let before = try await harness.topicAttributes(arn)
            #expect(before["SignatureVersion"] == nil && before["DisplayName"]?.isEmpty == true)
            for (name, value) in [("SignatureVersion", "2"), ("DisplayName", "News"), ("team", "of ours")] {
                #expect(try await change(name, .string(value)).0 == 200)
            }
            let attributes = try await harness.topicAttributes(arn)
            #expect(attributes["SignatureVersion"] == "2" && attributes["DisplayName"] == "News")
            #expect(attributes["team"] == nil)
            // An empty text takes one away, as it does there.
            #expect(try await change("DisplayName", "").0 == 200)
            let (_, shown) = try await change("SignatureVersion", .null)
            #expect(shown.members?["data"]?.members?["attributes"] == ["team": "of ours"])
            let draft: JSONValue = ["name": "made", "attributes": ["DisplayName": "Made", "KmsMasterKeyId": ""]]
            for status in [201, 200] { #expect(try await harness.rest(.POST, "/api/v1/topics", draft).0 == status) }
        }
    }

    @Test("attributes that are set are shown as they were given, and an empty text takes one away")
    func attributes() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            let delivery = #"{"http": {"defaultHealthyRetryPolicy": {"numRetries": 50, "maxDelayTarget": 60}}}"#
            let given = [
                ("DisplayName", "Grüße & 😀"), ("KmsMasterKeyId", "alias/k"), ("SignatureVersion", "2"),
                ("TracingConfig", "Active"), ("DeliveryPolicy", delivery), ("HTTPSuccessFeedbackSampleRate", "5"),
                ("SQSFailureFeedbackRoleArn", "arn:aws:iam::123456789012:role/r"),
            ]
            for (name, value) in given {
                let reply = try await harness.set(name, value, of: arn)
                #expect(reply.status == 200, "\(reply.body)")
            }
            var attributes = try await harness.topicAttributes(arn)
            for (name, value) in given where name != "DeliveryPolicy" { #expect(attributes[name] == value) }
            #expect(attributes["DeliveryPolicy"]?.contains(#""numRetries":50"#) == true)
            let effective = try json(attributes["EffectiveDeliveryPolicy"]).members?["http"]?.members
            let retries = effective?["defaultHealthyRetryPolicy"]?.members
            #expect(retries?["numRetries"] == .integer(50))
            #expect(retries?["maxDelayTarget"] == .integer(60))
            #expect(retries?["minDelayTarget"] == .integer(20))
            for name in ["DisplayName", "DeliveryPolicy", "KmsMasterKeyId"] {
                #expect(try await harness.set(name, "", of: arn).status == 200)
            }
            attributes = try await harness.topicAttributes(arn)
            #expect(attributes["DisplayName"]?.isEmpty == true)
            #expect(attributes["DeliveryPolicy"] == nil)
            #expect(attributes["KmsMasterKeyId"] == nil)
        }
    }

    static let refused: [(String, String, String)] = [
        ("Unknown", "x", "AttributeName"),
        ("TopicArn", "x", "AttributeName"),
        ("SignatureVersion", "3", "SignatureVersion: Invalid value [3]. Must be 1 or 2."),
        ("TracingConfig", "active", "TracingConfig: Invalid value [active]. Must be PassThrough or Active."),
        ("DisplayName", String(repeating: "x", count: 101), "DisplayName: must be at most 100 characters long"),
        ("Policy", "[]", "Policy Error: null"),
        ("Policy", #"{"Statement":[{"Action":"SNS:Publishx"}]}"#, "Policy statement action out of service scope!"),
        ("Policy", #"{"Statement":[{"Action":"SQS:Publish"}]}"#, "Policy statement action out of service scope!"),
        (
            "SQSSuccessFeedbackSampleRate", "500",
            "SQSSuccessFeedbackSampleRate: 500 value provided is not an integer between 0-100"
        ),
        (
            "DeliveryPolicy", #"{"http":{"defaultHealthyRetryPolicy":{"numRetries":300}}}"#,
            "DeliveryPolicy: http.defaultHealthyRetryPolicy.numRetries must be less than or equal to 100"
        ),
        (
            "DeliveryPolicy", #"{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":"1"}}}"#,
            """
            DeliveryPolicy: http.defaultHealthyRetryPolicy.minDelayTarget type mismatch, expecting integer, \
            received a string
            """
        ),
        ("DeliveryPolicy", #"{"throttlePolicy":{}}"#, "DeliveryPolicy: Unexpected JSON member: throttlePolicy"),
        ("Policy", "{" + String(repeating: " ", count: 31_000) + "}", "Policy Error: null"),
        (
            "DeliveryPolicy", "{\"http\":[" + String(repeating: "0,", count: 100_000) + "0]}",
            "DeliveryPolicy: must be at most 30720 bytes long"
        ),
        ("ArchivePolicy", #"{"MessageRetentionPeriod":"30"}"#, "ArchivePolicy: This server does not archive messages"),
    ]

    @Test("a value that an attribute cannot have is refused in AWS's words", arguments: refused)
    func refusals(name: String, value: String, reason: String) async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            let before = try await harness.topicAttributes(arn)
            let set = try await harness.set(name, value, of: arn)
            #expect(set.status == 400)
            #expect(set.error.message == "Invalid parameter: \(reason)")
            let created = try await harness.call("CreateTopic", [("Name", "late")] + Harness.map([(name, value)]))
            let words = reason == "AttributeName" ? "Unknown attribute \(name)" : reason
            #expect(created.error.message == "Invalid parameter: Attributes Reason: \(words)")
            #expect(try await harness.topicAttributes(arn) == before)
            #expect(try await harness.call("ListTopics").all("TopicArn") == [arn])
        }
    }

    @Test("250 topics are three pages, each topic once, and the last page has no token")
    func pages() async throws {
        try await Harness.run { harness in
            for number in 0..<250 {
                _ = try await harness.store.createTopic(TopicDraft(name: "topic-\(number)"))
            }
            _ = try await harness.makeTopic("elsewhere", region: "eu-central-1")
            var seen: [String] = []
            var token: String?
            for expected in [100, 100, 50] {
                let page = try await harness.call("ListTopics", token.map { [("NextToken", $0)] } ?? [])
                let arns = page.all("TopicArn")
                #expect(arns.count == expected)
                seen += arns
                token = page["NextToken"]
            }
            #expect(token == nil)
            #expect(Set(seen).count == 250)
            let empty = try await harness.call("ListTopics", region: "eu-west-1")
            #expect(empty.has("Topics"))
            #expect(!empty.has("NextToken"))
            for wrong in ["x", "MA==", "LTE="] {
                let reply = try await harness.call("ListTopics", [("NextToken", wrong)])
                #expect(reply.error.message == "Invalid parameter: NextToken")
            }
        }
    }

    @Test("a deleted topic is gone with its subscriptions, its name is free, and deleting it again is no error")
    func deletion() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news", [("DisplayName", "old")])
            let subscription = try await harness.subscribe(arn, "https://hooks.example.com/")
            for _ in 0..<2 {
                let reply = try await harness.call("DeleteTopic", [("TopicArn", arn)])
                #expect(reply.status == 200)
                #expect(reply.has("RequestId"))
            }
            #expect(try await harness.call("GetTopicAttributes", [("TopicArn", arn)]).error.code == "NotFound")
            let attributes = try await harness.call("GetSubscriptionAttributes", [("SubscriptionArn", subscription)])
            #expect(attributes.error.code == "NotFound")
            #expect(try await harness.call("ListSubscriptions").all("member").isEmpty)
            #expect(try await harness.makeTopic("news") == arn)
            #expect(try await harness.topicAttributes(arn)["DisplayName"]?.isEmpty == true)
        }
    }

    @Test("topics are of the region that a call is signed for")
    func regions() async throws {
        try await Harness.run { harness in
            let here = try await harness.makeTopic("news", [("DisplayName", "here")])
            let there = try await harness.makeTopic("news", [("DisplayName", "there")], region: "eu-central-1")
            #expect(there == "arn:aws:sns:eu-central-1:123456789012:news")
            #expect(try await harness.call("ListTopics").all("TopicArn") == [here])
            #expect(try await harness.call("ListTopics", region: "eu-central-1").all("TopicArn") == [there])
            let stranger = try await harness.call(
                "GetTopicAttributes",
                [("TopicArn", "arn:aws:sns:us-east-1:999999999999:news")]
            )
            #expect(stranger.error.code == "AuthorizationError")
            #expect(stranger.status == 403)
        }
    }

    @Test("what is made here is in REST, and the server's own topics of REST are here")
    func otherInterfaces() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news", [("DisplayName", "News")])
            let subscription = try await harness.subscribe(arn, "https://hooks.example.com/")
            let (status, shown) = try await harness.rest(.GET, "/api/v1/topics/news")
            #expect(status == 200)
            #expect(shown.members?["data"]?.members?["attributes"]?.members?["DisplayName"] == .string("News"))
            let (_, list) = try await harness.rest(.GET, "/api/v1/topics/news/subscriptions")
            #expect(list.compact.contains(subscription.split(separator: ":").last ?? "?"))
            #expect(list.compact.contains("hooks.example.com"))

            let made = try await harness.rest(.POST, "/api/v1/topics", .object(["name": .string("from-rest")]))
            #expect(made.0 == 201)
            let other = "arn:aws:sns:us-east-1:123456789012:from-rest"
            #expect(try await harness.call("ListTopics").all("TopicArn") == [arn, other])
            #expect(try await harness.topicAttributes(other)["SubscriptionsConfirmed"] == "0")
            let app = try await harness.rest(.POST, "/api/v1/apps", .object(["name": .string("shop")]))
            #expect(app.0 == 201, "\(app.1)")
            let owned: JSONValue = .object(["name": .string("owned"), "app": .string("shop")])
            #expect(try await harness.rest(.POST, "/api/v1/topics", owned).0 == 201)
            #expect(try await harness.call("ListTopics").all("TopicArn").count == 2)
            #expect(try await harness.rest(.DELETE, "/api/v1/topics/news").0 == 204)
            #expect(try await harness.call("GetTopicAttributes", [("TopicArn", arn)]).error.code == "NotFound")
        }
    }

    private func json(_ text: String?) throws -> JSONValue {
        try JSONValue(json: Data(try #require(text).utf8))
    }
}
