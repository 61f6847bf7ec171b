import Foundation
import MartletTesting
import MartletWire
import Testing

/// The console's operators and the audit log, on the command line.
@Suite struct OperatorCommandTests {
    @Test("an invitation is a whole link, made through the server or in its database, and opens the console's page")
    func invites() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let made = try await server.run("operators", "invite", "ann", "--role", "sender")
        #expect(made.status == 0, "\(made.standardError)")
        let link = made.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(link.hasPrefix(server.address + "/console/invitations/"), "\(link)")
        #expect(made.standardError.contains("once, until"))
        let beside = try await ProgramProcess(
            ["operators", "invite", "bea", "--role", "viewer", "--data", folder.path, "--json"]
        ).result()
        #expect(beside.status == 0, "\(beside.standardError)")
        let invitation = try JSONDecoder().decode(Item<InvitationResponse>.self, from: Data(beside.standardOutput.utf8))
        #expect(invitation.data.url == "http://127.0.0.1:8080/console/invitations/\(invitation.data.token)")
        let nobody = try await server.run("operators", "invite", "eve")
        #expect(nobody.status == 1 && nobody.standardError.contains("needs a role"), "\(nobody.standardError)")
        let wrong = try await server.run("operators", "invite", "eve", "--role", "owner")
        #expect(wrong.status == 64 && wrong.standardError.contains("viewer"), "\(wrong.standardError)")
        let log = try await server.run("audit", "--action", "operator.invite")
        let lines = log.standardOutput.split(separator: "\n")
        #expect(lines.contains { $0.contains("operator:bea") && $0.contains("system") }, "\(log.standardOutput)")
        #expect(lines.contains { $0.contains("operator:ann") && $0.contains("(key)") }, "\(log.standardOutput)")
        #expect(!log.standardOutput.contains(invitation.data.token))
    }

    @Test("what there is not is said, with the command that makes it")
    func unknown() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        #expect(try await server.run("operators").standardOutput.contains("martlet operators invite"))
        #expect(try await server.run("operators", "sessions").standardOutput.contains("Nobody is signed in."))
        for command in ["disable", "enable"] {
            let result = try await server.run("operators", command, "ann")
            #expect(result.status == 1 && result.standardError.contains("operators list"), "\(result.standardError)")
        }
        let role = try await server.run("operators", "role", "ann", "admin")
        #expect(role.status == 1 && role.standardError.contains("operators list"), "\(role.standardError)")
        let ended = try await server.run("operators", "end-session", "01890a5d-ac96-774b-bcce-b302099a8057")
        #expect(ended.status == 1 && ended.standardError.contains("[not_found]"), "\(ended.standardError)")
    }

    @Test("the audit log says who changed what, as a table and as JSON, and in pages")
    func audit() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        #expect(try await server.run("apps", "create", "com.example.app").status == 0)
        #expect(try await server.run("topics", "create", "news", "--app", "com.example.app").status == 0)
        let table = try await server.run("audit")
        #expect(table.standardOutput.contains("app.create") && table.standardOutput.contains("name: com.example.app"))
        let found = try await server.run("audit", "--app", "com.example.app", "--action", "topic.create", "--json")
        let list = try JSONDecoder().decode(List<AuditItem>.self, from: Data(found.standardOutput.utf8))
        #expect(list.data.map(\.action) == ["topic.create"] && list.data.map(\.actor.kind) == [.key])
        let first = try await server.run("audit", "-n", "1")
        #expect(first.standardOutput.contains("topic.create") && first.standardOutput.contains("--cursor"))
        #expect(!first.standardOutput.contains("app.create"))
        let wrong = try await server.run("audit", "--subject", "news")
        #expect(wrong.status == 1 && wrong.standardError.contains("category:news"), "\(wrong.standardError)")
        #expect(try await server.run("audit", "-n", "0").status == 64)
    }
}
