import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("A user's devices")
struct DeviceTests {
    static let path = "/api/v1/devices"

    @Test("are registered with the user's token alone, in the seed's form")
    func registers() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let made = try await server.call(.post, Self.path, key: server.userToken("rider"), ["token": "AB01"])
            #expect(made.status == 201, "\(made.text)")
            #expect(made.data["user_id"] == "rider")
            #expect(made.data["device_token"] == "ab01")
            #expect(made.data["platform"] == "ios" && made.data["provider"] == "apns")
            #expect(made.data["is_active"] == true)
            #expect(made.data["created_at"] == "2027-01-15T08:00:00.000Z")
            server.clock.advance(by: .seconds(60))
            let again = try await server.call(
                .post,
                Self.path,
                key: server.userToken("rider"),
                ["token": "ab01", "platform": "ios"]
            )
            #expect(again.status == 200)
            #expect(again.data["id"] == made.data["id"])
            #expect(again.data["last_seen_at"] == "2027-01-15T08:01:00.000Z")
        }
    }

    @Test("a token seen under another user moves to them")
    func moves() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let first = try await server.call(.post, Self.path, key: server.userToken("a"), ["token": "aa"])
            let second = try await server.call(.post, Self.path, key: server.userToken("b"), ["token": "aa"])
            #expect(second.status == 200)
            #expect(second.data["user_id"] == "b")
            let id = try #require(first.data["id"].stringValue)
            #expect(try await server.call(.get, "\(Self.path)/\(id)", key: server.userToken("a")).status == 404)
            #expect(try await server.call(.get, Self.path, key: server.userToken("a")).items.isEmpty)
            #expect(try await server.call(.get, Self.path, key: server.userToken("b")).items.count == 1)
        }
    }

    @Test("of another user cannot be seen, changed or removed: 404, and they stay as they are")
    func rowLevelAccess() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let mine = try await server.call(.post, Self.path, key: server.userToken("a"), ["token": "aa"])
            let path = "\(Self.path)/\(try #require(mine.data["id"].stringValue))"
            let stranger = server.userToken("b")
            for answer in [
                try await server.call(.get, path, key: stranger),
                try await server.call(.patch, path, key: stranger, ["is_active": false]),
                try await server.call(.delete, path, key: stranger),
                try await server.call(.get, "\(Self.path)/\(server.app.id)", key: stranger),
                try await server.call(.get, "\(Self.path)/nonsense", key: stranger),
            ] {
                #expect(answer.status == 404)
                #expect(answer.code == "not_found")
            }
            #expect(try await server.call(.get, "\(Self.path)?user_id=a", key: stranger).items.isEmpty)
            let said: JSONValue = ["token": "bb", "user_id": "a"]
            #expect(try await server.call(.post, Self.path, key: stranger, said).status == 422)
            let seen = try await server.call(.get, path, key: server.userToken("a"))
            #expect(seen.data == mine.data)
        }
    }

    @Test("two user ids that look the same and have other bytes are two users")
    func comparesBytes() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
            let owner = server.userToken(composed)
            let made = try await server.call(.post, Self.path, key: owner, ["token": "aa"])
            let path = "\(Self.path)/\(try #require(made.data["id"].stringValue))"
            #expect(try await server.call(.get, path, key: server.userToken(decomposed)).status == 404)
            #expect(try await server.call(.delete, path, key: server.userToken(decomposed)).status == 404)
            let other = JSONValue.string(decomposed)
            #expect(try await server.call(.patch, path, key: owner, ["user_id": other]).field == "user_id")
            let said: JSONValue = ["token": "bb", "user_id": other]
            #expect(try await server.call(.post, Self.path, key: owner, said).field == "user_id")
            let registered = try await server.call(
                .post,
                "/api/v1/tokens",
                key: server.sdk,
                ["installation_id": "01890a5d-ac96-774b-bcce-b302099a8057", "token": "cc", "user_id": other],
                headers: [HeaderName.userToken: owner]
            )
            #expect(registered.field == "user_id", "\(registered.text)")
            let both: JSONValue = ["audience": ["users": [.string(composed), other]], "title": "x"]
            let sent = try await server.call(.post, "/api/v1/notifications", key: server.send, both)
            let id = try #require(sent.data["id"].stringValue)
            let shown = try await server.call(.get, "/api/v1/notifications/\(id)", key: server.send)
            #expect(shown.data["audience"]["count"] == 2)
        }
    }

    @Test("can be switched off, on, described, given up and removed by their user")
    func changes() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let token = server.userToken("a")
            let made = try await server.call(.post, Self.path, key: token, ["token": "aa"])
            let path = "\(Self.path)/\(try #require(made.data["id"].stringValue))"
            let off = try await server.call(.patch, path, key: token, ["is_active": false, "locale": "ja-JP"])
            #expect(off.data["is_active"] == false)
            #expect(off.data["inactive_reason"] == "device_off" && off.data["inactive_reason_code"] == "device_off")
            #expect(off.data["locale"] == "ja-JP")
            #expect(try await server.call(.patch, path, key: token, ["is_active": true]).data["is_active"] == true)
            #expect(try await server.call(.patch, path, key: token, ["user_id": "b"]).field == "user_id")
            #expect(try await server.call(.delete, path, key: token).status == 204)
            #expect(try await server.call(.get, path, key: token).status == 404)
            #expect(try await server.call(.delete, path, key: token).status == 404)
        }
    }

    @Test("the token's issuer and audience select the app, and a bad token is refused")
    func refusesTokens() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let before = try await server.contents()
            for token in [
                server.userToken("a", lifetime: -600), server.userToken("a", algorithm: "none"),
                server.userToken("a", algorithm: "HS512"), server.userToken("a", audience: "com.other"),
                String(server.userToken("a").dropLast(2)), "x.y.z",
            ] {
                let answer = try await server.call(.post, Self.path, key: token, ["token": "aa"])
                #expect(answer.status == 401, "\(answer.text)")
                #expect(answer.code == "unauthorized")
                #expect(answer.field == "Authorization")
                #expect(!answer.text.contains(token))
            }
            #expect(try await server.contents() == before)
        }
    }

    @Test("a server key says whose they are, and lists a user's endpoints")
    func serverKeys() async throws {
        try await Harness.run { server in
            let unsaid = try await server.call(.post, Self.path, key: server.send, ["token": "aa"])
            #expect(unsaid.status == 400)
            #expect(unsaid.field == "user_id")
            for (token, user) in [("aa", "a/b"), ("bb", "a/b"), ("cc", "c")] {
                let body: JSONValue = ["token": .string(token), "user_id": .string(user)]
                #expect(try await server.call(.post, Self.path, key: server.send, body).status == 201)
            }
            let listed = try await server.call(.get, "/api/v1/users/a%2Fb/endpoints", key: server.send)
            #expect(listed.items.map { $0["device_token"] } == ["aa", "bb"])
            let id = try #require(listed.items[0]["id"].stringValue)
            #expect(try await server.call(.get, "/api/v1/endpoints/\(id)", key: server.send).data == listed.items[0])
            let moved = try await server.call(.patch, "\(Self.path)/\(id)", key: server.send, ["user_id": "c"])
            #expect(moved.data["user_id"] == "c")
            #expect(try await server.call(.delete, "/api/v1/endpoints/\(id)", key: server.send).status == 204)
            #expect(try await server.call(.get, "\(Self.path)?user_id=c", key: server.send).items.count == 1)
            let all = try await server.call(.get, "\(Self.path)?app=com.example.app", key: server.admin)
            #expect(all.items.count == 2)
        }
    }
}
