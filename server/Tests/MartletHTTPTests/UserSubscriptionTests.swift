import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("What a user is subscribed to, and subscriptions in batches")
struct UserSubscriptionTests {
    private static let path = "/api/v1/users/ann/subscriptions"

    private static func makeTopics(_ server: Harness, _ names: String...) async throws {
        for name in names {
            let made = try await server.call(.post, TopicTests.path, key: server.send, ["name": .string(name)])
            #expect(made.status == 201, "\(made.text)")
        }
    }

    private static func topics(_ answer: Answer) -> [String] { answer.items.compactMap { $0["topic"].stringValue } }

    @Test("a user's subscriptions are listed in pages, and not those of others or of their devices")
    func lists() async throws {
        try await Harness.run { server in
            try await Self.makeTopics(server, "a", "b", "c", "d")
            let device = try await OutcomeTests.device(server, "aa", of: "ann")
            let subscribers: [(String, JSONValue)] = [
                ("a", ["user_id": "ann"]), ("b", ["user_id": "bob"]), ("c", ["user_id": "ann"]),
                ("d", ["endpoint_id": .string(device)]), ("b", ["user_id": "ann"]),
            ]
            for (topic, body) in subscribers {
                let list = "\(TopicTests.path)/\(topic)/subscriptions"
                #expect(try await server.call(.post, list, key: server.send, body).status == 201)
            }
            let all = try await server.call(.get, Self.path, key: server.send)
            #expect(Self.topics(all) == ["a", "c", "b"], "\(all.text)")
            #expect(all.items.allSatisfy { $0["user_id"] == "ann" && $0["kind"] == "user" })
            let first = try await server.call(.get, "\(Self.path)?limit=2", key: server.send)
            let next = try #require(first.json["next"].stringValue)
            let second = try await server.call(.get, "\(Self.path)?limit=2&cursor=\(next)", key: server.send)
            #expect(Self.topics(first) == ["a", "c"] && Self.topics(second) == ["b"])
            #expect(try await server.call(.get, "/api/v1/users/nobody/subscriptions", key: server.send).items.isEmpty)
        }
    }

    @Test("one of them ends by the topic's name or id")
    func ends() async throws {
        try await Harness.run { server in
            try await Self.makeTopics(server, "a", "b")
            let put = try await server.call(.put, Self.path, key: server.send, ["topics": ["a", "b"]])
            let id = try #require(put.items.first { $0["topic"] == "b" }?["topic_id"].stringValue)
            for topic in ["a", id] {
                #expect(try await server.call(.delete, "\(Self.path)/\(topic)", key: server.send).status == 204)
                #expect(try await server.call(.delete, "\(Self.path)/\(topic)", key: server.send).status == 404)
            }
            #expect(try await server.call(.delete, "\(Self.path)/nothing", key: server.send).status == 404)
            #expect(try await server.call(.get, Self.path, key: server.send).items.isEmpty)
        }
    }

    @Test("all are replaced in one request: what stays keeps its filter and its id")
    func replaces() async throws {
        try await Harness.run { server in
            try await Self.makeTopics(server, "a", "b", "c")
            let body: JSONValue = ["user_id": "ann", "filter_policy": ["line": ["4"]]]
            let filtered = try await server.call(.post, "\(TopicTests.path)/a/subscriptions", key: server.send, body)
            #expect(filtered.status == 201)
            let both = try await server.call(.put, Self.path, key: server.send, ["topics": ["b", "a", "a"]])
            #expect(both.status == 200 && Self.topics(both).sorted() == ["a", "b"], "\(both.text)")
            #expect(both.items.contains(filtered.data))
            let other = try await server.call(.put, Self.path, key: server.send, ["topics": ["c", "a"]])
            #expect(Self.topics(other).sorted() == ["a", "c"] && other.items.contains(filtered.data))
            let missing = try await server.call(.put, Self.path, key: server.send, ["topics": ["a", "x"]])
            #expect(missing.status == 404 && missing.field == "topics[1]", "\(missing.text)")
            #expect(try await server.call(.get, Self.path, key: server.send).items.count == 2)
            #expect(try await server.call(.put, Self.path, key: server.send, ["topics": []]).items.isEmpty)
            #expect(try await server.call(.get, Self.path, key: server.send).items.isEmpty)
            let topic = try await server.call(.get, "\(TopicTests.path)/a", key: server.send)
            #expect(topic.data["subscriptions"] == ["confirmed": 0, "pending": 0, "deleted": 1])
        }
    }

    @Test("many subscribe in one request: each gets a receipt, and what is wrong keeps nobody else out")
    func batches() async throws {
        try await Harness.run { server in
            try await Self.makeTopics(server, "news")
            let path = "\(TopicTests.path)/news/subscriptions"
            #expect(try await server.call(.post, path, key: server.send, ["user_id": "known"]).status == 201)
            var parts: [JSONValue] = [
                ["user_id": "known"], ["user_id": "new", "filter_policy": ["line": ["4"]]], [:], ["user_id": 7],
                ["endpoint_id": "0190a5d0-ac96-774b-bcce-b302099a8057"],
            ]
            parts += (parts.count..<200).map { ["user_id": .string("user\($0)")] }
            let body: JSONValue = ["subscriptions": .array(parts)]
            let answer = try await server.call(.post, "\(path)/batch", key: server.send, body)
            let receipts = answer.data["receipts"].elements
            #expect(answer.status == 200 && receipts.count == 200, "\(answer.text)")
            let words = receipts.compactMap { $0["status"].stringValue }
            #expect(
                words == ["existing", "created", "refused", "refused", "refused"]
                    + Array(repeating: "created", count: 195)
            )
            let fields = receipts[2...4].map { $0["error"]["field"].stringValue }
            #expect(
                fields == ["subscriptions[2].user_id", "subscriptions[3].user_id", "subscriptions[4].endpoint_id"]
            )
            let topic = try await server.call(.get, "\(TopicTests.path)/news", key: server.send)
            #expect(topic.data["subscriptions"] == ["confirmed": 197, "pending": 0, "deleted": 0])
        }
    }
}
