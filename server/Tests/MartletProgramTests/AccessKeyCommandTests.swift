import Foundation
import MartletTesting
import Testing

/// Keys for clients of the SNS interface, on the command line.
@Suite struct AccessKeyCommandTests {
    private struct Made: Decodable {
        var access_key_id: String
        var secret_access_key: String
    }

    @Test("an access key is shown once with the names of AWS's tools, listed without its secret, and revoked")
    func managesAccessKeys() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let made = try await server.run("keys", "create", "--sns", "--name", "worker", "--json")
        #expect(made.status == 0, "\(made.standardError)")
        let key = try JSONDecoder().decode(Made.self, from: Data(made.standardOutput.utf8))
        #expect(key.access_key_id.hasPrefix("MKIA") && key.access_key_id.count == 20)
        #expect(key.secret_access_key.count == 40)
        let shown = try await server.run("keys", "create", "--sns")
        #expect(shown.standardOutput.contains("access key id      MKIA"), "\(shown.standardOutput)")
        #expect(shown.standardOutput.contains("secret access key  "))
        let list = try await server.run("keys", "list", "--sns")
        #expect(list.standardOutput.contains(key.access_key_id) && list.standardOutput.contains("worker"))
        #expect(!list.standardOutput.contains(key.secret_access_key))
        #expect(try await server.run("keys", "revoke", key.access_key_id).status == 0)
        let again = try await server.run("keys", "revoke", key.access_key_id)
        #expect(again.status == 1 && again.standardError.contains("[not_found]"))
    }

    @Test("an access key may be limited to rules, which are shown, and a rule that is none is refused")
    func limitsAccessKeys() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let rules = ["publish:arn:aws:sns:us-east-1:123456789012:news", "get*,list*:*"]
        let made = try await server.run(
            "keys",
            "create",
            "--sns",
            "--name",
            "limited",
            "--allow",
            rules[0],
            "--allow",
            rules[1]
        )
        #expect(made.status == 0, "\(made.standardError)")
        #expect(made.standardOutput.contains("may do             \(rules[0]) \(rules[1])"), "\(made.standardOutput)")
        _ = try await server.run("keys", "create", "--sns", "--name", "free")
        let list = try await server.run("keys", "list", "--sns")
        let lines = list.standardOutput.split(separator: "\n")
        #expect(lines.contains { $0.contains("limited") && $0.contains("\(rules[0]) \(rules[1])") })
        #expect(lines.contains { $0.contains("free") && $0.contains("everything") })
        let wrong = try await server.run("keys", "create", "--sns", "--allow", "publsh:*")
        #expect(wrong.status == 1 && wrong.standardError.contains("publsh"), "\(wrong.standardError)")
        let other = try await ProgramProcess(["keys", "create", "--admin", "--allow", "*:*"]).result()
        #expect(other.status == 64 && other.standardError.contains("--sns"), "\(other.standardError)")
    }

    @Test("a key of either kind expires after a span or at a time, which the lists show, and never in the past")
    func expires() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let made = try await server.run("keys", "create", "--scope", "send", "--name", "brief", "--expires", "90d")
        #expect(made.status == 0 && made.standardError.contains("It expires at"), "\(made.standardError)")
        let dated = try await server.run("keys", "create", "--sns", "--name", "dated", "--expires", "2999-03-01")
        #expect(dated.standardOutput.contains("expires            2999-03-01T00:00:00.000Z"), "\(dated.standardOutput)")
        let list = try await server.run("keys", "list")
        #expect(list.standardOutput.contains("LAST USED") && list.standardOutput.contains("EXPIRES"))
        let json = try await server.run("keys", "list", "--json")
        #expect(json.standardOutput.contains("\"expires_at\""), "\(json.standardOutput)")
        #expect(try await server.run("keys", "list", "--sns").standardOutput.contains("2999-03-01T00:00:00.000Z"))
        for text in ["soon", "0d", "2001-01-01", "2001-01-01T00:00:00Z"] {
            let wrong = try await ProgramProcess(["keys", "create", "--admin", "--expires", text]).result()
            #expect(wrong.status == 64 && wrong.standardError.contains("--expires"), "\(wrong.standardError)")
        }
    }

    @Test(
        "an access key has neither scope nor app",
        arguments: [["--admin"], ["--scope", "send"], ["--app", "shop"]]
    )
    func refusesScopes(_ flags: [String]) async throws {
        let result = try await ProgramProcess(["keys", "create", "--sns"] + flags).result()
        #expect(result.status == 64 && result.standardError.contains("--sns"), "\(result.standardError)")
    }
}
