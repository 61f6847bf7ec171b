import MartletCore
import MartletStore
import MartletTesting
import MartletWire
import Testing

@Suite("Access keys")
struct AccessKeyTests {
    @Test("one is made by REST, shown once, signs calls, and is refused at once when it is revoked")
    func lives() async throws {
        try await Harness.run { server in
            let (status, made) = try await server.rest(.POST, "/api/v1/access-keys", ["name": "worker"])
            #expect(status == 201)
            let data = try #require(made.objectValue?["data"]?.objectValue)
            let id = try #require(data["access_key_id"]?.stringValue)
            let secret = try #require(data["secret_access_key"]?.stringValue)
            #expect(id.hasPrefix("MKIA") && id.count == 20 && secret.count == 40)
            let (_, listed) = try await server.rest(.GET, "/api/v1/access-keys")
            #expect(listed.compact.contains(id) && !listed.compact.contains(secret))
            #expect(!listed.compact.contains("secret_access_key"))
            let stored = try #require(try await server.store.key(.accessKey(id))?.access)
            #expect(!String(decoding: stored.sealed, as: UTF8.self).contains(secret))

            var other = server
            other.key = Harness.Key(id: id, secret: secret)
            #expect(try await other.call("ListPlatformApplications").status == 200)
            other.key = Harness.Key(id: id, secret: secret + "x")
            #expect(try await other.call("ListPlatformApplications").error.code == "SignatureDoesNotMatch")
            other.key = Harness.Key(id: id, secret: secret)
            #expect(try await server.rest(.DELETE, "/api/v1/access-keys/\(id)").0 == 204)
            let refused = try await other.call("ListPlatformApplications")
            #expect(refused.status == 403 && refused.error.code == "InvalidClientTokenId")
            #expect(try await server.rest(.DELETE, "/api/v1/access-keys/\(id)").0 == 404)
        }
    }

    @Test(
        "one that has expired is refused as an unknown one, and who has its secret learns why; its last use is listed"
    )
    func expires() async throws {
        try await Harness.run { server in
            let end = server.clock.now() + .seconds(60)
            let body: JSONValue = ["name": "worker", "expires_at": .string(UTCTime(end).description)]
            let (status, made) = try await server.rest(.POST, "/api/v1/access-keys", body)
            #expect(status == 201)
            let data = try #require(made.objectValue?["data"]?.objectValue)
            let id = try #require(data["access_key_id"]?.stringValue)
            var other = server
            other.key = Harness.Key(id: id, secret: try #require(data["secret_access_key"]?.stringValue))
            // Twice: from the database, and from memory.
            for _ in 0..<2 { #expect(try await other.call("ListPlatformApplications").status == 200) }
            server.clock.advance(to: end)
            let refused = try await other.call("ListPlatformApplications")
            #expect(refused.status == 403 && refused.error.code == "InvalidClientTokenId")
            #expect(refused.body.contains("has expired"))
            other.key.secret += "x"
            let stranger = try await other.call("ListPlatformApplications")
            #expect(stranger.status == 403 && stranger.error.code == "InvalidClientTokenId")
            #expect(!stranger.body.contains("expired"))
        }
    }

    @Test("a key that is bound to one app makes, sees and revokes none")
    func isForTheWholeServer() async throws {
        try await Harness.run { server in
            let app = try await server.store.createApp(name: "shop", identity: Identity())
            let bound = Secret(prefix: "mk_admin_")
            _ = try await server.store.createKey(
                app: app.row,
                scope: .admin,
                name: "bound",
                prefix: "mk_",
                hash: bound.hash
            )
            var other = server
            other.admin = bound.text
            #expect(try await other.rest(.POST, "/api/v1/access-keys", ["name": "worker"]).0 == 403)
            #expect(try await other.rest(.GET, "/api/v1/access-keys").0 == 403)
            #expect(try await other.rest(.DELETE, "/api/v1/access-keys/\(server.key.id)").0 == 403)
            #expect(try await server.call("ListPlatformApplications").status == 200)
        }
    }
}
