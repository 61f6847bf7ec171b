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
        #expect(beside.standardError.contains("http://127.0.0.1:8080 is assumed"), "\(beside.standardError)")
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

    @Test("a session is ended by its id, and an operator's role and state are changed by their name")
    func changes() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let invited = try await server.run("operators", "invite", "ann", "--role", "sender")
        #expect(invited.standardError.contains("makes ann a sender"), "\(invited.standardError)")
        #expect(try await Self.signIn(by: invited.standardOutput, to: server) == 303)
        let list = try await server.run("operators", "sessions", "--json")
        let sessions = try JSONDecoder().decode(List<OperatorSessionItem>.self, from: Data(list.standardOutput.utf8))
        #expect(sessions.data.map(\.operatorName) == ["ann"])
        let session = try #require(sessions.data.first)
        let ended = try await server.run("operators", "end-session", session.id.description)
        #expect(ended.status == 0, "\(ended.standardError)")
        #expect(ended.standardOutput == "Ended \(session.id).\n")
        #expect(try await server.run("operators", "sessions").standardOutput.contains("Nobody is signed in."))
        let changes: [([String], OperatorRole, isDisabled: Bool)] = [
            (["role", "ann", "viewer"], .viewer, false), (["disable", "Ann"], .viewer, true),
            (["enable", "ann"], .viewer, false),
        ]
        for (arguments, role, isDisabled) in changes {
            let process = try ProgramProcess(["operators"] + arguments + ["--json"], environment: server.environment)
            let result = try await process.result()
            #expect(result.status == 0, "\(arguments): \(result.standardError)")
            let changed = try JSONDecoder().decode(Item<OperatorResponse>.self, from: Data(result.standardOutput.utf8))
            #expect(changed.data.name == "ann" && changed.data.role == role, "\(arguments)")
            #expect(changed.data.isDisabled == isDisabled, "\(arguments)")
        }
        let disabled = try await server.run("operators", "disable", "ann")
        #expect(disabled.standardOutput.contains("disabled"), "\(disabled.standardOutput)")
        #expect(try await server.run("operators").standardOutput.contains("disabled"))
    }

    /// Redeems an invitation as a browser does; the status of the answer.
    private static func signIn(by link: String, to server: ServerProcess) async throws -> Int {
        let path = URL(string: link.trimmingCharacters(in: .whitespacesAndNewlines))?.path ?? ""
        let form = "password=a-password-of-a-test&again=a-password-of-a-test"
        let answer = try await RawCall.send(
            """
            POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\
            Content-Length: \(form.utf8.count)\r\nConnection: close\r\n\r\n\(form)
            """,
            to: server
        )
        return RawCall.status(of: answer)
    }

    @Test("the first operator is invited before the server's first start, and the command says that it made a database")
    func invitesBeforeTheFirstStart() async throws {
        let folder = try TemporaryFolder()
        let data = folder.file("new")
        let nobody = try await Program.run("operators", "invite", "ann", "--data", data)
        #expect(
            nobody.status == 64 && nobody.standardError.contains("no database in \(data)"),
            "\(nobody.standardError)"
        )
        #expect(!FileManager.default.fileExists(atPath: data), "nothing was made")
        let made = try await Program.run("operators", "invite", "ann", "--role", "admin", "--data", data)
        #expect(made.status == 0 && made.standardError.contains("makes ann an admin"), "\(made.standardError)")
        #expect(made.standardError.contains("no database in \(data): a new one was made"), "\(made.standardError)")
        let again = try await Program.run("operators", "invite", "bea", "--role", "viewer", "--data", data)
        #expect(again.status == 0 && !again.standardError.contains("a new one was made"), "\(again.standardError)")
        let server = try await ServerProcess(data: data)
        #expect(try await Self.signIn(by: made.standardOutput, to: server) == 303)
        let key = try await Program.run("keys", "create", "--admin", "--data", folder.file("other"))
        #expect(key.status == 0 && key.standardError.contains("a new one was made"), "\(key.standardError)")
    }

    @Test(
        "a link that is made in the database says which address it assumed, unless a setting names one",
        arguments: [
            ([:], "http://127.0.0.1:8080", true), (["MARTLET_HOST": "10.0.0.7"], "http://10.0.0.7:8080", true),
            (["MARTLET_PORT": "0"], "http://127.0.0.1:0", true),
            (["MARTLET_PORT": "9090"], "http://127.0.0.1:9090", false),
            (["MARTLET_SNS_PUBLIC_URL": "https://push.example.com"], "https://push.example.com", false),
        ] as [([String: String], String, Bool)]
    )
    func saysTheAddress(settings: [String: String], address: String, isAssumed: Bool) async throws {
        let folder = try TemporaryFolder()
        let arguments = ["operators", "invite", "ann", "--role", "admin", "--data", folder.path]
        let made = try await ProgramProcess(arguments, environment: settings).result()
        #expect(made.status == 0, "\(made.standardError)")
        #expect(made.standardOutput.hasPrefix(address + "/console/invitations/"), "\(made.standardOutput)")
        let note = "The address \(address) is assumed."
        #expect(made.standardError.contains(note) == isAssumed, "\(made.standardError)")
        #expect(made.standardError.contains("MARTLET_PORT") == isAssumed, "\(made.standardError)")
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
