import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("What happened to a person, over REST")
struct PersonHistoryTests {
    static func why(_ id: String, _ user: String) -> String { "/api/v1/notifications/\(id)/why?user=\(user)" }

    @Test("why says the steps, the devices and a sentence")
    func why() async throws {
        try await Harness.run { server in
            let device = try await OutcomeTests.device(server, "aa", of: "a")
            let (id, batch) = try await OutcomeTests.fanOut(server, to: ["a", "nobody"], dedup: "alert-1")
            try await OutcomeTests.settle(server, try #require(batch)) { settlement in
                settlement.results = [
                    DeliveryResult(member: settlement.batch.members[0], state: .accepted, attempts: 1)
                ]
            }
            let reached = try await server.call(.get, Self.why(id, "a"), key: server.send)
            #expect(reached.status == 200, "\(reached.text)")
            #expect(reached.data["is_in_audience"] == true)
            #expect(reached.data["summary"] == "A provider took the push for 1 of 1 device.")
            #expect(reached.data["devices"] == [reached.data["devices"].first])
            #expect(reached.data["devices"].first["endpoint_id"] == .string(device))
            #expect(reached.data["devices"].first["state"] == "accepted")
            #expect(reached.data["steps"].names == ["audience", "category", "dedup"])
            let missed = try await server.call(.get, Self.why(id, "nobody"), key: server.admin)
            #expect(missed.data["summary"] == "No push was sent. The user had no device.")
            #expect(missed.data["devices"] == [])
        }
    }

    @Test("a timeline has the newest first, in pages")
    func timeline() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            server.clock.advance(by: .seconds(1))
            let (id, batch) = try await OutcomeTests.fanOut(server, to: ["a"])
            try await OutcomeTests.settle(server, try #require(batch)) { settlement in
                settlement.results = [
                    DeliveryResult(member: settlement.batch.members[0], state: .rejected, reason: "Gone", attempts: 1)
                ]
            }
            let path = "/api/v1/users/a/timeline"
            let first = try await server.call(.get, path + "?limit=1", key: server.send)
            #expect(first.items.count == 1, "\(first.text)")
            #expect(first.items.first?["what"] == "rejected")
            #expect(first.items.first?["detail"] == "The provider refused it (Gone).")
            #expect(first.items.first?["notification_id"] == .string(id))
            let next = try #require(first.json["next"].stringValue)
            let second = try await server.call(.get, path + "?limit=1&cursor=\(next)", key: server.send)
            #expect(second.items.map { $0["kind"] } == ["device"])
            let devices = try await server.call(.get, path + "?kind=device", key: server.send)
            #expect(devices.items.map { $0["what"] } == ["created"])
        }
    }

    @Test("why says of whom nothing is stored that they were not in the audience")
    func nothingStored() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            let (id, _) = try await OutcomeTests.fanOut(server, to: ["a", "b"])
            #expect(try await server.call(.delete, "/api/v1/users/a", key: server.send).status == 204)
            for user in ["a", "zoe"] {
                let answer = try await server.call(.get, Self.why(id, user), key: server.send)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.data["is_in_audience"] == false)
                #expect(answer.data["steps"].first["reason"] == "not_in_audience")
                #expect(answer.data["devices"] == [])
                let summary = "No push was sent. Nothing is stored of the user: they were erased, or never known."
                #expect(answer.data["summary"] == .string(summary))
            }
            let shown = try await server.call(.get, "/api/v1/notifications/\(id)", key: server.send)
            #expect(shown.data["audience"] == ["kind": "users", "count": 2])
        }
    }

    @Test(
        "a person who is not known has no timeline, and a notification that there is not is 404; what is malformed names its field"
    )
    func refusals() async throws {
        try await Harness.run { server in
            let (id, _) = try await OutcomeTests.fanOut(server, to: ["a"])
            let unknown = [
                Self.why("0190a5d0-ac96-774b-bcce-b302099a8057", "a"), Self.why("x", "a"), "/api/v1/users/zoe/timeline",
            ]
            for path in unknown {
                let answer = try await server.call(.get, path, key: server.send)
                #expect(answer.status == 404, "\(path): \(answer.text)")
            }
            let malformed = [
                (Self.why(id, "%00"), "user"),
                ("/api/v1/users/a/timeline?kind=letters", "kind"), ("/api/v1/users/a/timeline?since=now", "since"),
                ("/api/v1/users/a/timeline?limit=201", "limit"), ("/api/v1/users/a/timeline?cursor=x", "cursor"),
            ]
            for (path, field) in malformed {
                let answer = try await server.call(.get, path, key: server.send)
                #expect(answer.status == 422, "\(path): \(answer.text)")
                #expect(answer.field == field, "\(path)")
            }
            let unnamed = try await server.call(.get, "/api/v1/notifications/\(id)/why", key: server.send)
            #expect(unnamed.status == 400 && unnamed.field == "user_id", "\(unnamed.text)")
            for path in [Self.why(id, "a"), "/api/v1/users/a/timeline"] {
                #expect(try await server.call(.get, path, key: server.sdk).status == 403)
                #expect(try await server.call(.get, path).status == 401)
            }
        }
    }
}

extension JSONValue {
    /// The first of a list.
    var first: JSONValue { if case .array(let items) = self { items.first ?? .null } else { .null } }
    /// What each step of a list is called.
    fileprivate var names: [String] {
        if case .array(let items) = self { items.compactMap { $0["step"].stringValue } } else { [] }
    }
}
