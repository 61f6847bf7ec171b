import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Who did not get it, over REST")
struct MissedTests {
    static func path(_ id: String, _ query: String = "") -> String { "/api/v1/notifications/\(id)/missed\(query)" }

    /// A notification to `a`, whom the provider refused, and to two without a device.
    private static func send(_ server: Harness, reason: String = "BadTopic") async throws -> String {
        _ = try await OutcomeTests.device(server, "aa", of: "a")
        let (id, batch) = try await OutcomeTests.fanOut(server, to: ["a", "=1+1", "b;\"c"])
        try await OutcomeTests.settle(server, try #require(batch)) { settlement in
            settlement.results = [
                DeliveryResult(member: settlement.batch.members[0], state: .rejected, reason: reason, attempts: 1)
            ]
        }
        return id
    }

    @Test("a page has people and devices, each with a reason and a sentence")
    func page() async throws {
        try await Harness.run { server in
            let id = try await Self.send(server)
            let first = try await server.call(.get, Self.path(id, "?limit=2"), key: server.send)
            #expect(first.status == 200, "\(first.text)")
            #expect(first.items.map { $0["user_id"] } == ["=1+1", "b;\"c"])
            #expect(first.items.map { $0["reason"] } == ["no_endpoint", "no_endpoint"])
            #expect(first.items.map { $0["detail"] } == ["The user has no device.", "The user has no device."])
            #expect(first.items.map { $0["endpoint_id"] } == [.null, .null])
            let next = try #require(first.json["next"].stringValue)
            let second = try await server.call(.get, Self.path(id, "?limit=2&cursor=\(next)"), key: server.send)
            let item = try #require(second.items.first)
            #expect(second.items.count == 1 && second.json["next"] == .null)
            #expect(item["user_id"] == "a" && item["platform"] == "apns" && item["state"] == "rejected")
            #expect(item["detail"] == "The provider refused it (BadTopic).")
            let dead = try await server.call(.get, Self.path(id, "?reason=BadTopic"), key: server.send)
            #expect(dead.items.map { $0["user_id"] } == ["a"])
        }
    }

    @Test("what a provider took is shown over time")
    func accepted() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            let (id, batch) = try await OutcomeTests.fanOut(server, to: ["a"])
            let path = "/api/v1/notifications/\(id)/accepted"
            let before = try await server.call(.get, path, key: server.send)
            #expect(before.json["data"]["points"] == [] && before.json["data"]["step_seconds"] == 1, "\(before.text)")
            try await OutcomeTests.settle(server, try #require(batch)) { settlement in
                settlement.results = [
                    DeliveryResult(member: settlement.batch.members[0], state: .accepted, reason: nil, attempts: 1)
                ]
            }
            let after = try await server.call(.get, path, key: server.send)
            #expect(after.status == 200 && after.text.contains("\"accepted\":1"), "\(after.text)")
            let other = try await server.call(.get, path.replacing(id, with: "nothing"), key: server.send)
            #expect(other.status == 404)
        }
    }

    @Test("a file has all of them as CSV, and no text that a spreadsheet runs")
    func file() async throws {
        try await Harness.run { server in
            let id = try await Self.send(server, reason: "=HYPERLINK(\"x\")")
            let answer = try await server.call(.get, Self.path(id, "?format=csv"), key: server.send)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.header("content-type") == "text/csv; charset=utf-8; header=present")
            #expect(answer.header("content-disposition") == "attachment; filename=\"missed-\(id).csv\"")
            let lines = answer.text.split(separator: "\r\n").map(String.init)
            let head = "user_id,endpoint_id,platform,state,reason,detail,held_by,at,reached_otherwise,reason_code"
            #expect(lines.first == head)
            #expect(lines.count == 4)
            #expect(lines[1].hasPrefix("'=1+1,,,suppressed,no_endpoint,The user has no device.,,"))
            #expect(lines[2].hasPrefix("\"b;\"\"c\",,,suppressed,"))
            #expect(lines[3].contains(",apns,rejected,\"'=HYPERLINK(\"\"x\"\")\","))
            let one = try await server.call(.get, Self.path(id, "?format=csv&reason=rejected"), key: server.send)
            #expect(one.text.split(separator: "\r\n").count == 2)
        }
    }

    @Test("who has it on another device is listed with that, or is left out")
    func elsewhere() async throws {
        try await Harness.run { server in
            for (user, token) in [("a", "aa"), ("a", "ab"), ("b", "bb")] {
                _ = try await OutcomeTests.device(server, token, of: user)
            }
            let (id, batch) = try await OutcomeTests.fanOut(server, to: ["a", "b"])
            try await OutcomeTests.settle(server, try #require(batch)) { settlement in
                settlement.results = settlement.batch.members.enumerated().map { index, member in
                    DeliveryResult(
                        member: member,
                        state: index == 1 ? .accepted : .rejected,
                        reason: index == 1 ? nil : "BadTopic",
                        attempts: 1
                    )
                }
            }
            for (query, users, isElsewhere) in [
                ("", ["a", "b"], [true, false]), ("?reached_otherwise=false", ["b"], [false]),
                ("?reached_otherwise=true", ["a"], [true]), ("?reached_otherwise=true&reason=expired", [], []),
            ] {
                let answer = try await server.call(.get, Self.path(id, query), key: server.send)
                #expect(answer.items.map { $0["user_id"] } == users.map(JSONValue.string), "\(query): \(answer.text)")
                #expect(answer.items.map { $0["reached_otherwise"] } == isElsewhere.map(JSONValue.bool), "\(query)")
            }
            let file = try await server.call(
                .get,
                Self.path(id, "?format=csv&reached_otherwise=false"),
                key: server.send
            )
            let lines = file.text.split(separator: "\r\n")
            #expect(lines.count == 2 && lines[1].hasPrefix("b,") && lines[1].contains(",false,"), "\(file.text)")
        }
    }

    @Test("what is malformed names its field, and another app's notification is 404")
    func refusals() async throws {
        try await Harness.run { server in
            let id = try await Self.send(server)
            let malformed = [
                ("?limit=0", "limit"), ("?cursor=x", "cursor"), ("?format=pdf", "format"), ("?reason=", "reason"),
                ("?format=csv&limit=5", "limit"), ("?reached_otherwise=no", "reached_otherwise"),
                ("?reason=" + String(repeating: "a", count: 257), "reason"),
            ]
            for (query, field) in malformed {
                let answer = try await server.call(.get, Self.path(id, query), key: server.send)
                #expect(answer.status == 422, "\(query): \(answer.text)")
                #expect(answer.field == field, "\(query)")
            }
            let unknown = Self.path("0190a5d0-ac96-774b-bcce-b302099a8057", "?format=csv")
            #expect(try await server.call(.get, unknown, key: server.send).status == 404)
            let other = try await server.store.createApp(name: "com.example.other", identity: Identity())
            let key = try await Harness.key(.send, app: other.row, in: server.store)
            #expect(try await server.call(.get, Self.path(id), key: key).status == 404)
            #expect(try await server.call(.get, Self.path(id), key: server.sdk).status == 403)
        }
    }
}
