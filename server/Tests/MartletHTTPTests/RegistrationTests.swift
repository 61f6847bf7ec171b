import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("The SDK's registration")
struct TokenRegistrationTests {
    static let installation = "01890a5d-ac96-774b-bcce-b302099a8057"

    static func body(_ token: String = Harness.token, _ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(["installation_id": .string(installation), "token": .string(token)].merging(more) { $1 })
    }

    static func register(
        _ server: Harness,
        _ body: JSONValue,
        secret: String? = nil,
        userToken: String? = nil
    ) async throws -> Answer {
        var headers: [String: String] = [:]
        headers[HeaderName.installationSecret] = secret
        headers[HeaderName.userToken] = userToken
        return try await server.call(.post, "/api/v1/tokens", key: server.sdk, body, headers: headers)
    }

    @Test("returns a secret once, and later calls present it")
    func issuesSecret() async throws {
        try await Harness.run(isLive: true) { server in
            let first = try await Self.register(server, Self.body(Harness.token.uppercased(), ["user_id": "a"]))
            #expect(first.status == 201)
            let secret = try #require(first.data["installation_secret"].stringValue)
            #expect(first.data["user_id"] == "a")
            #expect(first.data["platform"] == "ios" && first.data["provider"] == "apns")
            let again = try await Self.register(server, Self.body(), secret: secret)
            #expect(again.status == 200)
            #expect(again.data["installation_secret"] == .null)
            #expect(again.data["endpoint_id"] == first.data["endpoint_id"])
            #expect(again.data["user_id"] == "a")
            let rotated = try await Self.register(server, Self.body("cd"), secret: secret)
            #expect(rotated.status == 200)
            let next = try #require(rotated.data["installation_secret"].stringValue)
            #expect(next != secret)
            // A copy of the installation has the first secret: it takes over no token, and nothing of this one.
            let copied = try await Self.register(server, Self.body("ab12"), secret: secret)
            #expect(copied.status == 401 && copied.code == "installation_secret_required")
            let without = try await Self.register(server, Self.body("ef"))
            #expect(without.status == 401)
            #expect(without.code == "installation_secret_required")
            #expect(without.field == "installation_id")
            let wrong = try await Self.register(server, Self.body("ef"), secret: "mi_wrong")
            #expect(wrong.status == 401)
            let logout = try await Self.register(server, Self.body("cd", ["user_id": .null]), secret: next)
            #expect(logout.data["user_id"] == .null)
            let endpoints = try await server.store.endpoints(server.app.row, user: nil, PageRequest()).items
            #expect(endpoints.map(\.token) == ["cd"])
            #expect(server.logs.text.allSatisfy { !$0.contains(secret) && !$0.contains(Harness.token) })
        }
    }

    @Test("what the person allowed is kept until it is said otherwise")
    func permission() async throws {
        try await Harness.run { server in
            let first = try await Self.register(server, Self.body(Harness.token, ["permission": "denied"]))
            let secret = try #require(first.data["installation_secret"].stringValue)
            func stored() async throws -> PermissionName? {
                let endpoints = try await server.store.endpoints(server.app.row, user: nil, PageRequest()).items
                return endpoints.first?.device.permission
            }
            #expect(try await stored() == .denied)
            _ = try await Self.register(server, Self.body(), secret: secret)
            #expect(try await stored() == .denied)
            _ = try await Self.register(server, Self.body(Harness.token, ["permission": "authorized"]), secret: secret)
            #expect(try await stored() == .authorized)
            let wrong = try await Self.register(server, Self.body(Harness.token, ["permission": "yes"]), secret: secret)
            #expect(wrong.status == 400 || wrong.status == 422)
        }
    }

    @Test("a lost answer is made good: the same token without a secret gets another one, until it was presented")
    func reissuesSecret() async throws {
        try await Harness.run { server in
            _ = try await Self.register(server, Self.body())
            let second = try await Self.register(server, Self.body())
            #expect(second.status == 200)
            let secret = try #require(second.data["installation_secret"].stringValue)
            #expect(try await Self.register(server, Self.body(), secret: secret).status == 200)
            #expect(try await Self.register(server, Self.body()).status == 401)
        }
    }

    @Test("in an asserted app the app's word is enough, and a user token must agree with it")
    func asserted() async throws {
        try await Harness.run { server in
            try await server.setIdentity("asserted")
            #expect(try await Self.register(server, Self.body("aa", ["user_id": "a"])).data["user_id"] == "a")
            let disagreeing = Self.body("aa", ["user_id": "a"])
            let other = try await Self.register(server, disagreeing, userToken: server.userToken("b"))
            #expect(other.status == 422)
            #expect(other.field == "user_id")
        }
    }

    @Test("in a signed app a user needs their token, and the subject is the user")
    func signed() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let before = try await server.contents()
            let bare = try await Self.register(server, Self.body("aa", ["user_id": "a"]))
            #expect(bare.status == 401)
            #expect(bare.field == "user_id")
            for token in [
                server.userToken("a", lifetime: -600), server.userToken("a", algorithm: "none"),
                server.userToken("a", algorithm: "RS256"), server.userToken("a", audience: "com.other"), "x",
            ] {
                let refused = try await Self.register(server, Self.body("aa"), userToken: token)
                #expect(refused.status == 401, "\(refused.text)")
                #expect(refused.code == "unauthorized")
                #expect(refused.field == HeaderName.userToken)
            }
            #expect(try await server.contents() == before)
            let named = try await Self.register(server, Self.body("aa"), userToken: server.userToken("a"))
            #expect(named.status == 201)
            #expect(named.data["user_id"] == "a")
            let nobody = try await server.call(
                .post,
                "/api/v1/tokens",
                key: server.sdk,
                ["installation_id": "01890a5d-ac96-774b-bcce-b302099a8058", "token": "bb"]
            )
            #expect(nobody.status == 201)
            #expect(nobody.data["user_id"] == .null)
        }
    }
}
