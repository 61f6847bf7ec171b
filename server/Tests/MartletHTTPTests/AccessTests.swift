import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Who may do what")
struct AccessTests {
    /// Every route that asks for a key, with its path filled in.
    static func closedRoutes(_ server: Harness) -> [Route] { server.api.routes.filter { $0.access != .open } }

    static func path(_ route: Route) -> String {
        route.path.replacing("{app}", with: "com.example.app").replacing("{user}", with: "a")
            .replacing("{platform}", with: "fcm").replacing("{environment}", with: "sandbox")
            .replacing("{id}", with: "01890a5d-ac96-774b-bcce-b302099a8057").replacing("{key}", with: "follow")
    }

    @Test("every route refuses a missing, a wrong, a revoked and a malformed credential")
    func refusesWithoutKey() async throws {
        try await Harness.run { server in
            let made = try await server.call(
                .post,
                "/api/v1/keys",
                key: server.admin,
                ["scope": "admin", "name": "short-lived"]
            )
            let revoked = try #require(made.data["key"].stringValue)
            let id = try #require(made.data["id"].stringValue)
            #expect(try await server.call(.delete, "/api/v1/keys/\(id)", key: server.admin).status == 204)
            let before = try await server.contents()
            for route in Self.closedRoutes(server) {
                for key in [nil, "mk_admin_wrong", revoked, "nonsense", "a.b.c"] {
                    let answer = try await server.call(route.method, Self.path(route), key: key)
                    #expect(answer.status == 401, "\(route.method) \(route.path) \(key ?? "none") \(answer.text)")
                    #expect(answer.code == "unauthorized")
                    #expect(answer.field == "Authorization")
                    #expect(answer.headers[.wwwAuthenticate] == "Bearer")
                }
                let basic = try await server.call(
                    route.method,
                    Self.path(route),
                    headers: ["Authorization": "Basic YTpi"]
                )
                #expect(basic.status == 401)
            }
            #expect(try await server.contents() == before)
        }
    }

    @Test("when the identity provider's keys cannot be had, no field of the request is blamed")
    func blamesNobody() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let identity: JSONValue = ["identity": ["jwks_url": "https://127.0.0.1/keys"]]
            _ = try await server.call(.patch, "/api/v1/apps/com.example.app", key: server.admin, identity)
            let token = server.userToken("a", algorithm: "RS256")
            let answer = try await server.call(.get, "/api/v1/devices", key: token)
            #expect(answer.status == 503)
            #expect(answer.code == "overloaded" && answer.field == nil, "\(answer.text)")
        }
    }

    @Test("each scope reaches its own routes and no others")
    func admitsByScope() async throws {
        try await Harness.run { server in
            let before = try await server.contents()
            for route in Self.closedRoutes(server) {
                for (key, scope) in [(server.admin, "admin"), (server.send, "send"), (server.sdk, "client")] {
                    let isAdmitted =
                        switch route.access {
                        case .open, .registration, .ingest, .postback: true
                        case .admin: scope == "admin"
                        case .send, .devices: scope != "client"
                        case .user: false
                        }
                    // A body that every document refuses, so that nothing happens where the key is let in.
                    let text = route.takes == nil ? nil : "[]"
                    if text == nil, route.method != .get, scope != "client" { continue }
                    let answer = try await server.call(route.method, Self.path(route), key: key, text: text)
                    #expect((answer.status != 403) == isAdmitted, "\(route.method) \(route.path) \(scope)")
                    // Of uploads the secret is asked for before the body.
                    #expect(answer.status != 401 || answer.code == "installation_secret_required")
                    if !isAdmitted { #expect(answer.code == "forbidden" && answer.field == "Authorization") }
                }
            }
            #expect(try await server.contents() == before)
        }
    }

    @Test("a key of one app sees nothing of another")
    func staysInItsApp() async throws {
        try await Harness.run { server in
            let made = try await server.call(.post, "/api/v1/apps", key: server.admin, ["name": "other"])
            let other = try #require(try await server.store.app(.name("other")))
            let theirs = try await Harness.key(.admin, app: other.row, in: server.store)
            let sent = try await server.call(
                .post,
                "/api/v1/notifications",
                key: server.send,
                ["audience": ["users": ["a"]], "title": "x"]
            )
            let id = try #require(sent.data["id"].stringValue)
            #expect(try await server.call(.get, "/api/v1/notifications/\(id)", key: server.send).status == 200)
            let paths = [
                "/api/v1/apps/com.example.app", "/api/v1/apps/\(server.app.id)",
                "/api/v1/apps/com.example.app/credentials", "/api/v1/notifications/\(id)",
                "/api/v1/notifications/\(id)/deliveries", "/api/v1/notifications/\(id)/suppressions",
                "/api/v1/devices?app=com.example.app", "/api/v1/users/a/endpoints?app=com.example.app",
                "/api/v1/notifications?app=com.example.app", "/api/v1/dead-letters?app=com.example.app",
                "/api/v1/keys?app=com.example.app", "/api/v1/doctor?app=com.example.app",
                "/api/v1/quarantine?app=com.example.app", "/api/v1/apps/com.example.app/breakers",
            ]
            for path in paths {
                let answer = try await server.call(.get, path, key: theirs)
                #expect(answer.status == 404, "\(path) \(answer.text)")
            }
            #expect(try await server.call(.delete, "/api/v1/notifications/\(id)", key: theirs).status == 404)
            #expect(try await server.call(.get, "/api/v1/notifications", key: theirs).items.isEmpty)
            #expect(
                try await server.call(.get, "/api/v1/apps", key: theirs).items.map { $0["id"] } == [made.data["id"]]
            )
            #expect(try await server.call(.post, "/api/v1/apps", key: theirs, ["name": "third"]).status == 403)
            let keys = try await server.store.keys(.api(app: server.app.row), PageRequest()).items.compactMap(\.api)
            for key in keys {
                #expect(try await server.call(.delete, "/api/v1/keys/\(key.id)", key: theirs).status == 404)
            }
            let named: JSONValue = ["app": "com.example.app", "audience": ["users": ["a"]], "title": "x"]
            #expect(try await server.call(.post, "/api/v1/notifications", key: theirs, named).status == 404)
        }
    }

    @Test("a client key is for one app, and every key is shown once")
    func makesKeys() async throws {
        try await Harness.run { server in
            let loose = try await server.call(
                .post,
                "/api/v1/keys",
                key: server.admin,
                ["scope": "client", "name": "a"]
            )
            #expect(loose.status == 422)
            #expect(loose.field == "app")
            let made = try await server.call(
                .post,
                "/api/v1/keys",
                key: server.admin,
                ["scope": "client", "name": "ios", "app": "com.example.app"]
            )
            #expect(made.status == 201)
            let key = try #require(made.data["key"].stringValue)
            #expect(key.hasPrefix("mk_client_"))
            #expect(made.data["app_id"].stringValue == server.app.id.description)
            let listed = try await server.call(.get, "/api/v1/keys?app=com.example.app", key: server.admin)
            #expect(listed.items.contains { $0["id"] == made.data["id"] })
            #expect(!listed.text.contains(key))
        }
    }

    @Test("with a key of all apps the app must be named")
    func namesTheApp() async throws {
        try await Harness.run { server in
            let body: JSONValue = ["audience": ["users": ["a"]], "title": "x"]
            let answer = try await server.call(.post, "/api/v1/notifications", key: server.admin, body)
            #expect(answer.status == 400)
            #expect(answer.field == "app")
            let named: JSONValue = [
                "app": .string(server.app.id.description), "audience": ["users": ["a"]], "title": "x",
            ]
            #expect(try await server.call(.post, "/api/v1/notifications", key: server.admin, named).status == 202)
        }
    }
}
