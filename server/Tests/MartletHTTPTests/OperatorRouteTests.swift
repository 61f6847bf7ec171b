import HTTPTypes
import MartletPipeline
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Operators and the audit log over REST")
struct OperatorRouteTests {
    static let path = "/api/v1/operators"

    @Test("an invitation is shown once, with a link where the server knows how it is reached")
    func invites() async throws {
        var settings = APISettings()
        settings.publicURL = "https://push.example.com"
        try await Harness.run(settings: settings) { server in
            let body: JSONValue = ["name": "Ann", "role": "sender"]
            let made = try await server.call(.post, "\(Self.path)/invitations", key: server.admin, body)
            #expect(made.status == 201, "\(made.text)")
            let token = try #require(made.data["token"].stringValue)
            #expect(made.data["url"].stringValue == "https://push.example.com/console/invitations/\(token)")
            #expect(made.data["expires_at"] == "2027-01-15T08:15:00.000Z")
            let service = OperatorService(store: server.store, clock: server.clock)
            #expect(try await service.invitation(token: token)?.role == .sender)
            let unnamed: JSONValue = ["name": " ", "role": "sender"]
            let refused = try await server.call(.post, "\(Self.path)/invitations", key: server.admin, unnamed)
            #expect(refused.field == "name")
        }
        try await Harness.run { server in
            let body: JSONValue = ["name": "Ann", "role": "sender"]
            let made = try await server.call(.post, "\(Self.path)/invitations", key: server.admin, body)
            #expect(made.data["url"] == .null)
        }
    }

    @Test("with the name of an operator who exists, and no role, the link is for a new password")
    func resets() async throws {
        try await Harness.run { server in
            let path = "\(Self.path)/invitations"
            let first = try await server.call(.post, path, key: server.admin, ["name": "Ann", "role": "sender"])
            #expect(first.data["is_password_reset"] == false)
            let token = try #require(first.data["token"].stringValue)
            let password = PasswordHash(ofNothing: .standard)
            let ann = try await server.store.redeemInvitation(SecretHash(of: token), password: password)
            let made = try await server.call(.post, path, key: server.admin, ["name": "ann"])
            #expect(made.status == 201 && made.data["is_password_reset"] == true, "\(made.text)")
            #expect(made.data["name"] == "Ann" && made.data["role"] == "sender")
            let other = try await server.call(.post, path, key: server.admin, ["name": "ann", "role": "admin"])
            #expect(other.status == 409 && other.field == "role")
            let nobody = try await server.call(.post, path, key: server.admin, ["name": "eve"])
            #expect(nobody.status == 422 && nobody.field == "role", "\(nobody.text)")
            let bound = try await Harness.key(.admin, app: server.app.row, in: server.store)
            for key in [bound, server.send, server.sdk] {
                #expect(try await server.call(.post, path, key: key, ["name": "ann"]).status == 403)
            }
            var change = OperatorChange()
            change.isDisabled = true
            _ = try await server.store.updateOperator(ann.id, change, by: .system)
            #expect(try await server.call(.post, path, key: server.admin, ["name": "ann"]).status == 409)
        }
    }

    @Test("operators are listed and changed, their sessions listed and ended, and the last admin stays")
    func operators() async throws {
        try await Harness.run { server in
            let things = try await ChangeThings(server)
            let listed = try await server.call(.get, Self.path, key: server.admin).items
            #expect(listed.map { $0["name"] } == ["ann"] && listed.map { $0["role"] } == ["viewer"])
            let sessions = try await server.call(.get, "\(Self.path)/sessions", key: server.admin).items
            #expect(sessions.map { $0["operator"] } == ["ann"])
            #expect(sessions.first?["address"] == "203.0.113.7")
            let one = things.path("\(Self.path)/{operator}")
            let promoted = try await server.call(.patch, one, key: server.admin, ["role": "admin"])
            #expect(promoted.data["role"] == "admin", "\(promoted.text)")
            #expect(try await server.call(.patch, one, key: server.admin, ["is_disabled": true]).status == 409)
            #expect(try await server.call(.patch, one, key: server.admin, ["role": "viewer"]).status == 409)
            let session = things.path("\(Self.path)/sessions/{session}")
            #expect(try await server.call(.delete, session, key: server.admin).status == 204)
            #expect(try await server.call(.delete, session, key: server.admin).status == 404)
            #expect(try await server.call(.get, "\(Self.path)/sessions", key: server.admin).items.isEmpty)
        }
    }

    @Test(
        "a key of one app sees neither operators nor the audit log",
        arguments: [path, "\(path)/sessions", "/api/v1/audit"]
    )
    func bound(path: String) async throws {
        try await Harness.run { server in
            let bound = try await Harness.key(.admin, app: server.app.row, in: server.store)
            #expect(try await server.call(.get, path, key: bound).status == 403)
            #expect(try await server.call(.get, path, key: server.send).status == 403)
            #expect(try await server.call(.get, path, key: server.admin).status == 200)
        }
    }

    @Test("changes are found by who, what and what of, and read in pages")
    func finds() async throws {
        try await Harness.run { server in
            let things = try await ChangeThings(server)
            func found(_ query: String) async throws -> [String?] {
                let answer = try await server.call(.get, "/api/v1/audit?\(query)", key: server.admin)
                #expect(answer.status == 200, "\(answer.text)")
                return answer.items.map { $0["action"].stringValue }
            }
            #expect(try await found("actor=ANN") == ["session.start", "operator.create"])
            #expect(try await found(things.path("actor={operator}")).count == 2)
            #expect(try await found("actor=system") == ["operator.invite"])
            let sender = try #require(try await server.store.key(.hash(SecretHash(of: server.send)))?.api)
            let bySender = try await found("actor=\(sender.id)")
            #expect(bySender == ["subscription.create", "topic.create"])
            #expect(try await found("action=topic.create&app=com.example.app") == ["topic.create"])
            #expect(try await found(things.path("subject=subscription:{subscription}")) == ["subscription.create"])
            let first = try await server.call(.get, "/api/v1/audit?limit=1", key: server.admin)
            let next = try #require(first.json["next"].stringValue)
            let second = try await server.call(.get, "/api/v1/audit?limit=1&cursor=\(next)", key: server.admin)
            #expect(second.items.count == 1 && second.items != first.items)
            for (query, field) in [("actor=nobody", "actor"), ("subject=app", "subject"), ("app=none", "app")] {
                #expect(try await server.call(.get, "/api/v1/audit?\(query)", key: server.admin).field == field)
            }
        }
    }
}
