import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Notifications are listed by user, dedup key and category")
struct NotificationFilterTests {
    private static let path = "/api/v1/notifications"

    private static func ids(_ server: Harness, _ query: String) async throws -> [String] {
        let answer = try await server.call(.get, "\(path)?\(query)", key: server.send)
        #expect(answer.status == 200, "\(query): \(answer.text)")
        return answer.items.compactMap { $0["id"].stringValue }
    }

    @Test("each alone and with another, newest first, in pages")
    func filters() async throws {
        try await Harness.run { server in
            for (token, user) in [("aa", "ann"), ("bb", "bob")] {
                _ = try await OutcomeTests.device(server, token, of: user)
            }
            for key in ["news", "offers"] {
                let body: JSONValue = ["app": "com.example.app", "key": .string(key), "names": ["en": "x"]]
                let made = try await server.call(.post, "/api/v1/categories", key: server.admin, body)
                #expect(made.status == 201, "\(made.text)")
            }
            let requests: [JSONValue] = [
                ["audience": ["users": ["ann"]], "title": "one", "dedup": ["key": "k1"], "category": "news"],
                ["audience": ["users": ["bob"]], "title": "two", "dedup": ["key": "k1"]],
                ["audience": ["users": ["ann", "bob"]], "title": "three", "category": "offers"],
                ["audience": ["users": ["ann"]], "title": "four", "category": "news"],
                // Who has no device is told nothing, which is recorded of them.
                ["audience": ["users": ["eve"]], "title": "five"],
            ]
            var sent: [String] = []
            for request in requests {
                let answer = try await server.call(.post, Self.path, key: server.send, request)
                sent.append(try #require(answer.data["id"].stringValue, "\(answer.text)"))
                server.clock.advance(by: .seconds(1))
            }
            let cases: [(String, [Int])] = [
                ("dedup_key=k1", [1, 0]), ("dedup_key=k2", []), ("category=news", [3, 0]), ("category=offers", [2]),
                ("user_id=ann", [3, 2, 0]), ("user_id=bob", [2, 1]), ("user_id=eve", [4]), ("user_id=nobody", []),
                ("user_id=ann&category=news", [3, 0]), ("user_id=ann&dedup_key=k1", [0]),
                ("user_id=bob&search=two", [1]), ("dedup_key=k1&category=news", [0]), ("dedup_key=k1&status=done", []),
                ("", [4, 3, 2, 1, 0]),
            ]
            for (query, expected) in cases {
                #expect(try await Self.ids(server, query) == expected.map { sent[$0] }, "\(query)")
            }
            let first = try await server.call(.get, "\(Self.path)?user_id=ann&limit=2", key: server.send)
            let next = try #require(first.json["next"].stringValue)
            #expect(first.items.count == 2)
            #expect(try await Self.ids(server, "user_id=ann&limit=2&cursor=\(next)") == [sent[0]])
        }
    }

    @Test("a key of the whole server names the app for what is an app's own")
    func app() async throws {
        try await Harness.run { server in
            for query in ["user_id=ann", "category=news"] {
                let answer = try await server.call(.get, "\(Self.path)?\(query)", key: server.admin)
                #expect(answer.field == "app", "\(answer.text)")
            }
            let unknown = try await server.call(.get, "\(Self.path)?category=none", key: server.send)
            #expect(unknown.status == 422 && unknown.field == "category")
            #expect(try await server.call(.get, "\(Self.path)?dedup_key=k", key: server.admin).status == 200)
        }
    }

    @Test("why is asked with user_id as with user, once")
    func why() async throws {
        try await Harness.run { server in
            let (id, _) = try await OutcomeTests.fanOut(server, to: ["ann"])
            let path = "\(Self.path)/\(id)/why"
            let answer = try await server.call(.get, "\(path)?user_id=ann", key: server.send)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await server.call(.get, "\(path)?user=ann", key: server.send).data == answer.data)
            #expect(try await server.call(.get, path, key: server.send).field == "user_id")
            #expect(try await server.call(.get, "\(path)?user=ann&user_id=ann", key: server.send).field == "user")
        }
    }
}
