import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("What people want")
struct PreferenceTests {
    static let path = "/api/v1/preferences"

    /// One category and what somebody chose, and what comes of it on both channels.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var category: [String: JSONValue] = [:]
        var master: JSONValue = [:]
        var choice: JSONValue = [:]
        var push: (isOn: Bool, source: String)
        var inbox: (isOn: Bool, source: String)
    }

    static let cases: [Case] = [
        Case(testDescription: "nothing is said", push: (true, "system"), inbox: (true, "system")),
        Case(
            testDescription: "the default is off",
            category: ["default": ["enabled": false]],
            push: (false, "category"),
            inbox: (false, "category")
        ),
        Case(
            testDescription: "a channel's default is off",
            category: ["default": ["push": false]],
            push: (false, "category"),
            inbox: (true, "system")
        ),
        Case(
            testDescription: "somebody opts in",
            category: ["default": ["enabled": false]],
            choice: ["enabled": true],
            push: (true, "user"),
            inbox: (true, "user")
        ),
        Case(
            testDescription: "somebody switches the category off",
            choice: ["enabled": false],
            push: (false, "user"),
            inbox: (false, "user")
        ),
        Case(
            testDescription: "somebody switches its pushes off",
            choice: ["push": false],
            push: (false, "user"),
            inbox: (true, "system")
        ),
        Case(
            testDescription: "the master is off, and a category does not override it",
            master: ["enabled": false],
            choice: ["push": true],
            push: (false, "master"),
            inbox: (false, "master")
        ),
        Case(
            testDescription: "the master's pushes are off",
            master: ["push": false],
            choice: ["enabled": true],
            push: (false, "master"),
            inbox: (true, "user")
        ),
        Case(
            testDescription: "a required channel stays on",
            category: ["required": ["push"]],
            master: ["enabled": false],
            choice: ["enabled": false],
            push: (true, "required"),
            inbox: (false, "master")
        ),
    ]

    @Test("has an effective value and what says so", arguments: cases)
    func decides(_ one: Case) async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.category("follow", one.category)
            let body: JSONValue = ["master": one.master, "categories": ["follow": one.choice]]
            let changed = try await server.call(.patch, Self.path, key: server.userToken("ann"), body)
            #expect(changed.status == 200, "\(changed.text)")
            let shown = try await server.own("ann", "preferences")
            #expect(shown.data == changed.data)
            let found = try #require(shown.data["categories"].elements.first)
            #expect(found["choice"] == one.choice)
            #expect(shown.data["master"] == one.master)
            for (channel, expected) in [("push", one.push), ("inbox", one.inbox)] {
                #expect(found[channel]["is_on"] == .bool(expected.isOn), "\(channel) \(shown.text)")
                #expect(found[channel]["source"].stringValue == expected.source, "\(channel) \(shown.text)")
            }
        }
    }

    @Test("is merged by field, null takes the default again, and the master touches no category")
    func merges() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.category("follow")
            func patch(_ body: JSONValue) async throws -> JSONValue {
                try await server.call(.patch, Self.path, key: server.userToken("ann"), body).data
            }
            _ = try await patch(["categories": ["follow": ["push": false, "inbox": true]]])
            let off = try await patch(["master": ["enabled": false]])
            #expect(off["categories"].elements[0]["choice"] == ["push": false, "inbox": true])
            let on = try await patch(["master": ["enabled": .null], "categories": ["follow": ["push": .null]]])
            #expect(on["master"] == [:])
            #expect(on["categories"].elements[0]["choice"] == ["inbox": true])
            #expect(on["categories"].elements[0]["push"]["is_on"] == true)
        }
    }

    @Test("is changed on a revision where one is sent")
    func comparesRevision() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let token = server.userToken("ann")
            func patch(_ match: String?) async throws -> Answer {
                var headers: [String: String] = [:]
                headers["If-Match"] = match
                let body: JSONValue = ["master": ["push": .bool(match == nil)]]
                return try await server.call(.patch, Self.path, key: token, body, headers: headers)
            }
            let first = try await patch(nil)
            let revision = try #require(first.data["revision"].integerValue)
            #expect(first.header("ETag") == "\"\(revision)\"")
            let second = try await patch("\"\(revision)\"")
            #expect(second.status == 200, "\(second.text)")
            let stale = try await patch("\(revision)")
            #expect(stale.status == 409 && stale.code == "conflict", "\(stale.text)")
            #expect(stale.field == "If-Match")
            #expect(try await server.own("ann", "preferences").data == second.data)
            for text in ["x", "\"\"", "-1", "99999999999999999999"] {
                #expect(try await patch(text).field == "If-Match", "\(text)")
            }
        }
    }

    @Test("two clients that change other fields keep both changes, and the history replays to what there is")
    func keepsBoth() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            for key in ["a", "b"] { try await server.category(key) }
            let token = server.userToken("ann")
            let foreign = "/api/v1/users/ann/preferences"
            for round in 0..<25 {
                let value = JSONValue.bool(round % 2 == 0)
                async let own = server.call(.patch, Self.path, key: token, ["categories": ["a": ["push": value]]])
                async let other = server.call(
                    .patch,
                    foreign,
                    key: server.send,
                    ["categories": ["a": ["inbox": value], "b": ["push": value]]]
                )
                let statuses = [try await own.status, try await other.status]
                #expect(statuses == [200, 200])
                let now = try await server.own("ann", "preferences").data["categories"].elements
                #expect(now.map { $0["choice"] } == [["push": value, "inbox": value], ["push": value]])
            }
            let history = try await server.call(.get, "\(foreign)/history?limit=1000", key: server.send).items
            var replayed: [String: JSONValue] = [:]
            for change in history.reversed() {
                let key = change["category"].stringValue ?? ""
                #expect(replayed[key] ?? [:] == change["before"])
                replayed[key] = change["after"]
            }
            #expect(replayed == ["a": ["push": true, "inbox": true], "b": ["push": true]])
            #expect(Set(history.compactMap { $0["actor"].stringValue }) == ["user", "test"])
        }
    }

    @Test("many people's changes have receipts by position, and one that is wrong stops no other")
    func batch() async throws {
        try await Harness.run { server in
            try await server.category("follow")
            let off: JSONValue = ["follow": ["enabled": false]]
            let users: [JSONValue] = [
                ["user_id": "ann", "categories": off], ["user_id": ""], ["user_id": "bob", "sms": true], 7,
                ["user_id": "cid", "categories": ["folow": ["push": true]]],
                ["user_id": "bob", "master": ["push": false]],
            ]
            let path = "\(Self.path)/batch"
            let answer = try await server.call(.post, path, key: server.send, ["users": .array(users)])
            #expect(answer.status == 200, "\(answer.text)")
            let receipts = answer.data["receipts"].elements
            let fields = receipts.map { $0["error"]["field"].stringValue }
            #expect(
                fields == [nil, "users[1].user_id", "users[2].sms", "users[3]", "users[4].categories.folow", nil],
                "\(answer.text)"
            )
            #expect(receipts.map { $0["revision"] != .null } == [true, false, false, false, false, true])
            let bob = try await server.call(.get, "/api/v1/users/bob/preferences", key: server.send)
            #expect(bob.data["master"] == ["push": false])
            for users in [[], Array(repeating: users[0], count: 1_001)] {
                let refused = try await server.call(.post, path, key: server.send, ["users": .array(users)])
                #expect(refused.status == 422 && refused.field == "users")
            }
        }
    }

    static let bad: [BadCall] = [
        .init(.patch, path, "[]", 400, nil),
        .init(.patch, path, #"{"categories":{"none":{"push":true}}}"#, 422, "categories.none"),
        .init(.patch, path, #"{"categories":{"old":{"push":true}}}"#, 422, "categories.old"),
        .init(.patch, path, #"{"categories":{"follow":{"push":1}}}"#, 400, "categories.follow.push"),
        .init(.patch, path, #"{"categories":{"follow":{"sms":true}}}"#, 400, "categories.follow.sms"),
        .init(.patch, path, #"{"categories":{"follow":null}}"#, 400, "categories.follow"),
        .init(.patch, path, #"{"master":true}"#, 400, "master"),
        .init(.patch, path, #"{"quiet_hours":{}}"#, 400, "quiet_hours"),
        .init(.patch, "\(path)?app=x", "{}", 400, "app"),
    ]

    @Test("bad input names its field and writes nothing", arguments: bad)
    func refuses(_ bad: BadCall) async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            for key in ["follow", "old"] { try await server.category(key) }
            let old = "/api/v1/categories/old?app=com.example.app"
            #expect(try await server.call(.delete, old, key: server.admin).status == 204)
            let answer = try await server.call(bad.method, bad.path, key: server.userToken("ann"), text: bad.body)
            #expect(answer.status == bad.status, "\(answer.text)")
            #expect(answer.field == bad.field, "\(answer.text)")
            #expect(try await server.own("ann", "preferences").data["revision"] == 0)
        }
    }

    @Test("an erased user has chosen, read and changed nothing; one that there is not is 404")
    func erases() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.device(of: "ann", token: "aa")
            try await server.item(for: "ann")
            _ = try await server.call(.patch, Self.path, key: server.userToken("ann"), ["master": ["push": false]])
            let user = "/api/v1/users/ann"
            #expect(try await server.call(.delete, user, key: server.userToken("ann")).status == 403)
            #expect(try await server.call(.delete, user, key: server.sdk).status == 403)
            #expect(try await server.call(.delete, user, key: server.send).status == 204)
            #expect(try await server.own("ann", "preferences").data["master"] == [:])
            #expect(try await server.own("ann", "inbox").items.isEmpty)
            #expect(try await server.own("ann", "inbox/counts").data["unread"] == 0)
            #expect(try await server.call(.get, "\(user)/preferences/history", key: server.send).items.isEmpty)
            #expect(try await server.call(.delete, "/api/v1/users/nobody", key: server.send).status == 404)
        }
    }
}
