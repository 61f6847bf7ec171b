import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("What people can read later")
struct InboxTests {
    static let path = "/api/v1/inbox"

    private static func ids(_ answer: Answer) -> [String] { answer.items.compactMap { $0["id"].stringValue } }

    @Test("is listed newest first, counted, shown and marked by its person")
    func lives() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.device(of: "ann", token: "aa")
            let more: [String: JSONValue] = [
                "body": "b", "deep_link": "app://1", "data": ["k": 1], "badge": "unread",
            ]
            let first = try await server.item(for: "ann", "first", more)
            let second = try await server.item(
                for: "ann",
                "push",
                ["inbox": ["content": ["title": "second"], "expires_at": "2027-01-16T08:00:00Z"]]
            )
            let listed = try await server.own("ann", "inbox")
            #expect(Self.ids(listed) == [second, first], "\(listed.text)")
            #expect(listed.items.map { $0["title"] } == ["second", "first"])
            #expect(listed.items[0]["expires_at"] == "2027-01-16T08:00:00.000Z")
            #expect(listed.items[1]["body"] == "b" && listed.items[1]["deep_link"] == "app://1")
            #expect(listed.items[1]["data"] == ["k": 1])
            #expect(listed.items[1]["published_at"] == "2027-01-15T08:00:00.000Z")
            #expect(try await server.own("ann", "inbox/counts").data["unread"] == 2)
            let read = try await server.call(
                .patch,
                "\(Self.path)/\(first)",
                key: server.userToken("ann"),
                ["is_read": true]
            )
            #expect(read.data["is_read"] == true && read.data["is_seen"] == true, "\(read.text)")
            #expect(read.data["is_archived"] == false)
            let counts = try await server.own("ann", "inbox/counts").data
            #expect(counts["unread"] == 1 && counts["unseen"] == 1)
            #expect(Self.ids(try await server.own("ann", "inbox?status=unread")) == [second])
            #expect(Self.ids(try await server.own("ann", "inbox?status=read")) == [first])
            #expect(try await server.own("ann", "inbox/\(first)").data == read.data)
        }
    }

    @Test(
        "each mark says of an item what it says, and what follows from it",
        arguments: [
            (#"{"is_seen":true}"#, [true, false, false]), (#"{"is_read":true}"#, [true, true, false]),
            (#"{"is_archived":true}"#, [true, true, true]), (#"{"is_seen":false}"#, [false, false, false]),
            (#"{"is_read":false}"#, [true, false, false]), (#"{"is_archived":false}"#, [true, true, false]),
            (#"{"is_archived":false,"is_read":false}"#, [true, false, false]), ("{}", [true, true, true]),
        ]
    )
    func marks(_ body: String, _ expected: [Bool]) async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let token = server.userToken("ann")
            try await server.device(of: "ann", token: "aa")
            let path = "\(Self.path)/\(try await server.item(for: "ann"))"
            // What takes something back begins with an item of which all is true.
            if body.contains("false") || body == "{}" {
                _ = try await server.call(.patch, path, key: token, ["is_archived": true])
            }
            let answer = try await server.call(.patch, path, key: token, text: body)
            #expect(answer.status == 200, "\(answer.text)")
            let found = ["is_seen", "is_read", "is_archived"].map { answer.data[$0] }
            #expect(found == expected.map(JSONValue.bool), "\(answer.text)")
        }
    }

    @Test("several items are marked at once, and all up to the one that was seen")
    func acts() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.device(of: "ann", token: "aa")
            var ids: [JSONValue] = []
            for number in 0..<4 { ids.append(.string(try await server.item(for: "ann", "\(number)"))) }
            func act(_ body: JSONValue) async throws -> Answer {
                try await server.call(.post, "\(Self.path)/actions", key: server.userToken("ann"), body)
            }
            let two = try await act(["action": "read", "ids": [ids[0], ids[1]]])
            #expect(two.data["unread"] == 2, "\(two.text)")
            let back = try await act(["action": "unread", "ids": [ids[0]]])
            #expect(back.data["unread"] == 3)
            let all = try await act(["action": "archive", "all": true, "up_to": ids[2]])
            #expect(all.data["unread"] == 1, "\(all.text)")
            #expect(Self.ids(try await server.own("ann", "inbox")) == [ids[3].stringValue])
            #expect(try await server.own("ann", "inbox?status=archived").items.count == 3)
        }
    }

    @Test("pages have none twice and none missing while items arrive")
    func pages() async throws {
        try await Harness.run { server in
            try await server.device(of: "ann", token: "aa")
            var expected: [String] = []
            for number in 0..<20 { expected.insert(try await server.item(for: "ann", "\(number)"), at: 0) }
            let path = "/api/v1/users/ann/inbox?limit=3"
            var found: [String] = []
            var cursor: String?
            repeat {
                let page = try await server.call(
                    .get,
                    path + (cursor.map { "&cursor=\($0)" } ?? ""),
                    key: server.send
                )
                #expect(page.items.count <= 3)
                found += Self.ids(page)
                cursor = page.json["next"].stringValue
                for _ in 0..<4 { try await server.item(for: "ann", "new") }
            } while cursor != nil
            #expect(found == expected)
        }
    }

    /// Every path of a person's own, and those under which keys name them.
    static func calls(_ item: String) -> [(method: HTTPRequest.Method, path: String, body: String?)] {
        let action = #"{"action":"read","ids":["\#(item)"]}"#
        let parts: [(HTTPRequest.Method, String, String?)] = [
            (.get, "inbox", nil), (.get, "inbox/counts", nil), (.get, "inbox/\(item)", nil),
            (.patch, "inbox/\(item)", #"{"is_read":true}"#), (.post, "inbox/actions", action),
            (.get, "preferences", nil), (.patch, "preferences", #"{"master":{"push":false}}"#),
        ]
        return parts + [(.get, "inbox/stream", nil)]
    }

    @Test("nobody gets in with another app's, an expired, a forged or an unsigned token, or a key in an app")
    func keepsOut() async throws {
        try await Harness.run { server in
            try await server.setIdentity("asserted")
            try await server.device(of: "ann", token: "aa")
            let item = try await server.item(for: "ann")
            let tokens = [
                server.userToken("ann", lifetime: -600), server.userToken("ann", algorithm: "none"),
                server.userToken("ann", audience: "com.other"), String(server.userToken("ann").dropLast(2)), "x.y.z",
            ]
            for call in Self.calls(item) {
                for token in tokens {
                    let path = "/api/v1/\(call.path)"
                    let answer = try await server.call(call.method, path, key: token, text: call.body)
                    #expect(answer.status == 401, "\(call.path) \(answer.text)")
                }
                let own = try await server.call(call.method, "/api/v1/\(call.path)", key: server.sdk, text: call.body)
                #expect(own.status == 403 && own.field == "Authorization", "\(call.path) \(own.text)")
                guard call.path != "inbox/stream" else { continue }
                let named = "/api/v1/users/ann/\(call.path)"
                let client = try await server.call(call.method, named, key: server.sdk, text: call.body)
                #expect(client.status == 403, "\(call.path) \(client.text)")
                let user = try await server.call(call.method, named, key: server.userToken("ann"), text: call.body)
                #expect(user.status == 403, "\(call.path) \(user.text)")
            }
            #expect(try await server.own("ann", "inbox/counts").data["unread"] == 1)
            #expect(try await server.own("ann", "preferences").data["revision"] == 0)
        }
    }

    @Test("another user's and another app's items are 404, and stay as they are")
    func staysItsPersons() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            for (user, token) in [("ann", "aa"), ("bob", "bb")] { try await server.device(of: user, token: token) }
            let item = try await server.item(for: "ann")
            let other = try await server.store.createApp(name: "com.example.other", identity: Identity())
            let theirs = try await Harness.key(.send, app: other.row, in: server.store)
            let bob = server.userToken("bob")
            let mark: JSONValue = ["is_read": true]
            for answer in [
                try await server.call(.get, "\(Self.path)/\(item)", key: bob),
                try await server.call(.patch, "\(Self.path)/\(item)", key: bob, mark),
                try await server.call(.get, "\(Self.path)/\(server.app.id)", key: bob),
                try await server.call(.get, "\(Self.path)/nonsense", key: bob),
                try await server.call(.get, "/api/v1/users/ann/inbox/\(item)", key: theirs),
                try await server.call(.patch, "/api/v1/users/ann/inbox/\(item)", key: theirs, mark),
                try await server.call(.get, "/api/v1/users/ann/inbox?app=com.example.app", key: theirs),
                try await server.call(.get, "/api/v1/users/ann/preferences?app=com.example.app", key: theirs),
                try await server.call(.post, "/api/v1/notifications/\(item)/recall", key: theirs),
            ] {
                #expect(answer.status == 404 && answer.code == "not_found", "\(answer.text)")
            }
            #expect(try await server.own("bob", "inbox").items.isEmpty)
            #expect(try await server.call(.get, "/api/v1/users/ann/inbox", key: theirs).items.isEmpty)
            #expect(try await server.own("ann", "inbox/counts").data["unread"] == 1)
        }
    }

    @Test("a recalled item is nobody's any more")
    func recalls() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.device(of: "ann", token: "aa")
            let item = try await server.item(for: "ann")
            let answer = try await server.call(.post, "/api/v1/notifications/\(item)/recall", key: server.send)
            #expect(answer.status == 200 && answer.data["id"].stringValue == item, "\(answer.text)")
            #expect(answer.data["status"] == "cancelled")
            #expect(try await server.own("ann", "inbox").items.isEmpty)
            #expect(try await server.own("ann", "inbox/\(item)").status == 404)
            #expect(try await server.own("ann", "inbox/counts").data["unread"] == 0)
            let none = try await server.call(.post, "/api/v1/notifications/\(server.app.id)/recall", key: server.send)
            #expect(none.status == 404)
        }
    }

    @Test("a user has forty requests at once and then ten a second, others theirs, and keys as many as they like")
    func quota() async throws {
        var settings = APISettings()
        // One an hour, so that none comes back while the test is at work.
        settings.quotas.inboxRequests = Quota(perHour: 1)
        try await Harness.run(settings: settings) { server in
            try await server.setIdentity("signed")
            #expect(try await server.own("ann", "inbox").status == 200)
            let refused = try await server.own("ann", "inbox/counts")
            #expect(refused.status == 429 && refused.code == "too_many_requests", "\(refused.text)")
            #expect(refused.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 3_000)
            #expect(try await server.own("bob", "inbox").status == 200)
            #expect(try await server.own("ann", "preferences").status == 200)
            for _ in 0..<3 {
                #expect(try await server.call(.get, "/api/v1/users/ann/inbox", key: server.send).status == 200)
            }
        }
        #expect(QuotaSettings().inboxRequests == Quota(perSecond: 10, seconds: 4))
    }

    private static let id = "01890a5d-ac96-774b-bcce-b302099a8057"

    static let bad: [BadCall] = [
        .init(.get, "\(path)?status=old", "", 422, "status"),
        .init(.get, "\(path)?category=none", "", 422, "category"),
        .init(.get, "\(path)?limit=101", "", 422, "limit"),
        .init(.get, "\(path)?limit=0", "", 422, "limit"),
        .init(.get, "\(path)?cursor=x", "", 422, "cursor"),
        .init(.get, "\(path)?user=bob", "", 400, "user"),
        .init(.get, "/api/v1/users/%07/inbox", "", 422, "user"),
        .init(.patch, "\(path)/\(id)", #"{"is_read":1}"#, 400, "is_read"),
        .init(.patch, "\(path)/\(id)", #"{"read":true}"#, 400, "read"),
        .init(.patch, "\(path)/\(id)", #"{"is_read":true,"is_seen":false}"#, 422, "is_read"),
        .init(.patch, "\(path)/\(id)", #"{"is_archived":true,"is_read":false}"#, 422, "is_archived"),
        .init(.post, "\(path)/actions", "{}", 400, "action"),
        .init(.post, "\(path)/actions", #"{"action":"eat"}"#, 422, "action"),
        .init(.post, "\(path)/actions", #"{"action":"read"}"#, 422, "ids"),
        .init(.post, "\(path)/actions", #"{"action":"read","ids":[]}"#, 422, "ids"),
        .init(.post, "\(path)/actions", #"{"action":"read","ids":["x"]}"#, 422, "ids[0]"),
        .init(.post, "\(path)/actions", #"{"action":"read","all":true}"#, 422, "up_to"),
        .init(.post, "\(path)/actions", #"{"action":"unread","all":true,"up_to":"\#(id)"}"#, 422, "action"),
        .init(.post, "\(path)/actions", #"{"action":"read","ids":["\#(id)"],"up_to":"\#(id)"}"#, 422, "up_to"),
        .init(.post, "\(path)/actions", #"{"action":"read","ids":["\#(id)"],"all":true,"up_to":"\#(id)"}"#, 422, "ids"),
        .init(.post, "\(path)/actions", #"{"action":"read","ids":["\#(id)"],"category":"a"}"#, 422, "category"),
        .init(
            .post,
            "\(path)/actions",
            #"{"action":"read","ids":["# + Array(repeating: "\"\(id)\"", count: 101).joined(separator: ",") + "]}",
            422,
            "ids"
        ),
    ]

    @Test("bad input names its field and changes nothing", arguments: bad)
    func refuses(_ bad: BadCall) async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.category("a")
            let key = bad.path.contains("/users/") ? server.send : server.userToken("ann")
            let answer = try await server.call(
                bad.method,
                bad.path,
                key: key,
                text: bad.body.isEmpty ? nil : bad.body
            )
            #expect(answer.status == bad.status, "\(answer.text)")
            #expect(answer.field == bad.field, "\(answer.text)")
        }
    }
}
