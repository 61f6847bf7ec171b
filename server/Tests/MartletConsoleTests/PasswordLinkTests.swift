import HTTPTypes
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("A link to set a new password") struct PasswordLinkTests {
    private static let new = "another horse battery"

    private func operatorID(_ name: String, _ harness: Harness) async throws -> PublicID {
        try #require(try await harness.store.operator(.name(name))).id
    }

    private func link(_ answer: Visitor.Answer) throws -> String {
        String(try #require(answer.text.firstMatch(of: /\/invitations\/[\w-]{22}/)?.0))
    }

    @Test("an admin makes it; who opens it sets the password once, is signed in, and has no other session")
    func works() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let vic = try await harness.visitor(.viewer, named: "vic")
            let id = try await operatorID("vic", harness)
            #expect(try await admin.get("/operators").text.contains("/operators/\(id)/password-link"))
            let made = try await admin.post("/operators/\(id)/password-link")
            #expect(made.status == 200 && made.headers[.cacheControl] == "no-store")
            let path = try link(made)
            #expect(try await harness.stranger.get(path).text.contains("A new password for vic"))
            #expect(try await vic.get("/account").status == 200, "the session goes on until the link is used")
            for (first, second) in [("short", "short"), (Self.new, "something else entirely")] {
                let refused = try await harness.stranger.post(path, ["password": first, "again": second])
                #expect(refused.status == 422 && refused.cookie == nil)
            }
            let set = try await harness.stranger.post(path, ["password": Self.new, "again": Self.new])
            #expect(set.status == 303 && set.cookie != nil)
            #expect(try await vic.get("/account").status == 303)
            let known = try #require(try await harness.store.operator(.name("vic")))
            #expect(known.id == id && known.role == .viewer)
            #expect(try await harness.store.sessions(.of(known.row), PageRequest()).items.count == 1)
            let again = try await harness.stranger.post(path, ["password": Self.new, "again": Self.new])
            #expect(again.status == 404 && again.cookie == nil)
            for (password, isRight) in [(Harness.password, false), (Self.new, true)] {
                let signedIn = try await harness.stranger.post("/sign-in", ["name": "vic", "password": password])
                #expect((signedIn.cookie != nil) == isRight)
            }
        }
    }

    @Test("the audit log says who made it and who used it, and neither link nor password")
    func audited() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin, named: "ann")
            _ = try await harness.visitor(.sender, named: "bob")
            let id = try await operatorID("bob", harness)
            let path = try link(try await admin.post("/operators/\(id)/password-link"))
            _ = try await harness.stranger.post(path, ["password": Self.new, "again": Self.new])
            let entries = try await harness.store.auditEntries(AuditFilter(), PageRequest()).items.prefix(3)
            #expect(
                entries.map(\.action.rawValue) == ["session.start", "operator.update", "operator.reset_password"]
            )
            #expect(entries.map(\.actor.name) == ["bob", "bob", "ann"])
            #expect(entries.dropFirst().allSatisfy { $0.subject == AuditSubject("operator", id.description) })
            let token = String(path.split(separator: "/").last ?? "")
            #expect(!"\(entries)".contains(token) && !"\(entries)".contains(Self.new))
            #expect(try await admin.get("/audit?action=operator.reset_password").text.contains("ann"))
        }
    }

    @Test("a viewer and a sender cannot make one, for nobody", arguments: [OperatorRole.viewer, .sender])
    func refused(role: OperatorRole) async throws {
        try await Harness.run { harness in
            _ = try await harness.visitor(.admin, named: "ann")
            let visitor = try await harness.visitor(role, named: "vic")
            for name in ["ann", "vic"] {
                let path = "/operators/\(try await operatorID(name, harness))/password-link"
                let answer = try await visitor.post(path)
                #expect(answer.status == 403 && !answer.text.contains("/invitations/"))
            }
            let stranger = try await harness.stranger.post("/operators/\(operatorID("ann", harness))/password-link")
            #expect(stranger.status != 200 && !stranger.text.contains("/invitations/"))
            let entries = try await harness.store.auditEntries(AuditFilter(), PageRequest()).items
            #expect(!entries.contains { $0.action == .resetPassword })
        }
    }

    @Test("who is disabled gets none, and one from before is over, as it is after a quarter of an hour")
    func over() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            _ = try await harness.visitor(.viewer, named: "vic")
            let id = try await operatorID("vic", harness)
            let form: KeyValuePairs = ["password": Self.new, "again": Self.new]
            let late = try link(try await admin.post("/operators/\(id)/password-link"))
            harness.clock.advance(by: Invitation.lifetime)
            #expect(try await harness.stranger.get(late).status == 404)
            #expect(try await harness.stranger.post(late, form).status == 404)
            let path = try link(try await admin.post("/operators/\(id)/password-link"))
            #expect(try await admin.post("/operators/\(id)", ["disabled": "yes"]).status == 303)
            #expect(try await harness.stranger.post(path, form).status == 404)
            let refused = try await admin.post("/operators/\(id)/password-link")
            #expect(refused.status == 409 && !refused.text.contains("/invitations/"))
            #expect(try await !admin.get("/operators").text.contains("/operators/\(id)/password-link"))
            #expect(try await admin.post("/operators/01890a5d-ac96-774b-bcce-b302099a8057/password-link").status == 404)
        }
    }

    @Test("an invitation for an operator's name is such a link, and for another role it is refused")
    func invitation() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            _ = try await harness.visitor(.viewer, named: "vic")
            let made = try await admin.post("/operators", ["name": "VIC", "role": "viewer"])
            #expect(made.status == 200 && made.text.contains("A new password for vic"))
            #expect(try await harness.stranger.get(link(made)).text.contains("A new password for vic"))
            let refused = try await admin.post("/operators", ["name": "vic", "role": "admin"])
            #expect(refused.status == 409 && !refused.text.contains("/invitations/"))
            #expect(try await harness.store.operator(.name("vic"))?.role == .viewer)
        }
    }

    @Test("its page is in Japanese too")
    func japanese() async throws {
        try await Harness.run { harness in
            _ = try await harness.visitor(.viewer, named: "vic")
            let made = try await harness.operators.invite("vic", as: nil, by: .system)
            var reader = harness.stranger
            reader.headers = [.acceptLanguage: "ja"]
            #expect(try await reader.get("/invitations/\(made.token)").text.contains("vic さんの新しいパスワード"))
        }
    }
}
