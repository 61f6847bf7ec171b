import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP
@testable import MartletPipeline

@Suite("Trouble, over REST")
struct TroubleTests {
    static let refused = Outcome.retry(.init(reason: "connection refused", kind: .connection))

    @Test("work that is quarantined is listed, counted, reported by the doctor, and retried by whom it belongs to")
    func quarantined() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            let (id, _) = try await OutcomeTests.fanOut(server, to: ["a"])
            let queue = OutcomeTests.queue(server.app)
            for number in 1...Int64(LeaseAdmission.limit) {
                server.clock.advance(by: Lease.duration)
                _ = try await server.store.leaseBatches(queue, limit: 1, lease: Lease(holder: number))
            }
            let listed = try await server.call(.get, "/api/v1/quarantine", key: server.send)
            let work = try #require(listed.items.first)
            #expect(work["notification_id"].stringValue == id)
            #expect(work["kind"] == "batch")
            #expect(work["platform"] == "apns")
            #expect(work["environment"] == "production")
            #expect(work["deliveries"] == 1)
            #expect(work["reason"] == "crashed")
            #expect(work["tries"] == 5)
            #expect(work["since"].stringValue != nil)
            let metrics = try await server.call(.get, "/metrics").text
            #expect(metrics.contains(#"martlet_quarantined{app="com.example.app"} 1"#), "\(metrics)")
            let doctor = try await server.call(.get, "/api/v1/doctor", key: server.admin)
            #expect(doctor.items.contains { $0["subject"] == "com.example.app quarantined work" }, "\(doctor.text)")
            let path = "/api/v1/quarantine/\(try #require(work["id"].stringValue))/retry"
            let other = try await server.store.createApp(name: "other", identity: Identity())
            let theirs = try await Harness.key(.send, app: other.row, in: server.store)
            #expect(try await server.call(.post, path, key: theirs).status == 404)
            #expect(try await server.call(.get, "/api/v1/quarantine", key: theirs).items.isEmpty)
            let count = server.api.wakeUps.count(of: .batches)
            #expect(try await server.call(.post, path, key: server.send).status == 202)
            #expect(server.api.wakeUps.count(of: .batches) > count)
            #expect(try await server.call(.post, path, key: server.send).status == 404)
            #expect(try await server.call(.get, "/api/v1/quarantine", key: server.send).items.isEmpty)
            #expect(try await server.store.dueWork().queues == [queue])
        }
    }

    @Test("a provider that does not answer is in the list, in the metrics and in the doctor's words")
    func breakers() async throws {
        try await Harness.run { server in
            let path = "/api/v1/apps/com.example.app/breakers"
            let queue = OutcomeTests.queue(server.app)
            server.api.breakers.note([.accepted], in: queue, of: "", at: server.clock.now())
            #expect(try await server.call(.get, path, key: server.admin).items.isEmpty)
            let labels = #"{app="com.example.app",environment="production",platform="apns"}"#
            let before = try await server.call(.get, "/metrics").text
            #expect(before.contains("martlet_breaker_state\(labels) 0"), "\(before)")
            server.api.breakers.note(repeatElement(Self.refused, count: 100), in: queue, of: "", at: server.clock.now())
            let item = try #require(try await server.call(.get, path, key: server.admin).items.first)
            #expect(item["platform"] == "apns")
            #expect(item["environment"] == "production")
            #expect(item["state"] == "open")
            #expect(item["reason"] == "connection refused")
            #expect(item["since"] == "2027-01-15T08:00:00.000Z")
            #expect(item["probe_at"].stringValue != nil)
            let doctor = try await server.call(.get, "/api/v1/doctor", key: server.admin)
            let finding = doctor.items.first { $0["subject"] == "com.example.app apns/production" }
            #expect(finding?["level"] == "problem", "\(doctor.text)")
            server.clock.advance(by: .seconds(5))
            let after = try await server.call(.get, "/metrics").text
            #expect(after.contains("martlet_breaker_state\(labels) 2"), "\(after)")
            let why = labels.dropLast() + #",reason="connection"} 1"#
            #expect(after.contains("martlet_breaker_reason\(why)"), "\(after)")
            server.api.breakers.lease(in: queue, at: server.clock.now())
            let trying = try await server.call(.get, "/metrics").text
            #expect(trying.contains("martlet_breaker_state\(labels) 2"), "a try is no answer")
            server.api.breakers.note([.accepted], in: queue, of: "", at: server.clock.now())
            let answered = try await server.call(.get, "/metrics").text
            #expect(answered.contains("martlet_breaker_state\(labels) 1"), "\(answered)")
            server.clock.advance(by: Breaker.memory)
            let quiet = try await server.call(.get, "/metrics").text
            #expect(quiet.contains("martlet_breaker_state\(labels) 0"), "\(quiet)")
            #expect(!quiet.contains("martlet_breaker_reason{"), "\(quiet)")
            #expect(try await server.call(.get, path, key: server.admin).items.isEmpty)
        }
    }

    @Test(
        "problems are the same over REST, in the metrics and in the doctor's words, and another app's key has none of them"
    )
    func problems() async throws {
        try await Harness.run(hasCredential: false) { server in
            let path = "/api/v1/problems"
            let none = try await server.call(.get, path, key: server.admin)
            #expect(none.items.map { $0["kind"] } == ["no_credential"], "\(none.text)")
            try await server.storeCredential()
            #expect(try await server.call(.get, path, key: server.admin).items.isEmpty)
            let queue = OutcomeTests.queue(server.app)
            server.api.breakers.note(repeatElement(Self.refused, count: 100), in: queue, of: "", at: server.clock.now())
            let item = try #require(try await server.call(.get, path, key: server.admin).items.first)
            #expect(item["kind"] == "not_answering" && item["level"] == "problem")
            #expect(item["app"] == "com.example.app" && item["platform"] == "apns")
            #expect(item["environment"] == "production" && item["reason"] == "connection refused")
            #expect(item["since"] == "2027-01-15T08:00:00.000Z" && item["waiting"] == 0)
            let doctor = try await server.call(.get, "/api/v1/doctor", key: server.admin)
            let said = doctor.items.first { $0["subject"] == "com.example.app apns/production" }?["message"].stringValue
            #expect(try said?.hasPrefix(#require(item["message"].stringValue)) == true, "\(doctor.text)")
            let metrics = try await server.call(.get, "/metrics").text
            let labels = #"app="com.example.app",environment="production",kind="not_answering",platform="apns""#
            #expect(metrics.contains("martlet_problems{\(labels)} 1"), "\(metrics)")
            let other = try await server.store.createApp(name: "other", identity: Identity())
            let theirs = try await Harness.key(.admin, app: other.row, in: server.store)
            let own = try await server.call(.get, path, key: theirs)
            #expect(own.items.map { $0["app"] } == ["other"], "\(own.text)")
            #expect(try await server.call(.get, path + "?app=com.example.app", key: theirs).status == 404)
            #expect(try await server.call(.get, path, key: server.send).status == 403)
        }
    }

    @Test("a credential that is stored anew is tried at once")
    func newCredential() async throws {
        try await Harness.run { server in
            let queue = OutcomeTests.queue(server.app)
            server.api.breakers.note(repeatElement(Self.refused, count: 100), in: queue, of: "", at: server.clock.now())
            try await server.storeCredential()
            #expect(server.api.breakers.all(at: server.clock.now())[queue]?.state == .probing)
        }
    }

    @Test("a send beyond the backlog's bound is refused with 503 and when to come again; a repeated one is not")
    func backlog() async throws {
        try await Harness.run(backlogLimit: 1) { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            _ = try await OutcomeTests.device(server, "bb", of: "a")
            let request: JSONValue = ["audience": ["users": ["a"]], "title": "x"]
            let key = ["Idempotency-Key": "one"]
            let path = "/api/v1/notifications"
            let first = try await server.call(.post, path, key: server.send, request, headers: key)
            #expect(first.status == 202, "\(first.text)")
            server.clock.advance(by: Backlog.longestRest)
            let refused = try await server.call(.post, path, key: server.send, request)
            #expect(refused.status == 503)
            #expect(refused.code == "overloaded")
            #expect(refused.header("Retry-After") == "10")
            let repeated = try await server.call(.post, path, key: server.send, request, headers: key)
            #expect(repeated.status == 202)
            #expect(repeated.text == first.text)
            let found = try await server.store.notifications(nil, state: nil, PageRequest()).items
            #expect(found.map(\.id.description) == [first.data["id"].stringValue])
        }
    }
}
