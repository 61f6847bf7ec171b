import HTTPTypes
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Apps over REST")
struct AppTests {
    static let path = "/api/v1/apps"

    @Test("are made with an identity whose secret is never shown, found by id and name, changed and deleted")
    func lifeOfAnApp() async throws {
        try await Harness.run { server in
            let body: JSONValue = [
                "name": "com.example.second",
                "identity": [
                    "mode": "signed", "issuer": "https://id.example.com", "audience": "second",
                    "secret": .string(Harness.userSecret),
                ],
            ]
            let made = try await server.call(.post, Self.path, key: server.admin, body)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.data["identity"]["verification"] == "secret")
            #expect(!made.text.contains(Harness.userSecret))
            let id = try #require(made.data["id"].stringValue)
            for name in [id, "com.example.second"] {
                let shown = try await server.call(.get, "\(Self.path)/\(name)", key: server.admin)
                #expect(shown.data == made.data)
            }
            let url = "https://id.example.com/jwks.json"
            let change: JSONValue = ["name": "renamed", "identity": ["jwks_url": .string(url), "audience": .null]]
            let changed = try await server.call(.patch, "\(Self.path)/\(id)", key: server.admin, change)
            #expect(changed.data["name"] == "renamed")
            #expect(
                changed.data["identity"] == [
                    "mode": "signed", "issuer": "https://id.example.com", "verification": "jwks_url",
                    "jwks_url": .string(url),
                ]
            )
            let kept = try await server.call(.patch, "\(Self.path)/\(id)", key: server.admin, [:])
            #expect(kept.data == changed.data)
            let taken: JSONValue = ["name": "com.example.app"]
            #expect(try await server.call(.patch, "\(Self.path)/\(id)", key: server.admin, taken).status == 409)
            #expect(try await server.call(.delete, "\(Self.path)/\(id)", key: server.admin).status == 204)
            #expect(try await server.call(.get, "\(Self.path)/\(id)", key: server.admin).status == 404)
        }
    }

    @Test("of the same issuer and audience there is one")
    func uniqueIdentity() async throws {
        try await Harness.run { server in
            try await server.setIdentity("asserted")
            let body: JSONValue = [
                "name": "second",
                "identity": ["issuer": .string(Harness.issuer), "audience": .string(Harness.audience)],
            ]
            let answer = try await server.call(.post, Self.path, key: server.admin, body)
            #expect(answer.status == 409)
            #expect(answer.code == "conflict")
        }
    }

    @Test("what their user tokens are checked with is cleared by null, unless user tokens are required")
    func clearsVerification() async throws {
        try await Harness.run { server in
            let path = "\(Self.path)/com.example.app"
            func change(_ identity: JSONValue) async throws -> Answer {
                try await server.call(.patch, path, key: server.admin, ["identity": identity])
            }
            try await server.setIdentity("asserted")
            let otherKind = try await change(["jwks_url": .null, "jwks": .null])
            #expect(otherKind.data["identity"]["verification"] == "secret", "\(otherKind.text)")
            #expect(try await change(["mode": "signed", "secret": .null]).field == "identity.mode")
            #expect(try await change(["mode": "signed"]).data["identity"]["verification"] == "secret")
            let cleared = try await change(["mode": "asserted", "secret": .null])
            #expect(cleared.status == 200, "\(cleared.text)")
            #expect(cleared.data["identity"]["verification"] == .null)
            let refused = try await server.call(.get, "/api/v1/devices", key: server.userToken("a"))
            #expect(refused.status == 401)
            let url: JSONValue = "https://id.example.com/jwks.json"
            #expect(try await change(["jwks_url": url, "secret": .null]).data["identity"]["jwks_url"] == url)
            #expect(try await change(["jwks_url": .null]).data["identity"]["verification"] == .null)
        }
    }

    @Test("a deleted one's keys are no longer good")
    func deletesKeys() async throws {
        try await Harness.run { server in
            let deleted = try await server.call(.delete, "\(Self.path)/com.example.app", key: server.admin)
            #expect(deleted.status == 204)
            let later = try await server.call(.get, "/api/v1/notifications", key: server.send)
            #expect(later.status == 401)
        }
    }
}
