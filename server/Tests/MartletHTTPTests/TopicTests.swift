import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Topics and subscriptions over REST")
struct TopicTests {
    static let path = "/api/v1/topics"

    @Test("a topic is made, found again, shown, listed, changed and deleted")
    func topics() async throws {
        try await Harness.run { server in
            let body: JSONValue = ["name": "news", "tags": ["team": "web"]]
            let made = try await server.call(.post, Self.path, key: server.send, body)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.data["app_id"].stringValue == server.app.id.description)
            #expect(made.data["subscriptions"] == ["confirmed": 0, "pending": 0, "deleted": 0])
            let id = try #require(made.data["id"].stringValue)
            #expect(try await server.call(.post, Self.path, key: server.send, ["name": "news"]).status == 200)
            let other: JSONValue = ["name": "news", "tags": ["team": "ios"]]
            let clash = try await server.call(.post, Self.path, key: server.send, other)
            #expect(clash.status == 409 && clash.field == "name")
            for name in [id, "news"] {
                #expect(try await server.call(.get, "\(Self.path)/\(name)", key: server.send).data == made.data)
            }
            let change: JSONValue = ["tags": ["team": .null, "a": "b"], "attributes": ["DisplayName": "News"]]
            let changed = try await server.call(.patch, "\(Self.path)/news", key: server.send, change)
            #expect(changed.data["tags"] == ["a": "b"] && changed.data["attributes"] == ["DisplayName": "News"])
            #expect(try await server.call(.get, Self.path, key: server.send).items == [changed.data])
            #expect(try await server.call(.delete, "\(Self.path)/news", key: server.send).status == 204)
            #expect(try await server.call(.delete, "\(Self.path)/news", key: server.send).status == 404)
            #expect(try await server.call(.get, Self.path, key: server.send).items.isEmpty)
        }
    }

    @Test("users and devices subscribe, once each, with a filter that can be changed and taken away")
    func subscriptions() async throws {
        try await Harness.run { server in
            let list = try await Self.makeTopic(server)
            let device = try await OutcomeTests.device(server, "aa", of: "a")
            let byUser: JSONValue = ["user_id": "a", "filter_policy": ["line": ["4"]]]
            let user = try await server.call(.post, list, key: server.send, byUser)
            #expect(user.status == 201, "\(user.text)")
            #expect(user.data["kind"] == "user" && user.data["user_id"] == "a" && user.data["is_confirmed"] == true)
            #expect(user.data["filter_policy"] == ["line": ["4"]] && user.data["filter_scope"] == "attributes")
            #expect(try await server.call(.post, list, key: server.send, byUser).status == 200)
            let clash = try await server.call(.post, list, key: server.send, ["user_id": "a"])
            #expect(clash.status == 409 && clash.field == "filter_policy")
            let byDevice: JSONValue = ["endpoint_id": .string(device)]
            let endpoint = try await server.call(.post, list, key: server.send, byDevice)
            #expect(endpoint.data["endpoint_id"].stringValue == device)
            #expect(try await server.call(.get, list, key: server.send).items == [user.data, endpoint.data])
            let id = try #require(user.data["id"].stringValue)
            let one = "/api/v1/subscriptions/\(id)"
            let scoped = try await server.call(.patch, one, key: server.send, ["filter_scope": "body"])
            #expect(scoped.data["filter_scope"] == "body" && scoped.data["filter_policy"] == ["line": ["4"]])
            let changed = try await server.call(.patch, one, key: server.send, ["filter_policy": .null])
            #expect(changed.data["filter_policy"] == .null && changed.data["filter_scope"] == .null)
            #expect(try await server.call(.get, one, key: server.send).data == changed.data)
            #expect(try await server.call(.delete, one, key: server.send).status == 204)
            #expect(try await server.call(.delete, one, key: server.send).status == 404)
            let topic = try await server.call(.get, "\(Self.path)/news", key: server.send)
            #expect(topic.data["subscriptions"] == ["confirmed": 1, "pending": 0, "deleted": 1])
        }
    }

    @Test("a notification to a topic reaches those whose filter its attributes and data match")
    func sends() async throws {
        try await Harness.run { server in
            let list = try await Self.makeTopic(server)
            let policies: [(String, JSONValue)] = [
                ("a", ["filter_policy": ["delay": [["numeric": [">=", 10]]], "kind": ["bus"]]]),
                ("b", ["filter_policy": ["delay": [["numeric": [">=", 30]]]]]),
                ("c", ["filter_policy": ["line": ["4"]], "filter_scope": "body"]), ("d", [:]),
            ]
            for (user, policy) in policies {
                _ = try await OutcomeTests.device(server, "\(user)\(user)", of: user)
                var body = policy.objectValue ?? [:]
                body["user_id"] = .string(user)
                #expect(try await server.call(.post, list, key: server.send, .object(body)).status == 201)
            }
            let sent = try await server.call(
                .post,
                "/api/v1/notifications",
                key: server.send,
                [
                    "audience": ["topic": "news"], "title": "Late", "data": ["line": "4"],
                    "attributes": ["delay": 20, "kind": ["tram", "bus"], "urgent": true],
                ]
            )
            #expect(sent.status == 202, "\(sent.text)")
            let id = try #require(sent.data["id"].stringValue)
            let path = "/api/v1/notifications/\(id)"
            let shown = try await server.call(.get, path, key: server.send)
            #expect(shown.data["audience"] == ["kind": "topic", "topic": "news"])
            let deliveries = try await server.call(.get, "\(path)/deliveries", key: server.send)
            #expect(deliveries.items.map { $0["user_id"].stringValue } == ["a", "c", "d"])
        }
    }

    @Test("a message is tried on a subscription's filter, or on another, and nothing changes")
    func tries() async throws {
        try await Harness.run { server in
            let list = try await Self.makeTopic(server)
            let policy: JSONValue = ["line": ["4"], "delay": [["numeric": [">", 5]]]]
            let made = try await server.call(.post, list, key: server.send, ["user_id": "a", "filter_policy": policy])
            let one = "/api/v1/subscriptions/\(try #require(made.data["id"].stringValue))"
            let before = try await server.contents()
            let late: JSONValue = ["line": "4", "delay": 20]
            let cases: [(JSONValue, Bool)] = [
                (["attributes": late], true),
                (["attributes": ["line": "4", "delay": 5]], false),
                ([:], false),
                (["data": late], false),
                (["data": late, "filter_scope": "body"], true),
                (["attributes": late, "filter_policy": ["line": ["5"]]], false),
                (["data": ["line": "5"], "filter_policy": ["line": ["5"]], "filter_scope": "body"], true),
                (["filter_policy": .null], true),
            ]
            for (body, matches) in cases {
                let answer = try await server.call(.post, one + "/try", key: server.send, body)
                #expect(answer.status == 200 && answer.data == ["matches": .bool(matches)], "\(body): \(answer.text)")
            }
            #expect(try await server.contents() == before)
            let open = try await server.call(.post, list, key: server.send, ["user_id": "b"])
            let all = "/api/v1/subscriptions/\(try #require(open.data["id"].stringValue))/try"
            #expect(try await server.call(.post, all, key: server.send, [:]).data == ["matches": true])
            let bad: [(String, JSONValue, String)] = [
                (one + "/try", ["filter_policy": ["line": "4"]], "filter_policy"),
                (one + "/try", ["attributes": ["line": ["a": 1]]], "attributes.line"),
                (one + "/try", ["attributes": ["a": .string(String(repeating: "x", count: 300_000))]], "attributes"),
                (all, ["filter_scope": "body"], "filter_scope"),
            ]
            for (path, body, field) in bad {
                let answer = try await server.call(.post, path, key: server.send, body)
                #expect(answer.status == 422 && answer.field == field, "\(field): \(answer.text.prefix(200))")
            }
        }
    }

    @Test("a key of one app sees and sends to its app's topics alone; other keys name the app or take the server's")
    func scope() async throws {
        try await Harness.run { server in
            let other = try await server.store.createApp(name: "other", identity: Identity())
            let theirs = try await Harness.key(.send, app: other.row, in: server.store)
            let all = try await Harness.key(.send, app: nil, in: server.store)
            let list = try await Self.makeTopic(server)
            let made = try await server.call(.post, list, key: server.send, ["user_id": "a"])
            let one = "/api/v1/subscriptions/\(try #require(made.data["id"].stringValue))"
            let topic = try await server.call(.get, "\(Self.path)/news", key: server.send)
            let byID = "\(Self.path)/\(try #require(topic.data["id"].stringValue))"
            let shared = try await server.call(.post, Self.path, key: all, ["name": "shared"])
            #expect(shared.status == 201 && shared.data["app_id"] == .null)
            for key in [theirs, server.send] {
                #expect(try await server.call(.get, "\(Self.path)/shared", key: key).status == 404)
            }
            for path in ["\(Self.path)/news", byID, one, "\(byID)/subscriptions"] {
                #expect(try await server.call(.get, path, key: theirs).status == 404, "\(path)")
            }
            for path in [byID, one] {
                #expect(try await server.call(.delete, path, key: theirs).status == 404, "\(path)")
                #expect(try await server.call(.patch, path, key: theirs, [:]).status == 404, "\(path)")
            }
            #expect(try await server.call(.post, "\(byID)/subscriptions", key: theirs, ["user_id": "a"]).status == 404)
            #expect(try await server.call(.get, Self.path, key: theirs).items.isEmpty)
            #expect(try await server.call(.get, Self.path, key: all).items.count == 2)
            #expect(try await server.call(.get, "\(Self.path)/news", key: all).status == 404)
            #expect(try await server.call(.get, "\(Self.path)/news?app=com.example.app", key: all).status == 200)
            #expect(try await server.call(.get, one, key: all).status == 200)
            let send: JSONValue = ["audience": ["topic": "news"], "title": "x"]
            let refused = try await server.call(.post, "/api/v1/notifications", key: theirs, send)
            #expect(refused.status == 404 && refused.field == "audience.topic")
            let toShared: JSONValue = ["app": "com.example.app", "audience": ["topic": "shared"], "title": "x"]
            #expect(try await server.call(.post, "/api/v1/notifications", key: all, toShared).status == 202)
            #expect(try await server.call(.get, Self.path, key: server.sdk).status == 403)
        }
    }

    @Test(
        "what a topic or a subscription cannot be is refused with code and field",
        arguments: [
            ("", #"{"name":"two words"}"#, 422, "name"), ("", #"{}"#, 400, "name"),
            ("", #"{"name":"a.fifo"}"#, 422, "name"), ("", #"{"name":"a","tags":{"":"b"}}"#, 422, "tags"),
            ("", #"{"name":"a","tags":{"a":1}}"#, 400, "tags.a"),
            ("/news/subscriptions", #"{}"#, 400, "user_id"),
            (
                "/news/subscriptions",
                #"{"user_id":"a","endpoint_id":"01890a5d-ac96-774b-bcce-b302099a8057"}"#,
                422,
                "user_id"
            ),
            ("/news/subscriptions", #"{"endpoint_id":"01890a5d-ac96-774b-bcce-b302099a8057"}"#, 404, "endpoint_id"),
            ("/news/subscriptions", #"{"user_id":""}"#, 422, "user_id"),
            ("/news/subscriptions", #"{"user_id":"a","filter_scope":"body"}"#, 422, "filter_scope"),
            ("/news/subscriptions", #"{"user_id":"a","filter_policy":{"a":[]}}"#, 422, "filter_policy"),
            ("/news/subscriptions", #"{"user_id":"a","filter_policy":{"a":[{"odd":1}]}}"#, 422, "filter_policy"),
        ]
    )
    func badInput(path: String, body: String, status: Int, field: String) async throws {
        try await Harness.run { server in
            _ = try await Self.makeTopic(server)
            let answer = try await server.call(.post, Self.path + path, key: server.send, text: body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.field == field, "\(answer.text)")
            #expect(try await server.call(.get, Self.path, key: server.send).items.count == 1)
            #expect(try await server.call(.get, "\(Self.path)/news/subscriptions", key: server.send).items.isEmpty)
        }
    }

    @Test(
        "attributes that no filter can look at are refused, and so are attributes without a topic",
        arguments: [
            (#"{"audience":{"topic":"news"},"title":"x","attributes":{"a":{"b":1}}}"#, 422, "attributes.a"),
            (#"{"audience":{"topic":"news"},"title":"x","attributes":{"a":[[1]]}}"#, 422, "attributes.a"),
            (#"{"audience":{"all":true},"title":"x","attributes":{"a":1}}"#, 422, "attributes"),
            (#"{"audience":{"topic":"news","all":true},"title":"x"}"#, 422, "audience"),
            (#"{"audience":{"topic":"nothing"},"title":"x"}"#, 404, "audience.topic"),
        ]
    )
    func badSends(body: String, status: Int, field: String) async throws {
        try await Harness.run { server in
            _ = try await Self.makeTopic(server)
            let answer = try await server.call(.post, "/api/v1/notifications", key: server.send, text: body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.field == field, "\(answer.text)")
            #expect(try await server.contents()["notifications"] == 0)
        }
    }

    /// The path of the subscriptions of a topic of the app.
    static func makeTopic(_ server: Harness) async throws -> String {
        let made = try await server.call(.post, path, key: server.send, ["name": "news"])
        #expect(made.status == 201, "\(made.text)")
        return "\(path)/news/subscriptions"
    }
}
