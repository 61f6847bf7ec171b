import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Categories")
struct CategoryTests {
    static let path = "/api/v1/categories"
    static let ofApp = "?app=com.example.app"

    @Test("are made, listed by position, shown, changed and archived")
    func lives() async throws {
        try await Harness.run { server in
            let names: JSONValue = ["en": "Followers", "de": "Neue Freunde"]
            let more: [String: JSONValue] = [
                "names": names, "default": ["push": false], "required": ["inbox"], "bypass_quiet_hours": true,
            ]
            try await server.category("follow", more)
            try await server.category("comment", ["position": 0])
            let listed = try await server.call(.get, Self.path + Self.ofApp, key: server.admin)
            #expect(Set(listed.items.compactMap { $0["key"].stringValue }) == ["follow", "comment"])
            let shown = try await server.call(.get, "\(Self.path)/follow\(Self.ofApp)", key: server.admin)
            #expect(shown.data["names"] == names)
            #expect(shown.data["default"] == ["push": false])
            #expect(shown.data["required"] == ["inbox"])
            #expect(shown.data["bypass_quiet_hours"] == true && shown.data["exempt_from_caps"] == false)
            #expect(shown.data["app_id"].stringValue == server.app.id.description)
            let body: JSONValue = ["default": ["push": .null, "enabled": false], "exempt_from_caps": true]
            let changed = try await server.call(
                .patch,
                "\(Self.path)/follow\(Self.ofApp)",
                key: server.admin,
                body
            )
            #expect(changed.data["default"] == ["enabled": false], "\(changed.text)")
            #expect(changed.data["names"] == names)
            #expect(changed.data["exempt_from_caps"] == true)
            let path = "\(Self.path)/follow\(Self.ofApp)"
            #expect(try await server.call(.delete, path, key: server.admin).status == 204)
            #expect(try await server.call(.get, path, key: server.admin).data["is_archived"] == true)
            let back = try await server.call(.patch, path, key: server.admin, ["is_archived": false])
            #expect(back.data["is_archived"] == false)
        }
    }

    @Test("of another app, and ones that there are not, are 404")
    func staysInItsApp() async throws {
        try await Harness.run { server in
            try await server.category("follow")
            let other = try await server.store.createApp(name: "com.example.other", identity: Identity())
            let theirs = try await Harness.key(.admin, app: other.row, in: server.store)
            for answer in [
                try await server.call(.get, "\(Self.path)/none\(Self.ofApp)", key: server.admin),
                try await server.call(.get, "\(Self.path)/follow", key: theirs),
                try await server.call(.get, "\(Self.path)/follow\(Self.ofApp)", key: theirs),
                try await server.call(.delete, "\(Self.path)/follow\(Self.ofApp)", key: theirs),
                try await server.call(.patch, "\(Self.path)/follow\(Self.ofApp)", key: theirs, ["position": 1]),
            ] {
                #expect(answer.status == 404, "\(answer.text)")
            }
            #expect(try await server.call(.get, Self.path, key: theirs).items.isEmpty)
        }
    }

    static let bad: [BadCall] = [
        .init(.post, path, "{}", 400, "key"),
        .init(.post, path, #"{"key":""}"#, 422, "key"),
        .init(.post, path, #"{"key":"Follow"}"#, 422, "key"),
        .init(.post, path, #"{"key":"a/b"}"#, 422, "key"),
        .init(.post, path, #"{"key":"taken"}"#, 409, "key"),
        .init(.post, path, #"{"key":"a","names":{"en":""}}"#, 422, "names.en"),
        .init(.post, path, #"{"key":"a","names":{"en":7}}"#, 400, "names.en"),
        .init(.post, path, #"{"key":"a","required":["sms"]}"#, 422, "required[0]"),
        .init(.post, path, #"{"key":"a","default":{"sms":true}}"#, 400, "default.sms"),
        .init(.post, path, #"{"key":"a","position":-1}"#, 422, "position"),
        .init(.post, path, #"{"key":"a","digest":1}"#, 400, "digest"),
        .init(.patch, "\(path)/taken", #"{"key":"b"}"#, 400, "key"),
        .init(.patch, "\(path)/taken", #"{"is_archived":1}"#, 400, "is_archived"),
    ]

    @Test(
        "a digest is refused by its name, with the fields that there are, and nothing is made or changed",
        arguments: ["true", "null", #"{"window_seconds":3600}"#]
    )
    func refusesDigest(_ digest: String) async throws {
        try await Harness.run { server in
            try await server.category("comment")
            let before = try await server.store.categories(of: server.app.row)
            let key = try await Harness.key(.admin, app: server.app.row, in: server.store)
            for (method, path, body) in [
                (HTTPRequest.Method.post, Self.path, #"{"key":"follow","digest":\#(digest)}"#),
                (.patch, "\(Self.path)/comment", #"{"position":2,"digest":\#(digest)}"#),
            ] {
                let answer = try await server.call(method, path, key: key, text: body)
                #expect(answer.status == 400 && answer.code == "unknown_field", "\(answer.text)")
                #expect(answer.field == "digest")
                let hint = answer.json["error"]["hint"].stringValue ?? ""
                #expect(hint.contains("required") && !hint.contains("digest"), "\(hint)")
            }
            #expect(try await server.store.categories(of: server.app.row) == before)
        }
    }

    @Test("bad input names its field and writes nothing", arguments: bad)
    func refuses(_ bad: BadCall) async throws {
        try await Harness.run { server in
            try await server.category("taken")
            let key = try await Harness.key(.admin, app: server.app.row, in: server.store)
            let before = try await server.store.categories(of: server.app.row)
            let answer = try await server.call(bad.method, bad.path, key: key, text: bad.body)
            #expect(answer.status == bad.status, "\(answer.text)")
            #expect(answer.field == bad.field, "\(answer.text)")
            #expect(try await server.store.categories(of: server.app.row) == before)
        }
    }
}
