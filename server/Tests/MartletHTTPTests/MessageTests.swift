import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("What platforms get, and why people got nothing, over REST")
struct MessageTests {
    static let preview = "/api/v1/notifications/preview"

    @Test("a preview shows what each platform would get and how many bytes are used, and sends nothing")
    func previews() async throws {
        try await Harness.run { server in
            let before = try await server.contents()
            let body: JSONValue = ["audience": ["all": true], "title": "Line 4", "delivery_id": true]
            let answer = try await server.call(.post, Self.preview, key: server.send, body)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.items.map { $0["platform"] } == ["apns"])
            let message = try #require(answer.items.first)
            #expect(message["payload"]["aps"]["alert"]["title"] == "Line 4")
            #expect(message["payload"]["delivery_id"] == "00000000-0000-0000-0000-000000000000")
            #expect(message["headers"]["apns-push-type"] == "alert")
            #expect(message["limit"] == 4_096 && message["error"] == .null && message["refusal"] == .null)
            guard case .integer(let bytes) = message["bytes"] else {
                Issue.record("no bytes: \(answer.text)")
                return
            }
            #expect((20...400).contains(bytes))
            #expect(try await server.contents() == before)
        }
    }

    @Test("a preview says for each platform what a send would be refused for, and what is malformed names its field")
    func refusals() async throws {
        try await Harness.run { server in
            let long: JSONValue = ["audience": ["all": true], "body": .string(String(repeating: "x", count: 5_000))]
            let answer = try await server.call(.post, Self.preview, key: server.send, long)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.items.first?["error"]["field"] == "body" && answer.items.first?["payload"] == .null)
            let bad: [(JSONValue, Int, String)] = [
                (["audience": ["all": true], "title": 1], 400, "title"),
                (["audience": [:], "title": "x"], 422, "audience"),
                (["audience": ["all": true], "title": "x", "category": "none"], 422, "category"),
            ]
            for (body, status, field) in bad {
                let answer = try await server.call(.post, Self.preview, key: server.send, body)
                #expect(answer.status == status && answer.field == field, "\(answer.text)")
            }
            let body: JSONValue = ["audience": ["all": true], "title": "x"]
            #expect(try await server.call(.post, Self.preview, key: server.sdk, body).status == 403)
            #expect(try await server.call(.post, Self.preview, body).status == 401)
        }
    }

    @Test("an app without a credential has nothing to preview")
    func noCredential() async throws {
        try await Harness.run(hasCredential: false) { server in
            let body: JSONValue = ["audience": ["all": true], "title": "x"]
            let answer = try await server.call(.post, Self.preview, key: server.send, body)
            #expect(answer.status == 200 && answer.items.isEmpty, "\(answer.text)")
        }
    }

    @Test("a notification's messages are as they were rendered, and only its app's keys see them")
    func messages() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            let (id, _) = try await OutcomeTests.fanOut(server, to: ["a"])
            let path = "/api/v1/notifications/\(id)/messages"
            let answer = try await server.call(.get, path, key: server.send)
            #expect(answer.status == 200, "\(answer.text)")
            let message = try #require(answer.items.first)
            #expect(message["platform"] == "apns" && message["payload"]["aps"]["alert"]["title"] == "x")
            #expect(message["headers"]["apns-push-type"] == "alert" && message["limit"] == 4_096)
            try await Self.expectHidden(path, server)
        }
    }

    @Test("who did not get a notification is counted by reason, and only its app's keys see it")
    func reasons() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            let (id, batch) = try await OutcomeTests.fanOut(server, to: ["a", "nobody", "no-one"])
            try await OutcomeTests.settle(server, try #require(batch)) { settlement in
                settlement.results = [
                    DeliveryResult(
                        member: settlement.batch.members[0],
                        state: .rejected,
                        reason: "BadTopic",
                        attempts: 1
                    )
                ]
            }
            let path = "/api/v1/notifications/\(id)/reasons"
            let answer = try await server.call(.get, path, key: server.send)
            #expect(answer.status == 200, "\(answer.text)")
            let found = answer.data["reasons"].elements
            #expect(found.map { $0["reason"] } == ["no_endpoint", "BadTopic"], "\(answer.text)")
            #expect(found.map { $0["state"] } == ["suppressed", "rejected"])
            #expect(found.map { $0["count"] } == [2, 1])
            #expect(found.first?["detail"] == "The user has no device.")
            #expect(answer.data["is_exact"] == true)
            try await Self.expectHidden(path, server)
        }
    }

    /// Neither another app's key nor one that may not send finds what is at a path.
    private static func expectHidden(_ path: String, _ server: Harness) async throws {
        let other = try await server.store.createApp(name: "com.example.other", identity: Identity())
        let key = try await Harness.key(.send, app: other.row, in: server.store)
        #expect(try await server.call(.get, path, key: key).status == 404)
        #expect(try await server.call(.get, path, key: server.sdk).status == 403)
        #expect(try await server.call(.get, path).status == 401)
    }
}
