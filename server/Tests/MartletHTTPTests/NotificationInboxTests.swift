import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("What a notification asks of preferences and inboxes")
struct NotificationInboxTests {
    static let path = "/api/v1/notifications"

    private static func body(_ more: [String: JSONValue]) -> JSONValue {
        .object(["audience": ["users": ["ann"]], "title": "x"].merging(more) { $1 })
    }

    /// What a notification says, whether it leaves an item, and what that has of its own.
    private static let forms: [(more: [String: JSONValue], draft: InboxDraft?)] = [
        ([:], nil), (["category": "follow"], InboxDraft()), (["category": "follow", "inbox": false], nil),
        (["inbox": true], InboxDraft()), (["inbox": false], nil),
        (["inbox": ["key": "post:1"]], InboxDraft(key: "post:1")),
        (
            ["inbox": ["content": ["title": "y", "data": ["k": 1]]]],
            InboxDraft(content: Content(title: "y", data: ["k": 1]))
        ),
        // A push that only wakes the app or sets its badge is nothing to read.
        (["category": "follow", "title": "", "badge": 1], nil),
        (["category": "follow", "title": " ", "data": ["k": 1]], nil),
    ]

    @Test("an item is left where it is asked for, or else where there is a category", arguments: forms.indices)
    func leavesItem(_ index: Int) async throws {
        try await Harness.run { server in
            try await server.category("follow")
            let (more, draft) = Self.forms[index]
            let request = try DocumentDecoder.decode(NotificationRequest.self, from: Self.body(more))
            #expect(try InboxDraft(request) == draft)
            let sent = try await server.call(.post, Self.path, key: server.send, Self.body(more))
            #expect(sent.status == 202, "\(sent.text)")
        }
    }

    @Test("a category's notification leaves an item for who wants it, and is pushed to who wants that")
    func asksPeople() async throws {
        try await Harness.run { server in
            try await server.category("follow")
            for (user, token) in [("ann", "aa"), ("bob", "bb"), ("cid", "cc")] {
                try await server.device(of: user, token: token)
            }
            for (user, choice) in [("bob", "push"), ("cid", "enabled")] {
                let body: JSONValue = ["categories": ["follow": .object([choice: false])]]
                let path = "/api/v1/users/\(user)/preferences"
                #expect(try await server.call(.patch, path, key: server.send, body).status == 200)
            }
            let body: JSONValue = ["audience": ["users": ["ann", "bob", "cid"]], "title": "x", "category": "follow"]
            let sent = try await server.call(.post, Self.path, key: server.send, body)
            let id = try #require(sent.data["id"].stringValue)
            let shown = try await server.call(.get, "\(Self.path)/\(id)", key: server.send)
            #expect(shown.data["counts"]["pending"] == 1, "\(shown.text)")
            #expect(shown.data["counts"]["suppressed"] == 2)
            for (user, count) in [("ann", 1), ("bob", 1), ("cid", 0)] {
                let items = try await server.call(.get, "/api/v1/users/\(user)/inbox", key: server.send).items
                #expect(items.count == count, "\(user)")
                #expect(items.allSatisfy { $0["category"] == "follow" && $0["id"].stringValue == id })
            }
        }
    }

    @Test("an unknown and an archived category are refused, alone and among others, and nothing is written")
    func refusesCategories() async throws {
        try await Harness.run { server in
            for key in ["follow", "old"] { try await server.category(key) }
            let old = "/api/v1/categories/old?app=com.example.app"
            #expect(try await server.call(.delete, old, key: server.admin).status == 204)
            for key in ["none", "old"] {
                let body = Self.body(["category": .string(key)])
                let alone = try await server.call(.post, Self.path, key: server.send, body)
                #expect(alone.status == 422 && alone.field == "category", "\(alone.text)")
                let batch: JSONValue = ["notifications": [Self.body(["category": "follow"]), body]]
                let many = try await server.call(.post, "\(Self.path)/batch", key: server.send, batch)
                let receipts = many.data["receipts"].elements
                #expect(receipts.map { $0["error"]["field"].stringValue } == [nil, "notifications[1].category"])
            }
            #expect(try await server.contents()["notifications"] == 2)
        }
    }

    @Test("Apple's category is another field, and the badge may be a word")
    func words() throws {
        let body = Self.body(["action_category": "INVITE", "badge": "unseen"])
        try NotificationRequest.schema.check(body)
        let request = try DocumentDecoder.decode(NotificationRequest.self, from: body)
        let app = App(
            row: RowID(1),
            id: PublicID(high: 1, low: 1),
            name: "a",
            identity: Identity(),
            createdAt: .init(milliseconds: 0)
        )
        let submission = try Submission(request, app: app, now: Timestamp(milliseconds: 0))
        #expect(submission.content.actionCategory == "INVITE")
        #expect(submission.inboxBadge == .unseen && submission.content.badge == nil)
        #expect(submission.category == nil && submission.inbox == nil)
    }
}

@Suite("What a device says about itself")
struct InstallationTests {
    private static func path(_ id: String = TokenRegistrationTests.installation) -> String {
        "/api/v1/installations/\(id)"
    }

    /// Registers the device; its secret.
    private static func secret(_ server: Harness) async throws -> [String: String] {
        let made = try await TokenRegistrationTests.register(server, TokenRegistrationTests.body())
        return [HeaderName.installationSecret: try #require(made.data["installation_secret"].stringValue)]
    }

    @Test("is kept with its secret, and no registration switches pushes on again")
    func keeps() async throws {
        try await Harness.run { server in
            let headers = try await Self.secret(server)
            let body: JSONValue = [
                "push": false, "permission": "denied", "locale": "de-AT", "time_zone": "Europe/Vienna",
            ]
            let answer = try await server.call(.patch, Self.path(), key: server.sdk, body, headers: headers)
            #expect(answer.status == 204, "\(answer.text)")
            func endpoint() async throws -> Endpoint? {
                try await server.store.endpoints(server.app.row, user: nil, PageRequest()).items.first
            }
            let changed = try #require(try await endpoint())
            #expect(!changed.hasPush && !changed.isEnabled && changed.status == .enabled)
            #expect(changed.device.permission == .denied)
            #expect(changed.device.locale == "de-AT" && changed.device.timeZone == "Europe/Vienna")
            _ = try await server.call(
                .post,
                "/api/v1/tokens",
                key: server.sdk,
                TokenRegistrationTests.body(),
                headers: headers
            )
            #expect(try await endpoint()?.hasPush == false)
            let on = try await server.call(.patch, Self.path(), key: server.sdk, ["push": true], headers: headers)
            #expect(on.status == 204)
            #expect(try await endpoint()?.hasPush == true)
            #expect(try await endpoint()?.device.locale == "de-AT")
        }
    }

    @Test("is refused without the secret, with a wrong one, and with another installation's")
    func refuses() async throws {
        try await Harness.run { server in
            let headers = try await Self.secret(server)
            let off: JSONValue = ["push": false]
            let without = try await server.call(.patch, Self.path(), key: server.sdk, off)
            #expect(without.status == 401 && without.field == HeaderName.installationSecret, "\(without.text)")
            let wrong = [HeaderName.installationSecret: "mi_\(TokenRegistrationTests.installation)_wrong"]
            #expect(try await server.call(.patch, Self.path(), key: server.sdk, off, headers: wrong).status == 401)
            let other = Self.path("01890a5d-ac96-774b-bcce-b302099a8058")
            #expect(try await server.call(.patch, other, key: server.sdk, off, headers: headers).status == 404)
            let none = try await server.call(.patch, Self.path("x"), key: server.sdk, off, headers: headers)
            #expect(none.status == 404)
            let long = String(repeating: "x", count: 101)
            let bad: [(JSONValue, Int, String)] = [
                (["push": "no"], 400, "push"), (["permission": "maybe"], 422, "permission"),
                (["locale": .string(long)], 422, "locale"), (["time_zone": .string(long)], 422, "time_zone"),
                (["token": "aa"], 400, "token"),
            ]
            for (body, status, field) in bad {
                let answer = try await server.call(.patch, Self.path(), key: server.sdk, body, headers: headers)
                #expect(answer.status == status && answer.field == field, "\(answer.text)")
            }
            let endpoints = try await server.store.endpoints(server.app.row, user: nil, PageRequest()).items
            #expect(endpoints.map(\.hasPush) == [true])
        }
    }

    @Test("goes with its secret and not without; the same phone comes back as another installation, of nobody")
    func removes() async throws {
        try await Harness.run { server in
            let made = try await TokenRegistrationTests.register(
                server,
                TokenRegistrationTests.body(Harness.token, ["user_id": "ann"])
            )
            let headers = [HeaderName.installationSecret: try #require(made.data["installation_secret"].stringValue)]
            func count() async throws -> Int {
                try await server.store.endpoints(server.app.row, user: nil, PageRequest()).items.count
            }
            let other = "01890a5d-ac96-774b-bcce-b302099a8058"
            #expect(try await server.call(.delete, Self.path(), key: server.sdk).status == 401)
            #expect(try await server.call(.delete, Self.path(other), key: server.sdk, headers: headers).status == 404)
            #expect(try await count() == 1)
            let removed = try await server.call(.delete, Self.path(), key: server.sdk, headers: headers)
            #expect(removed.status == 204, "\(removed.text)")
            #expect(try await count() == 0)
            let again = try await server.call(.delete, Self.path(), key: server.sdk, headers: headers)
            #expect(again.status == 404 && again.code == "not_found", "\(again.text)")
            let body = TokenRegistrationTests.body(Harness.token, ["installation_id": .string(other)])
            let back = try await TokenRegistrationTests.register(server, body)
            #expect(back.data["user_id"] == .null && back.data["installation_secret"] != .null, "\(back.text)")
        }
    }

    @Test("sends itself a test, which reaches that device alone and is in its language")
    func testsItself() async throws {
        try await Harness.run { server in
            let devices = [
                (TokenRegistrationTests.installation, Harness.token, "en-GB", "Test notification"),
                ("01890a5d-ac96-774b-bcce-b302099a8058", "cd", "ja-JP", "テスト通知"),
            ]
            for (installation, token, locale, title) in devices {
                let said: [String: JSONValue] = [
                    "installation_id": .string(installation), "locale": .string(locale), "user_id": "ann",
                ]
                let made = try await TokenRegistrationTests.register(server, TokenRegistrationTests.body(token, said))
                let secret = try #require(made.data["installation_secret"].stringValue)
                let sent = try await server.call(
                    .post,
                    "\(Self.path(installation))/test",
                    key: server.sdk,
                    headers: [HeaderName.installationSecret: secret]
                )
                #expect(sent.status == 202 && sent.data["status"] == "sending", "\(sent.text)")
                let path = "\(NotificationInboxTests.path)/\(try #require(sent.data["id"].stringValue))"
                let shown = try await server.call(.get, path, key: server.send)
                #expect(shown.data["title"].stringValue == title && shown.data["class"] == "default", "\(shown.text)")
                #expect(shown.data["counts"]["pending"] == 1 && shown.data["audience"]["count"] == 1)
                let deliveries = try await server.call(.get, "\(path)/deliveries", key: server.send).items
                #expect(deliveries.map { $0["endpoint_id"] } == [made.data["endpoint_id"]])
            }
            #expect(try await server.call(.get, "/api/v1/users/ann/inbox", key: server.send).items.isEmpty)
        }
    }

    @Test("sends no test without its secret, with another's, while pushes to it are off, and once it is removed")
    func testIsRefused() async throws {
        try await Harness.run { server in
            let headers = try await Self.secret(server)
            func test(_ path: String, _ headers: [String: String]) async throws -> Answer {
                try await server.call(.post, "\(path)/test", key: server.sdk, headers: headers)
            }
            let without = try await test(Self.path(), [:])
            #expect(without.status == 401 && without.code == "installation_secret_required", "\(without.text)")
            #expect(try await test(Self.path("01890a5d-ac96-774b-bcce-b302099a8058"), headers).status == 404)
            for isOn in [false, true] {
                let body: JSONValue = ["push": .bool(isOn)]
                _ = try await server.call(.patch, Self.path(), key: server.sdk, body, headers: headers)
                let answer = try await test(Self.path(), headers)
                #expect(answer.status == (isOn ? 202 : 409), "\(answer.text)")
                #expect(answer.text.contains("device_off") != isOn)
            }
            #expect(try await server.contents()["notifications"] == 1)
            _ = try await server.call(.delete, Self.path(), key: server.sdk, headers: headers)
            #expect(try await test(Self.path(), headers).status == 404)
        }
    }
}
