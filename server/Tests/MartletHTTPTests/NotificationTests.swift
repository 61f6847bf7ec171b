import Foundation
import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Notifications over REST")
struct NotificationTests {
    static let path = "/api/v1/notifications"
    static let body: JSONValue = ["audience": ["users": ["a", "b", "a"]], "title": "Delay", "body": "Line 4"]

    @Test("an accepted one can be read back, listed and cancelled")
    func roundTrip() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            let sent = try await server.call(.post, Self.path, key: server.send, Self.body)
            #expect(sent.status == 202, "\(sent.text)")
            #expect(sent.data["status"] == "sending")
            let id = try #require(sent.data["id"].stringValue)
            let shown = try await server.call(.get, "\(Self.path)/\(id)", key: server.send)
            #expect(shown.data["title"] == "Delay")
            #expect(shown.data["app_id"].stringValue == server.app.id.description)
            #expect(shown.data["audience"] == ["kind": "users", "count": 2])
            #expect(shown.data["priority"] == 10)
            let cancelled = try await server.call(.delete, "\(Self.path)/\(id)", key: server.send)
            #expect(cancelled.status == 200)
            #expect(cancelled.data["status"] == "cancelled")
            let listed = try await server.call(.get, "\(Self.path)?status=cancelled", key: server.send)
            #expect(listed.items.map { $0["id"].stringValue } == [id])
            #expect(try await server.call(.get, "\(Self.path)?status=done", key: server.send).items.isEmpty)
            let odd = try await server.call(.get, "\(Self.path)?status=odd", key: server.send)
            #expect(odd.status == 422)
            #expect(odd.field == "status")
            #expect(try await server.call(.get, "\(Self.path)/\(id)/deliveries", key: server.send).status == 200)
            #expect(try await server.call(.get, "\(Self.path)/\(id)/suppressions", key: server.send).status == 200)
            #expect(try await server.call(.get, "\(Self.path)/\(server.app.id)", key: server.send).status == 404)
        }
    }

    @Test("every field arrives in the submission")
    func everyField() async throws {
        let request = try DocumentDecoder.decode(
            NotificationRequest.self,
            from: JSONReader.read(Array(Fixture.fullNotification.utf8))
        )
        let app = App(
            row: RowID(1),
            id: PublicID(high: 0, low: 0),
            name: "a",
            identity: Identity(),
            createdAt: Timestamp(milliseconds: 0)
        )
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let found = try Submission(request, app: app, now: now)
        #expect(found.audience == .tokens(["AA"], platform: .apns))
        #expect(found.content.title == "t" && found.content.subtitle == "s" && found.content.body == "b")
        #expect(found.content.image == "https://x/i.png" && found.content.deepLink == "app://y")
        #expect(found.content.badge == 0 && found.content.sound == "default")
        #expect(found.content.actionCategory == "c" && found.content.threadID == "th")
        #expect(found.content.data == ["k": ["n": .number(1.5), "z": .null]])
        #expect(found.content.overrides == [.apns: ["aps": ["badge": 2]]])
        #expect(found.pushType == "alert" && found.topic == "com.example.app" && found.priority == .low)
        #expect(found.collapse == .off)
        #expect(found.dedup == Dedup(key: "k", cooldown: nil))
        #expect(found.sendAt == now + .seconds(3600))
        #expect(found.expiry == .at(now + .seconds(3600 + 60)))
        var policy = RetryPolicy.standard
        policy.maxAttempts = 4
        policy.minimumDelay = .seconds(1)
        policy.maximumDelay = .seconds(2)
        policy.rateLimitedDelay = .seconds(3)
        #expect(found.retry == policy)
    }

    @Test("a badge for each of some users and the delivery's id are accepted, and arrive in the submission")
    func differentPayloads() async throws {
        let body = """
            {"audience":{"all":true},"title":"t","badge":{"by_user":{"ann":3,"bob.b":0,"cem":2147483647}},
            "delivery_id":true}
            """
        let json = try JSONReader.read(Array(body.utf8))
        try await Harness.run { server in
            let sent = try await server.call(.post, Self.path, key: server.send, json)
            #expect(sent.status == 202, "\(sent.text)")
            let request = try DocumentDecoder.decode(NotificationRequest.self, from: json)
            let found = try Submission(request, app: server.app, now: Timestamp(milliseconds: 1_800_000_000_000))
            #expect(found.badges == ["ann": 3, "bob.b": 0, "cem": .max])
            #expect(found.content.badge == nil)
            #expect(found.hasDeliveryID)
            // As others send it.
            let again = try JSONDecoder().decode(NotificationRequest.self, from: JSONEncoder().encode(request))
            #expect(again == request)
        }
    }

    @Test("a time to send at within five seconds of the past means now; without an expiry there is none")
    func clockSkew() throws {
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let app = App(
            row: RowID(1),
            id: PublicID(high: 0, low: 0),
            name: "a",
            identity: Identity(),
            createdAt: now
        )
        var request = NotificationRequest(audience: AudienceRequest(all: true))
        request.sendAt = UTCTime(now - .seconds(5))
        #expect(try Submission(request, app: app, now: now).sendAt == nil)
        request.sendAt = UTCTime(now - .milliseconds(5001))
        #expect(throws: Failure.self) { try Submission(request, app: app, now: now) }
        request.sendAt = nil
        #expect(try Submission(request, app: app, now: now).expiry == .provider)
        request.ttlSeconds = 0
        #expect(try Submission(request, app: app, now: now).expiry == .immediate)
    }

    @Test("the same Idempotency-Key is the same request, with the same answer")
    func idempotency() async throws {
        try await Harness.run { server in
            let headers = [HeaderName.idempotencyKey: "order-42"]
            let first = try await server.call(.post, Self.path, key: server.send, Self.body, headers: headers)
            #expect(first.header(HeaderName.idempotentReplayed) == nil)
            let again = try await server.call(.post, Self.path, key: server.send, Self.body, headers: headers)
            #expect(again.status == first.status)
            #expect(again.text == first.text)
            #expect(again.header(HeaderName.idempotentReplayed) == "true")
            let other: JSONValue = ["audience": ["users": ["z"]], "title": "Other"]
            let mismatch = try await server.call(.post, Self.path, key: server.send, other, headers: headers)
            #expect(mismatch.status == 422)
            #expect(mismatch.code == "idempotency_mismatch")
            let second = try await Harness.key(.send, app: server.app.row, in: server.store)
            let theirs = try await server.call(.post, Self.path, key: second, Self.body, headers: headers)
            #expect(theirs.data["id"] != first.data["id"])
            #expect(try await server.contents()["notifications"] == 2)
            for bad in [String(repeating: "k", count: 256), "schlüssel"] {
                let refused = try await server.call(
                    .post,
                    Self.path,
                    key: server.send,
                    Self.body,
                    headers: [HeaderName.idempotencyKey: bad]
                )
                #expect(refused.status == 422)
                #expect(refused.field == HeaderName.idempotencyKey)
            }
        }
    }

    @Test("a repeated request is the same request also when its time has passed since")
    func idempotencyOutlivesTimes() async throws {
        try await Harness.run { server in
            let headers = [HeaderName.idempotencyKey: "order-43"]
            let due = UTCTime(server.clock.now() + .seconds(60)).description
            let body: JSONValue = ["audience": ["users": ["ann"]], "title": "Later", "send_at": .string(due)]
            let first = try await server.call(.post, Self.path, key: server.send, body, headers: headers)
            #expect(first.status == 202)
            server.clock.advance(by: .seconds(3600))
            let again = try await server.call(.post, Self.path, key: server.send, body, headers: headers)
            #expect(again.text == first.text)
            #expect(again.header(HeaderName.idempotentReplayed) == "true")
        }
    }

    @Test("lists come in pages that join without a gap, and a cursor is good for its own list only")
    func pages() async throws {
        try await Harness.run { server in
            var ids: [String] = []
            for _ in 0..<7 {
                let sent = try await server.call(.post, Self.path, key: server.send, Self.body)
                ids.append(try #require(sent.data["id"].stringValue))
            }
            var seen: [String] = []
            var cursor: String? = ""
            while let here = cursor {
                let query = here.isEmpty ? "?limit=3" : "?limit=3&cursor=\(here)"
                let page = try await server.call(.get, Self.path + query, key: server.send)
                #expect(page.items.count <= 3)
                seen += page.items.compactMap { $0["id"].stringValue }
                cursor = page.json["next"].stringValue
                if let cursor {
                    let elsewhere = try await server.call(
                        .get,
                        "/api/v1/dead-letters?cursor=\(cursor)",
                        key: server.send
                    )
                    #expect(elsewhere.field == "cursor")
                }
            }
            #expect(seen == ids.reversed())
            for (query, field) in [
                ("limit=0", "limit"), ("limit=1001", "limit"), ("limit=x", "limit"), ("cursor=nonsense", "cursor"),
                ("cursor=AAAAAAAAAAEAAAAA", "cursor"),
            ] {
                let answer = try await server.call(.get, "\(Self.path)?\(query)", key: server.send)
                #expect(answer.status == 422)
                #expect(answer.field == field)
            }
            let unknown = try await server.call(.get, "\(Self.path)?page=2", key: server.send)
            #expect(unknown.code == "unknown_field")
            #expect(unknown.field == "page")
        }
    }
}

enum Fixture {
    static let fullNotification = """
        {"app":"a","audience":{"tokens":["AA"],"platform":"ios"},"title":"t","subtitle":"s","body":"b",
        "image":"https://x/i.png","deep_link":"app://y","badge":0,"sound":"default","action_category":"c","thread_id":"th",
        "data":{"k":{"n":1.5,"z":null}},"overrides":{"ios":{"aps":{"badge":2}}},"push_type":"alert",
        "topic":"com.example.app","priority":"low","collapse_id":null,
        "dedup":{"key":"k","cooldown_seconds":null},"send_at":"2027-01-15T09:00:00Z","ttl_seconds":60,
        "retry":{"max_attempts":4,"minimum_delay_seconds":1,"maximum_delay_seconds":2,"rate_limited_delay_seconds":3}}
        """
}
