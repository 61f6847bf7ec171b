import AsyncHTTPClient
import Foundation
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("The list and the end of subscriptions")
struct SubscriptionLifeTests {
    @Test("250 subscriptions are three pages in both lists, each once, and the last page has no token")
    func pages() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let row = try #require(try await harness.store.topic(.name("news", app: nil, region: "us-east-1"))).row
            for number in 0..<250 {
                let address = "https://hooks.example.com/\(number)"
                _ = try await harness.store.subscribe(
                    SubscriptionDraft(topic: row, subject: .webhook(address), address: address)
                )
            }
            let elsewhere = try await harness.makeTopic("news", region: "eu-central-1")
            _ = try await harness.subscribe(elsewhere, "https://hooks.example.com/", region: "eu-central-1")
            for (action, parameters) in [
                ("ListSubscriptions", []), ("ListSubscriptionsByTopic", [("TopicArn", topic)]),
            ] {
                var seen: Set<String> = []
                var token: String?
                for expected in [100, 100, 50] {
                    let page = try await harness.call(action, parameters + (token.map { [("NextToken", $0)] } ?? []))
                    #expect(page.all("member").count == expected)
                    seen.formUnion(page.all("SubscriptionArn"))
                    token = page["NextToken"]
                }
                #expect(token == nil)
                #expect(seen.count == 250)
            }
            let other = try await harness.call("ListSubscriptions", region: "eu-central-1")
            #expect(other.all("TopicArn") == [elsewhere])
        }
    }

    @Test("ending a subscription is counted and no error a second time; its name is of its topic and region")
    func end() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let arn = try await harness.subscribe(topic, "https://hooks.example.com/")
            let id = try #require(arn.split(separator: ":").last)
            let unknown = "\(topic):00000000-0000-4000-8000-000000000000"
            for wrong in ["arn:aws:sns:us-east-1:123456789012:other:\(id)", unknown] {
                #expect(try await harness.call("Unsubscribe", [("SubscriptionArn", wrong)]).status == 200)
                let reply = try await harness.call("GetSubscriptionAttributes", [("SubscriptionArn", wrong)])
                #expect(reply.error.message == "Subscription does not exist")
            }
            let malformed = try await harness.call("Unsubscribe", [("SubscriptionArn", "\(topic):none")])
            #expect(malformed.error == ("InvalidParameter", "Invalid parameter: SubscriptionId"))
            let far = try await harness.call("Unsubscribe", [("SubscriptionArn", arn)], region: "eu-central-1")
            #expect(far.error.message == "Invalid parameter: SubscriptionArn")
            #expect(try await harness.call("ListSubscriptions").all("member").count == 1)
            for _ in 0..<2 {
                #expect(try await harness.call("Unsubscribe", [("SubscriptionArn", arn)]).status == 200)
            }
            #expect(try await harness.call("ListSubscriptions").all("member").isEmpty)
            #expect(try await harness.topicAttributes(topic)["SubscriptionsDeleted"] == "1")
        }
    }

    @Test("the link in a message ends the subscription of a webhook URL without a signature, in any region")
    func link() async throws {
        try await Harness.run { harness in
            for region in ["us-east-1", "eu-central-1"] {
                let topic = try await harness.makeTopic("news", region: region)
                let arn = try await harness.subscribe(topic, "https://hooks.example.com/", region: region)
                let reply = try await follow(arn, harness)
                #expect(reply.status == 200, "\(reply.body)")
                #expect(reply.body.contains("<UnsubscribeResponse"))
                #expect(try await harness.call("ListSubscriptions", region: region).all("member").isEmpty)
            }
        }
    }

    @Test("the link does not end what asked for a signature, or what is no webhook URL")
    func guarded() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let arn = try await harness.subscribe(topic, "https://hooks.example.com/")
            let id = try #require(PublicID(arn.split(separator: ":").last ?? ""))
            let row = try #require(try await harness.store.subscription(.id(id))).row
            _ = try await harness.store.updateSubscription(
                row,
                SubscriptionUpdate(attributes: ["AuthenticateOnUnsubscribe": "true"], isConfirming: true)
            )
            let endpoint = try await harness.makeEndpoint(harness.makeApplication(), token: Harness.token(1))
            let device = try await harness.subscribe(topic, endpoint)
            for kept in [arn, device] {
                let reply = try await follow(kept, harness)
                #expect(reply.error.code == "AuthorizationError")
                #expect(reply.status == 403)
                #expect(try await harness.subscriptionAttributes(kept)["SubscriptionArn"] == kept)
                #expect(try await harness.call("Unsubscribe", [("SubscriptionArn", kept)]).status == 200)
            }
            #expect(try await harness.call("ListSubscriptions").all("member").isEmpty)
        }
    }

    @Test("what REST subscribes to a topic without an app is shown, and its end too")
    func rest() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            _ = try await harness.rest(.POST, "/api/v1/apps", .object(["name": .string("shop")]))
            let user: JSONValue = .object(["user_id": .string("ann / ä"), "app": .string("shop")])
            let (status, made) = try await harness.rest(.POST, "/api/v1/topics/news/subscriptions", user)
            #expect(status == 201, "\(made)")
            let listed = try await harness.call("ListSubscriptionsByTopic", [("TopicArn", topic)])
            let arn = try #require(listed["SubscriptionArn"])
            #expect(listed["Protocol"] == "application")
            let shown = "arn:aws:sns:us-east-1:123456789012:user/shop/ann%20%2F%20%C3%A4"
            #expect(listed["Endpoint"] == shown)
            #expect(try await harness.call("ListSubscriptions")["Endpoint"] == shown)
            #expect(try await harness.subscriptionAttributes(arn)["Endpoint"] == shown)
            let principal = "arn:aws:iam::123456789012:root"
            #expect(try await harness.subscriptionAttributes(arn)["SubscriptionPrincipal"] == principal)
            #expect(try await harness.set("FilterPolicy", #"{"k":["v"]}"#, of: arn).status == 200)
            let id = try #require(arn.split(separator: ":").last)
            let (_, read) = try await harness.rest(.GET, "/api/v1/subscriptions/\(id)")
            #expect(read.members?["data"]?.members?["filter_policy"]?.compact == #"{"k":["v"]}"#)
            #expect(try await harness.call("Unsubscribe", [("SubscriptionArn", arn)]).status == 200)
            #expect(try await harness.rest(.GET, "/api/v1/subscriptions/\(id)").0 == 404)
        }
    }

    @Test("an endpoint that REST subscribes is shown by its ARN")
    func restEndpoint() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let endpoint = try await harness.makeEndpoint(harness.makeApplication(), token: Harness.token(1))
            let id = try #require(endpoint.split(separator: "/").last)
            let body: JSONValue = .object(["endpoint_id": .string(String(id)), "app": .string("shop")])
            let (status, made) = try await harness.rest(.POST, "/api/v1/topics/news/subscriptions", body)
            #expect(status == 201, "\(made)")
            for (action, parameters) in [
                ("ListSubscriptions", []), ("ListSubscriptionsByTopic", [("TopicArn", topic)]),
            ] {
                #expect(try await harness.call(action, parameters)["Endpoint"] == endpoint)
            }
            // Subscribing it here finds the same.
            let arn = try await harness.subscribe(topic, endpoint)
            #expect(try await harness.subscriptionAttributes(arn)["Endpoint"] == endpoint)
            #expect(try await harness.call("ListSubscriptions").all("SubscriptionArn") == [arn])
        }
    }

    @Test("an endpoint that REST subscribes is shown by an ARN when its application or it is gone, or never was")
    func restEndpointAlone() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            _ = try await harness.rest(.POST, "/api/v1/apps", .object(["name": .string("bare")]))
            let device: JSONValue = [
                "app": "bare", "platform": "apns", "token": .string(Harness.token(1)), "user_id": "ann",
            ]
            let (made, registered) = try await harness.rest(.POST, "/api/v1/devices", device)
            #expect(made == 201, "\(registered)")
            let id = try #require(registered.members?["data"]?.members?["id"]?.stringValue)
            let body: JSONValue = .object(["endpoint_id": .string(id), "app": .string("bare")])
            #expect(try await harness.rest(.POST, "/api/v1/topics/news/subscriptions", body).0 == 201)
            let arn = "arn:aws:sns:us-east-1:123456789012:endpoint/APNS/bare/\(id)"
            #expect(try await harness.call("ListSubscriptions")["Endpoint"] == arn)
            #expect(try await harness.rest(.DELETE, "/api/v1/devices/\(id)?app=bare").0 == 204)
            #expect(try await harness.call("ListSubscriptionsByTopic", [("TopicArn", topic)])["Endpoint"] == arn)
        }
    }

    private func follow(_ arn: String, _ harness: Harness) async throws -> Reply {
        let name = SignedQuery.escaped(arn.utf8)
        return try await harness.send(
            HTTPClientRequest(url: "\(harness.url)/?Action=Unsubscribe&SubscriptionArn=\(name)")
        )
    }
}
