import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Estimates over REST")
struct EstimateTests {
    static let path = "/api/v1/notifications/estimate"

    @Test("an estimate says how many it would go to and who is kept out, and sends nothing")
    func estimate() async throws {
        try await Harness.run { server in
            try await server.category("news")
            for (user, token) in [("a", "aa"), ("a", "ab"), ("b", "bb"), ("c", "cc")] {
                try await server.device(of: user, token: token)
            }
            let off: JSONValue = ["master": ["enabled": false]]
            let changed = try await server.call(
                .patch,
                "/api/v1/users/b/preferences?app=com.example.app",
                key: server.send,
                off
            )
            #expect(changed.status == 200, "\(changed.text)")
            let before = try await server.contents()
            let body: JSONValue = [
                "audience": ["users": ["a", "b", "nobody"]], "title": "x", "category": "news",
            ]
            let answer = try await server.call(.post, Self.path, key: server.send, body)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.data["people"] == 1 && answer.data["devices"] == 2 && answer.data["is_exact"] == true)
            #expect(answer.data["kept_out"].elements.map { $0["reason"] } == ["no_endpoint", "preference_off"])
            #expect(answer.data["kept_out"].elements.map { $0["people"] } == [1, 1])
            #expect(answer.data["kept_out"].elements.first?["detail"] == "The user has no device.")
            let all = try await server.call(
                .post,
                Self.path,
                key: server.send,
                ["audience": ["all": true], "title": "x"]
            )
            #expect(all.data["people"] == 2 && all.data["devices"] == 3)
            #expect(try await server.contents() == before)
        }
    }

    @Test("what could not be sent is refused as a send is, with its field")
    func refusals() async throws {
        try await Harness.run { server in
            let bad: [(JSONValue, Int, String?)] = [
                (["audience": [:], "title": "x"], 422, "audience"),
                (["audience": ["users": [""]], "title": "x"], 422, "audience.users[0]"),
                (["audience": ["users": ["a"]], "title": "x", "category": "none"], 422, "category"),
                (["audience": ["topic": "none"], "title": "x"], 404, "audience.topic"),
                (["audience": ["users": ["a"]], "title": 1], 400, "title"),
                (["audience": ["users": ["a"]], "body": .string(String(repeating: "x", count: 5_000))], 413, "body"),
            ]
            for (body, status, field) in bad {
                let answer = try await server.call(.post, Self.path, key: server.send, body)
                #expect(answer.status == status && answer.field == field, "\(answer.text)")
            }
            let body: JSONValue = ["audience": ["all": true], "title": "x"]
            #expect(try await server.call(.post, Self.path, key: server.sdk, body).status == 403)
            #expect(try await server.call(.post, Self.path, body).status == 401)
        }
    }
}
