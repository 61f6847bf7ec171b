import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Sending again, over REST")
struct ResendTests {
    static func path(_ id: String) -> String { "/api/v1/notifications/\(id)/resend" }

    /// A notification that expired on `a`'s device.
    private static func expired(_ server: Harness) async throws -> String {
        _ = try await OutcomeTests.device(server, "aa", of: "a")
        let (id, batch) = try await OutcomeTests.fanOut(server, to: ["a", "b"], dedup: "alert-1")
        try await OutcomeTests.settle(server, try #require(batch)) { settlement in
            settlement.results = [DeliveryResult(member: settlement.batch.members[0], state: .expired, attempts: 1)]
        }
        return id
    }

    @Test("a notification is sent again to those who missed it, once under one key and once to each person")
    func resend() async throws {
        try await Harness.run { server in
            let id = try await Self.expired(server)
            let key = ["Idempotency-Key": "again"]
            let first = try await server.call(.post, Self.path(id), key: server.send, [:], headers: key)
            #expect(first.status == 202, "\(first.text)")
            #expect(first.data["count"] == 1 && first.data["status"] == "sending")
            let new = try #require(first.data["id"].stringValue)
            #expect(new != id)
            let shown = try await server.call(.get, "/api/v1/notifications/\(new)", key: server.send)
            #expect(shown.data["title"] == "x" && shown.data["audience"] == ["kind": "endpoints", "count": 1])
            #expect(shown.data["collapse_id"] == "alert-1")
            let repeated = try await server.call(.post, Self.path(id), key: server.send, [:], headers: key)
            #expect(repeated.data == first.data && repeated.header("idempotent-replayed") == "true")
            let other = try await server.call(.post, Self.path(new), key: server.send, [:], headers: key)
            #expect(other.status == 422 && other.code == "idempotency_mismatch", "\(other.text)")
            // Who has it from the second one does not get it from a third one.
            let queue = OutcomeTests.queue(server.app)
            let batch = try #require(
                try await server.store.leaseBatches(queue, limit: 1, lease: Lease(holder: 2)).first
            )
            try await OutcomeTests.settle(server, batch) { settlement in
                settlement.results = [
                    DeliveryResult(member: settlement.batch.members[0], state: .accepted, attempts: 1)
                ]
            }
            let third = try await server.call(.post, Self.path(id), key: server.send, [:])
            let last = try #require(third.data["id"].stringValue)
            let missed = try await server.call(.get, MissedTests.path(last), key: server.send)
            #expect(missed.items.map { $0["reason"] } == ["duplicate"], "\(missed.text)")
            #expect(missed.items.map { $0["held_by"] } == [.string(new)])
        }
    }

    @Test("a dry run says for how many devices it would be, and sends nothing")
    func dryRun() async throws {
        try await Harness.run { server in
            let id = try await Self.expired(server)
            let before = try await server.contents()
            let body: JSONValue = ["dry_run": true]
            for _ in 0..<2 {
                let answer = try await server.call(.post, Self.path(id), key: server.send, body)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.data == ["count": 1])
            }
            #expect(try await server.contents() == before)
            let none: JSONValue = ["dry_run": true, "reasons": ["dead"]]
            #expect(try await server.call(.post, Self.path(id), key: server.send, none).status == 409)
            let bad: JSONValue = ["dry_run": true, "reasons": ["accepted"]]
            #expect(try await server.call(.post, Self.path(id), key: server.send, bad).field == "reasons[0]")
            let sent: JSONValue = ["dry_run": false]
            #expect(try await server.call(.post, Self.path(id), key: server.send, sent).status == 202)
        }
    }

    @Test("it is refused while the first one goes on, where nobody is left, and with its field for what is malformed")
    func refusals() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "ab", of: "c")
            let (open, _) = try await OutcomeTests.fanOut(server, to: ["c"])
            let early = try await server.call(.post, Self.path(open), key: server.send, [:])
            #expect(early.status == 409 && early.code == "conflict", "\(early.text)")
            #expect(early.json["error"]["message"] == "The notification is still going on.")
            let (anonymous, _) = try await OutcomeTests.fanOut(server, to: ["nobody"])
            #expect(try await server.call(.post, Self.path(anonymous), key: server.send, [:]).status == 409)
            let bad: [(JSONValue, Int, String)] = [
                (["reasons": []], 422, "reasons"), (["reasons": ["expired", ""]], 422, "reasons[1]"),
                (["reasons": ["accepted"]], 422, "reasons[0]"), (["reasons": ["duplicate"]], 422, "reasons[0]"),
                (["reasons": "expired"], 400, "reasons"), (["reason": "x"], 400, "reason"),
                (["reasons": .array(Array(repeating: "x", count: 51))], 422, "reasons"),
            ]
            for (body, status, field) in bad {
                let answer = try await server.call(.post, Self.path(anonymous), key: server.send, body)
                #expect(answer.status == status && answer.field == field, "\(body): \(answer.text)")
            }
            let unknown = Self.path("0190a5d0-ac96-774b-bcce-b302099a8057")
            #expect(try await server.call(.post, unknown, key: server.send, [:]).status == 404)
            #expect(try await server.call(.post, Self.path(anonymous), key: server.sdk, [:]).status == 403)
        }
    }
}
