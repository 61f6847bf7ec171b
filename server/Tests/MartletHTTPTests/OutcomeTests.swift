import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("What became of it, over REST")
struct OutcomeTests {
    static func queue(_ app: App) -> DeliveryQueue {
        DeliveryQueue(app: app.row, platform: .apns, environment: .production)
    }

    /// Sends to these users and leases the notification's batch, as the dispatcher would.
    static func fanOut(_ server: Harness, to users: [String], dedup: String? = nil) async throws -> (String, Batch?) {
        var request: [String: JSONValue] = [
            "audience": ["users": .array(users.map(JSONValue.string))], "title": "x",
        ]
        if let dedup { request["dedup"] = ["key": .string(dedup)] }
        let sent = try await server.call(.post, "/api/v1/notifications", key: server.send, .object(request))
        let id = try #require(sent.data["id"].stringValue)
        let leased = try await server.store.leaseBatches(queue(server.app), limit: 1, lease: Lease(holder: 2))
        return (id, leased.first)
    }

    static func settle(_ server: Harness, _ batch: Batch, _ change: (inout Settlement) -> Void) async throws {
        var settlement = Settlement(batch: batch, lease: Lease(holder: 2))
        change(&settlement)
        try await server.store.settle(settlement)
    }

    static func device(_ server: Harness, _ token: String, of user: String) async throws -> String {
        let body: JSONValue = ["token": .string(token), "user_id": .string(user)]
        let made = try await server.call(.post, "/api/v1/devices", key: server.send, body)
        return try #require(made.data["id"].stringValue)
    }

    @Test("what waits says why and until when: deliveries, reasons and why")
    func waiting() async throws {
        try await Harness.run { server in
            _ = try await Self.device(server, "aa", of: "a")
            let (id, batch) = try await Self.fanOut(server, to: ["a"])
            let next = server.clock.now() + .seconds(60)
            try await Self.settle(server, try #require(batch)) { settlement in
                let draft = BatchDraft(
                    queue: settlement.batch.queue,
                    isEnvironmentKnown: true,
                    attempts: 1,
                    notBefore: next,
                    lastReason: "TooManyRequests",
                    members: settlement.batch.members
                )
                settlement.retries = [draft]
            }
            let path = "/api/v1/notifications/\(id)"
            func delivery() async throws -> JSONValue? {
                try await server.call(.get, "\(path)/deliveries", key: server.send).items.first
            }
            #expect(try await delivery()?["state"] == "pending")
            #expect(try await delivery()?["reason"] == "TooManyRequests")
            #expect(try await delivery()?["attempts"] == 1)
            #expect(try await delivery()?["at"] == .string(UTCTime(next).description))
            let why = try await server.call(.get, "\(path)/why?user=a", key: server.send)
            let summary = try #require(why.data["summary"].stringValue)
            #expect(summary.contains("Apple answered TooManyRequests at \(UTCTime(server.clock.now()))."), "\(summary)")
            #expect(summary.contains("The next try is at \(UTCTime(next))."), "\(summary)")
            #expect(why.data["devices"].first["reason"] == "TooManyRequests")
            let reasons = try await server.call(.get, "\(path)/reasons", key: server.send).data["reasons"]
            #expect(reasons.first["state"] == "pending" && reasons.first["reason"] == "TooManyRequests")
            #expect(reasons.first["count"] == 1)
            // What keeps the whole queue takes precedence over it.
            let failure = Outcome.retry(.init(reason: "HTTP 502", kind: .provider))
            let failures = Array(repeating: failure, count: Breaker.burst)
            server.api.breakers.note(failures, in: Self.queue(server.app), of: "app", at: server.clock.now())
            #expect(try await delivery()?["reason"] == "HTTP 502")
        }
    }

    @Test("deliveries and suppressions say for each user what happened and why")
    func deliveriesAndSuppressions() async throws {
        try await Harness.run { server in
            let device = try await Self.device(server, "aa", of: "a")
            let (first, batch) = try await Self.fanOut(server, to: ["a", "nobody"], dedup: "alert-1")
            try await Self.settle(server, try #require(batch)) { settlement in
                settlement.results = [
                    DeliveryResult(
                        member: settlement.batch.members[0],
                        state: .rejected,
                        reason: "BadTopic",
                        attempts: 2
                    )
                ]
            }
            let deliveries = try await server.call(.get, "/api/v1/notifications/\(first)/deliveries", key: server.send)
            let delivery = try #require(deliveries.items.first { $0["endpoint_id"] == .string(device) })
            #expect(delivery["state"] == "rejected")
            #expect(delivery["reason"] == "BadTopic")
            #expect(delivery["attempts"] == 2)
            #expect(delivery["user_id"] == "a")
            let deviceID = try #require(PublicID(device))
            let notificationID = try #require(PublicID(first))
            let endpoint = try #require(try await server.store.endpoint(server.app.row, .id(deviceID)))
            let expected = DeliveryID(notification: notificationID).of(endpoint.row)
            #expect(delivery["id"].stringValue == expected.description)
            let path = "/api/v1/notifications/\(first)/suppressions"
            let suppressions = try await server.call(.get, path, key: server.send)
            #expect(suppressions.items.map { $0["reason"] } == ["no_endpoint"])
            #expect(suppressions.items.map { $0["user_id"] } == ["nobody"])
            let shown = try await server.call(.get, "/api/v1/notifications/\(first)", key: server.send)
            #expect(shown.data["status"] == "done")
            #expect(shown.data["counts"]["rejected"] == 1)
            #expect(shown.data["counts"]["suppressed"] == 1)
        }
    }

    @Test("a duplicate names the notification that the user has had instead")
    func duplicates() async throws {
        try await Harness.run { server in
            _ = try await Self.device(server, "aa", of: "a")
            let (first, batch) = try await Self.fanOut(server, to: ["a"], dedup: "alert-1")
            try await Self.settle(server, try #require(batch)) { settlement in
                settlement.results = [
                    DeliveryResult(member: settlement.batch.members[0], state: .accepted, attempts: 1)
                ]
            }
            let (second, none) = try await Self.fanOut(server, to: ["a"], dedup: "alert-1")
            #expect(none == nil)
            let path = "/api/v1/notifications/\(second)/suppressions"
            let item = try #require(try await server.call(.get, path, key: server.send).items.first)
            #expect(item["reason"] == "duplicate")
            #expect(item["held_by"].stringValue == first)
        }
    }

    @Test("a dead letter is listed, sent again once, and belongs to its app")
    func deadLetters() async throws {
        try await Harness.run { server in
            _ = try await Self.device(server, "aa", of: "a")
            let (id, batch) = try await Self.fanOut(server, to: ["a"])
            try await Self.settle(server, try #require(batch)) { settlement in
                settlement.results = [
                    DeliveryResult(
                        member: settlement.batch.members[0],
                        state: .dead,
                        reason: "InternalServerError",
                        attempts: 50
                    )
                ]
            }
            let listed = try await server.call(.get, "/api/v1/dead-letters", key: server.send)
            let letter = try #require(listed.items.first)
            #expect(letter["notification_id"].stringValue == id)
            #expect(letter["reason"] == "InternalServerError")
            #expect(letter["user_id"] == "a")
            let path = "/api/v1/dead-letters/\(try #require(letter["id"].stringValue))/retry"
            let other = try await server.store.createApp(name: "other", identity: Identity())
            let theirs = try await Harness.key(.send, app: other.row, in: server.store)
            #expect(try await server.call(.post, path, key: theirs).status == 404)
            let count = server.api.wakeUps.count(of: .batches)
            let retried = try await server.call(.post, path, key: server.send)
            #expect(retried.status == 202, "\(retried.text)")
            #expect(server.api.wakeUps.count(of: .batches) > count)
            let repeated = try await server.call(.post, path, key: server.send)
            #expect(repeated.status == 202)
            #expect(repeated.header(HeaderName.idempotentReplayed) == "true")
            #expect(repeated.text == retried.text)
            #expect(try await server.call(.get, "/api/v1/dead-letters", key: server.send).items.isEmpty)
            let queues = try await server.store.dueWork().queues
            #expect(queues == [Self.queue(server.app)])
            let metrics = try await server.call(.get, "/metrics").text
            let labels = #"{app="com.example.app",environment="production",platform="apns"}"#
            #expect(metrics.contains("martlet_backlog_deliveries\(labels) 1"), "\(metrics)")
        }
    }

    @Test("a pause says what to change and is ended by hand")
    func pauses() async throws {
        try await Harness.run { server in
            _ = try await Self.device(server, "aa", of: "a")
            let (id, batch) = try await Self.fanOut(server, to: ["a"])
            try await Self.settle(server, try #require(batch)) { settlement in
                settlement.remaining = settlement.batch.members
                settlement.isLeaseReleased = true
                settlement.pause = Pause(
                    queue: settlement.batch.queue,
                    reason: "InvalidProviderToken",
                    advice: "Store another key.",
                    since: server.clock.now()
                )
            }
            let path = "/api/v1/apps/com.example.app/pauses"
            let listed = try await server.call(.get, path, key: server.admin)
            #expect(listed.items.first?["reason"] == "InvalidProviderToken")
            #expect(listed.items.first?["since"] == "2027-01-15T08:00:00.000Z")
            let held = try await server.call(.get, "/api/v1/notifications/\(id)", key: server.send)
            #expect(held.data["pauses"] == .array(listed.items))
            #expect(try await server.call(.delete, path + "/apns/production", key: server.admin).status == 204)
            #expect(try await server.call(.delete, path + "/apns/production", key: server.admin).status == 404)
            #expect(try await server.call(.get, path, key: server.admin).items.isEmpty)
            let free = try await server.call(.get, "/api/v1/notifications/\(id)", key: server.send)
            #expect(free.data["pauses"] == .null)
        }
    }

    @Test("the doctor says of a topic that was never accepted that devices belong to another app, until it is")
    func refusedTopic() async throws {
        try await Harness.run { server in
            _ = try await Self.device(server, "aa", of: "a")
            let credential = try #require(try await server.store.credentials(server.app.row).first)
            func findings(after standing: CredentialTopic.Standing) async throws -> [JSONValue] {
                let (_, batch) = try await Self.fanOut(server, to: ["a"])
                try await Self.settle(server, try #require(batch)) { settlement in
                    settlement.results = [
                        DeliveryResult(member: settlement.batch.members[0], state: .rejected, reason: "x", attempts: 1)
                    ]
                    settlement.topic = CredentialTopic(
                        credential: credential.row,
                        name: "com.example.wrong",
                        standing: standing
                    )
                }
                let found = try await server.call(.get, "/api/v1/doctor?app=com.example.app", key: server.admin)
                return found.items.filter { $0["message"].stringValue?.contains("com.example.wrong") == true }
            }
            let refused = try await findings(after: .refused)
            #expect(refused.map { $0["level"] } == ["problem"])
            #expect(refused.first?["advice"].stringValue?.contains("bundle id") == true)
            #expect(try await findings(after: .accepted).isEmpty)
        }
    }

    @Test("the doctor says what to change about a credential that leads nowhere, and about an app without one")
    func doctor() async throws {
        try await Harness.run(hasCredential: false) { server in
            let bare = try await server.call(.get, "/api/v1/doctor", key: server.admin)
            #expect(bare.items.map { $0["level"] } == ["ok", "warning"])
            try await server.storeCredential(url: "https://127.0.0.1:1")
            let found = try await server.call(.get, "/api/v1/doctor?app=com.example.app", key: server.admin)
            #expect(found.status == 200)
            #expect(found.items.contains { $0["level"] == "problem" }, "\(found.text)")
            #expect(found.items.allSatisfy { $0["subject"].stringValue?.hasPrefix("com.example.app ") == true })
        }
    }
}
