import Foundation
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("As Amazon SNS answers")
struct AmazonFormTests {
    @Test("a message structure other than json is a plain text", arguments: ["string", "JSON", "xml"])
    func structures(_ structure: String) async throws {
        try await Harness.run(delivers: true) { server in
            let endpoint = try await server.makeEndpoint(server.makeApplication(), token: Harness.token(1))
            let parameters = [("TargetArn", endpoint), ("Message", "{"), ("MessageStructure", structure)]
            #expect(try await server.call("Publish", parameters).status == 200)
            await server.pushes.untilAttempts(1)
            #expect(server.payloads(Harness.token(1)) == [#"{"aps":{"alert":"{"}}"#])
        }
    }

    @Test("a data type that ends at its dot is none", arguments: ["String.", "Number.", "Binary.", "."])
    func dataTypes(_ type: String) async throws {
        try await Harness.run { server in
            let topic = try await server.makeTopic("news")
            let path = "MessageAttributes.entry.1"
            let reply = try await server.call(
                "Publish",
                [
                    ("TopicArn", topic), ("Message", "m"), ("\(path).Name", "kind"), ("\(path).Value.DataType", type),
                    ("\(path).Value.\(type == "Binary." ? "BinaryValue" : "StringValue")", "MTIz"),
                ]
            )
            #expect(reply.status == 400 && reply.error.code == "ParameterValueInvalid")
            #expect(
                reply.error.message
                    == """
                    The message attribute 'kind' has an invalid message attribute type, the set of supported type \
                    prefixes is Binary, Number, and String.
                    """
            )
        }
    }

    @Test("an unsubscription without a name says which parameter has no value")
    func unsubscription() async throws {
        try await Harness.run { server in
            for parameters in [[], [("SubscriptionArn", "")]] {
                let reply = try await server.call("Unsubscribe", parameters)
                #expect(reply.status == 400)
                #expect(
                    reply.error
                        == (
                            "InvalidParameter",
                            "Invalid parameter: SubscriptionArn Reason: no value for required parameter"
                        )
                )
            }
        }
    }

    @Test("of an application's name that is none and attributes that are not there the name is reported")
    func applicationName() async throws {
        try await Harness.run { server in
            func refusal(_ arn: String?) async throws -> String? {
                let parameters = arn.map { [("PlatformApplicationArn", $0)] } ?? []
                return try await server.call("SetPlatformApplicationAttributes", parameters).error.message
            }
            let malformed = try await refusal("random")
            let reason = "An ARN must have at least 6 elements, not 1"
            #expect(malformed == "Invalid parameter: PlatformApplicationArn Reason: \(reason)")
            let missing = "failed to satisfy constraint: Member must not be null"
            let attributes = "Value null at 'attributes' \(missing)"
            let known = "arn:aws:sns:us-east-1:123456789012:app/APNS/none"
            #expect(try await refusal(known) == "1 validation error detected: \(attributes)")
            let name = "Value null at 'platformApplicationArn' \(missing)"
            #expect(try await refusal(nil) == "2 validation errors detected: \(name); \(attributes)")
        }
    }

    @Test("of a batch to a FIFO topic the JSON's default is looked at before the group")
    func batchOrder() async throws {
        try await Harness.run { server in
            let topic = try await server.makeTopic("line.fifo", [("FifoTopic", "true")])
            func refusal(_ message: String, group: String? = nil) async throws -> String? {
                let path = "PublishBatchRequestEntries.member.1"
                var parameters = [
                    ("TopicArn", topic), ("\(path).Id", "1"), ("\(path).Message", message),
                    ("\(path).MessageStructure", "json"),
                ]
                if let group { parameters.append(("\(path).MessageGroupId", group)) }
                return try await server.call("PublishBatch", parameters).error.message
            }
            let structure = "Invalid parameter: Message Structure - "
            #expect(try await refusal(#"{"sqs":"m"}"#) == "\(structure)No default entry in JSON message body")
            #expect(try await refusal("{") == "\(structure)JSON message body failed to parse")
            #expect(
                try await refusal(#"{"default":"m"}"#)
                    == "Invalid parameter: The MessageGroupId parameter is required for FIFO topics"
            )
        }
    }

    @Test("a long-term key with a session token beside it is not known")
    func sessionToken() async throws {
        try await Harness.run { server in
            let form = Array("Action=ListTopics&Version=2010-03-31".utf8)
            #expect(try await server.post(form).status == 200)
            let reply = try await server.post(form, token: "session")
            #expect(reply.status == 403)
            #expect(
                reply.error == ("InvalidClientTokenId", "The security token included in the request is invalid.")
            )
        }
    }

    @Test(
        "names begin with the partition of their region",
        arguments: [("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov"), ("eu-central-1", "aws")]
    )
    func partitions(region: String, partition: String) async throws {
        try await Harness.run { server in
            func call(_ action: String, _ parameters: [(String, String)]) async throws -> Reply {
                try await server.call(action, parameters, region: region)
            }
            let topic = try await server.makeTopic("news", region: region)
            #expect(topic == "arn:\(partition):sns:\(region):\(Harness.account):news")
            let attributes = try await call("GetTopicAttributes", [("TopicArn", topic)]).entries
            #expect(attributes["TopicArn"] == topic && attributes["Policy"]?.contains(topic) == true)

            let application = [("Name", "shop"), ("Platform", "APNS")] + Harness.map(Harness.apple)
            let app = try #require(try await call("CreatePlatformApplication", application)["PlatformApplicationArn"])
            #expect(app == "arn:\(partition):sns:\(region):\(Harness.account):app/APNS/shop")
            let device = [("PlatformApplicationArn", app), ("Token", Harness.token(1))]
            let endpoint = try #require(try await call("CreatePlatformEndpoint", device)["EndpointArn"])
            let subscription = try await server.subscribe(topic, endpoint, region: region)
            #expect(subscription.hasPrefix("\(topic):"))
            let shown = try await call("GetSubscriptionAttributes", [("SubscriptionArn", subscription)]).entries
            #expect(shown["SubscriptionPrincipal"] == "arn:\(partition):iam::\(Harness.account):user/test")
            #expect(shown["Endpoint"] == endpoint)
            #expect(try await call("Publish", [("TargetArn", endpoint), ("Message", "m")]).status == 200)

            let other = topic.replacing("arn:\(partition):", with: "arn:\(partition == "aws" ? "aws-cn" : "aws"):")
            let refused = try await call("GetTopicAttributes", [("TopicArn", other)])
            #expect(refused.error == ("InvalidParameter", "Invalid parameter: TopicArn"))
        }
    }

    @Test("a call with ContentType=JSON is answered in JSON, refusals too")
    func json() async throws {
        try await Harness.run { server in
            func answer(_ action: String, _ parameters: [(String, String)] = []) async throws -> (Int, JSONValue) {
                let reply = try await server.call(action, parameters + [("ContentType", "JSON")])
                #expect(reply.type == "application/json")
                return (reply.status, try JSONValue(json: Data(reply.body.utf8)))
            }
            func result(_ action: String, _ parameters: [(String, String)] = []) async throws -> JSONValue? {
                let members = try await answer(action, parameters).1.members?["\(action)Response"]?.members
                #expect(members?["ResponseMetadata"]?.members?["RequestId"]?.stringValue?.count == 36)
                return members?["\(action)Result"]
            }
            let topic = "arn:aws:sns:us-east-1:123456789012:news"
            #expect(try await result("ListTopics") == ["Topics": [], "NextToken": .null])
            #expect(try await result("CreateTopic", [("Name", "news")]) == ["TopicArn": .string(topic)])
            let listed: JSONValue = .object(["TopicArn": .string(topic)])
            #expect(try await result("ListTopics") == .object(["Topics": [listed], "NextToken": .null]))
            let attributes = try await result("GetTopicAttributes", [("TopicArn", topic)])?.members?["Attributes"]
            #expect(attributes?.members?["SubscriptionsConfirmed"] == "0")
            let published = try await result("Publish", [("TopicArn", topic), ("Message", "m")])
            #expect(published?.members?["MessageId"]?.stringValue?.count == 36)
            #expect(published?.members?["SequenceNumber"] == .null)
            #expect(try await result("DeleteTopic", [("TopicArn", topic)]) == nil)

            let (status, refusal) = try await answer("GetTopicAttributes", [("TopicArn", topic)])
            #expect(status == 404)
            #expect(
                refusal.members?["Error"]
                    == ["Type": "Sender", "Code": "NotFound", "Message": "Topic does not exist"]
            )
            #expect(refusal.members?["RequestId"]?.stringValue?.count == 36)
            #expect(try await server.call("ListTopics", [("ContentType", "XML")]).type == "text/xml")
        }
    }
}
