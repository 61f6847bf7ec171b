import Foundation
import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Who changes something by a key is in the audit log")
struct ChangeRecordTests {
    /// A request that changes something, and what is recorded of it.
    struct Change {
        /// The method and the path's pattern.
        let route: String
        /// The path, with names of ``ChangeThings`` in braces.
        let path: String
        let body: JSONValue?
        let action: String
        /// Whether an admin key is needed.
        let isAdmin: Bool

        init(_ route: String, _ path: String, _ body: JSONValue, _ action: String, isAdmin: Bool = true) {
            self.init(route, path, body: body, action, isAdmin)
        }

        init(_ route: String, _ path: String, _ action: String, isAdmin: Bool = true) {
            self.init(route, path, body: nil, action, isAdmin)
        }

        private init(_ route: String, _ path: String, body: JSONValue?, _ action: String, _ isAdmin: Bool) {
            (self.route, self.path, self.body, self.action) = (route, "/api/v1/\(path)", body, action)
            self.isAdmin = isAdmin
        }
    }

    /// Changing routes of which nothing is recorded, each with its reason.
    static let unrecorded: [String: String] = [
        "POST /api/v1/tokens": "a phone's own registration",
        "POST /api/v1/devices": "a phone's registration, which its backend may pass on",
        "PATCH /api/v1/installations/{id}": "what a phone says about itself",
        "DELETE /api/v1/installations/{id}": "a phone that forgets itself",
        "POST /api/v1/installations/{id}/test": "a phone that tries itself out",
        "POST /api/v1/events": "what a phone reports",
        "POST /td/v1/{database}/{table}": "what a phone reports",
        "POST /postback/v3/event/{database}/{table}": "what a phone reports",
        "POST /api/v1/events/query": "it changes nothing",
        "POST /api/v1/notifications/estimate": "it changes nothing",
        "POST /api/v1/notifications/preview": "it changes nothing",
        "POST /api/v1/subscriptions/{id}/try": "it changes nothing",
        "PATCH /api/v1/preferences": "what users choose themselves",
        "PATCH /api/v1/inbox/{id}": "what users mark themselves",
        "POST /api/v1/inbox/actions": "what users mark themselves",
        "PATCH /api/v1/users/{user}/inbox/{id}": "a user's mark, which the backend passes on",
        "POST /api/v1/users/{user}/inbox/actions": "a user's mark, which the backend passes on",
    ]

    @Test("each changing route of the table is tried here, or says why nothing of it is recorded")
    func complete() async throws {
        try await Harness.run { server in
            let tried = Set(Self.changes.map(\.route))
            for route in server.api.routes where route.method != .get {
                let line = "\(route.method.rawValue) \(route.path)"
                #expect(
                    tried.contains(line) != (Self.unrecorded[line] != nil),
                    "\(line) records nothing, or does not say so"
                )
            }
        }
    }

    @Test("each change is recorded with who made it, and without secrets, tokens and texts")
    func changes() async throws {
        try await Harness.run { server in
            var things = try await ChangeThings(server)
            for change in Self.changes {
                let key = change.isAdmin ? server.admin : server.send
                let parts = change.route.split(separator: " ")
                let method = try #require(HTTPRequest.Method(String(parts[0])))
                let body = try change.body.map { body in
                    try JSONValue(json: Data(things.path(String(decoding: body.json(), as: UTF8.self)).utf8))
                }
                let answer = try await server.call(method, things.path(change.path), key: key, body)
                #expect((200..<300).contains(answer.status), "\(change.route): \(answer.text)")
                let newest = try await server.store.auditEntries(AuditFilter(), PageRequest(count: 1)).items.first
                let entry = try #require(newest)
                #expect(entry.action.rawValue == change.action, "\(change.route)")
                #expect(try await entry.actor == Self.actor(key, server), "\(change.route)")
                things.noteSecrets(of: answer)
            }
            let log = try await server.call(.get, "/api/v1/audit?limit=1000", key: server.admin).text
            for secret in things.secrets { #expect(!log.contains(secret), "\(secret)") }
        }
    }

    @Test("what changes is there before and after")
    func beforeAndAfter() async throws {
        try await Harness.run { server in
            let path = "/api/v1/apps/com.example.app"
            _ = try await server.call(.patch, path, key: server.admin, ["name": "com.example.new"])
            let renamed = try await Self.newest(server)
            #expect(renamed["before"]["name"] == "com.example.app" && renamed["after"]["name"] == "com.example.new")
            #expect(renamed["subject"] == ["kind": "app", "id": .string(server.app.id.description)])
            #expect(renamed["app_id"].stringValue == server.app.id.description)
            let identity: JSONValue = ["identity": ["secret": .string(Harness.userSecret)]]
            _ = try await server.call(.patch, "/api/v1/apps/com.example.new", key: server.admin, identity)
            #expect(try await Self.newest(server)["after"]["has_new_secret"] == true)
            _ = try await server.call(.delete, "/api/v1/apps/com.example.new", key: server.admin)
            let deleted = try await Self.newest(server)
            #expect(deleted["before"]["name"] == "com.example.new" && deleted["after"] == .null)
            #expect(deleted["app_id"] == .null, "the app is gone")
        }
    }

    @Test(
        "a notification to one person is not recorded; one to more is, once, with whom it is for and not what it says"
    )
    func sends() async throws {
        try await Harness.run { server in
            func count(_ audience: JSONValue, headers: [String: String] = [:]) async throws -> Int {
                let body: JSONValue = ["audience": audience, "title": "zebra"]
                let sent = try await server.call(
                    .post,
                    "/api/v1/notifications",
                    key: server.send,
                    body,
                    headers: headers
                )
                #expect(sent.status == 202, "\(sent.text)")
                return try await server.store.auditEntries(AuditFilter(), PageRequest()).items.count
            }
            let before = try await server.store.auditEntries(AuditFilter(), PageRequest()).items.count
            #expect(try await count(["users": ["a"]]) == before)
            #expect(try await count(["users": ["a", "b"]]) == before + 1)
            let entry = try await Self.newest(server)
            #expect(entry["action"] == "notification.send")
            #expect(entry["after"] == ["audience": "users", "named": 2, "class": "default"])
            for expected in [2, 2] {
                #expect(
                    try await count(["all": true], headers: [HeaderName.idempotencyKey: "once"]) == before + expected
                )
            }
            #expect(try await Self.newest(server)["after"]["audience"] == "all")
        }
    }

    @Test("what is refused, what changes nothing and what people do themselves is not recorded")
    func nothing() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.category("news")
            _ = try await server.call(.post, "/api/v1/topics", key: server.send, ["name": "alerts"])
            let before = try await server.store.auditEntries(AuditFilter(), PageRequest()).items
            _ = try await server.call(.post, "/api/v1/topics", key: server.send, ["name": "alerts"])
            _ = try await server.call(.delete, "/api/v1/topics/none", key: server.send)
            _ = try await server.call(.post, "/api/v1/apps", key: server.admin, ["name": "com.example.app"])
            let own: JSONValue = ["master": ["push": false]]
            let changed = try await server.call(.patch, "/api/v1/preferences", key: server.userToken("a"), own)
            #expect(changed.status == 200, "\(changed.text)")
            let body: JSONValue = ["token": .string(Harness.token)]
            #expect(try await server.call(.post, "/api/v1/devices", key: server.userToken("a"), body).status == 201)
            let after = try await server.store.auditEntries(AuditFilter(), PageRequest()).items
            #expect(after == before)
        }
    }

    @Test("cancelling what is cancelled already is recorded no second time")
    func cancelledAlready() async throws {
        try await Harness.run { server in
            let path = try await ChangeThings(server).path("/api/v1/notifications/{later}")
            for _ in 0..<2 { #expect(try await server.call(.delete, path, key: server.send).status == 200) }
            let filter = AuditFilter(action: .cancelNotification)
            #expect(try await server.store.auditEntries(filter, PageRequest()).items.count == 1)
        }
    }

    @Test("a person who is erased is not named")
    func erased() async throws {
        try await Harness.run { server in
            try await server.device(of: "ann@example.com", token: "aa")
            let path = "/api/v1/users/ann%40example.com"
            #expect(try await server.call(.delete, path, key: server.send).status == 204)
            let subject = try await Self.newest(server)["subject"]
            #expect(subject["id"].stringValue?.hasPrefix("sha256:") == true)
        }
    }

    /// The newest entry, as REST shows it.
    static func newest(_ server: Harness) async throws -> JSONValue {
        try #require(try await server.call(.get, "/api/v1/audit?limit=1", key: server.admin).items.first)
    }

    private static func actor(_ key: String, _ server: Harness) async throws -> AuditActor {
        AuditActor(try #require(try await server.store.key(.hash(SecretHash(of: key)))?.api))
    }
}
