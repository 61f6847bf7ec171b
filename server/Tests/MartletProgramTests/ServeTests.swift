import Foundation
import MartletTesting
import Testing

/// `martlet serve` as a process.
@Suite struct ServeTests {
    @Test("the first start makes keys that only the owner can read, and prints none of them")
    func makesKeys() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.file("data"))
        for name in ["admin.key", "encryption.key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: server.data + "/" + name)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
        let folderMode = try FileManager.default.attributesOfItem(atPath: server.data)[.posixPermissions] as? NSNumber
        #expect(folderMode?.intValue == 0o700)
        let key = try String(contentsOfFile: server.data + "/admin.key", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(key.hasPrefix("mk_admin_"))
        let apps = try await server.run("apps", "list")
        #expect(apps.status == 0, "\(apps.standardError)")
        let result = try await server.stop()
        #expect(result.standardError.contains("admin.key"))
        #expect(!result.standardError.contains(key) && !result.standardOutput.contains(key))
    }

    @Test("a second start keeps the keys")
    func keepsKeys() async throws {
        let folder = try TemporaryFolder()
        let first = try await ServerProcess(data: folder.path)
        let key = try String(contentsOfFile: first.data + "/admin.key", encoding: .utf8)
        #expect(try await first.run("apps", "create", "com.example.app").status == 0)
        #expect(try await first.stop().status == 0)
        let second = try await ServerProcess(data: folder.path)
        #expect(try String(contentsOfFile: second.data + "/admin.key", encoding: .utf8) == key)
        let apps = try await second.run("apps", "list")
        #expect(apps.standardOutput.contains("com.example.app"))
    }

    @Test("SIGTERM and SIGINT end it with 0 within ten seconds", arguments: [SIGTERM, SIGINT])
    func endsOnSignals(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        server.process.send(signal: signal)
        let result = try await server.process.result(within: 10)
        #expect(result.status == 0)
        #expect(result.standardError.contains("shutting down"))
    }

    @Test("two servers do not share a data directory")
    func refusesASecondServer() async throws {
        let folder = try TemporaryFolder()
        let first = try await ServerProcess(data: folder.path)
        let second = try await Program.run("serve", "--data", folder.path, "--port", "0")
        #expect(second.status == 1)
        #expect(second.standardError.contains("Another server is using the database"))
        #expect(try await first.stop().status == 0)
    }

    @Test("settings come from flags, then the environment, then the file")
    func ordersSettings() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("log:\n  format: json\n  level: info\nport: 70000\n", to: "martlet.yaml")
        let server = try await ServerProcess(
            data: folder.file("data"),
            arguments: ["--config", file],
            environment: ["MARTLET_LOG_LEVEL": "notice", "MARTLET_DATA": folder.file("not-this")]
        )
        let result = try await server.stop()
        let lines = result.standardError.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("{") }, "the file's format")
        #expect(!lines.contains { $0.contains("\"level\":\"info\"") }, "the environment's level")
        #expect(!FileManager.default.fileExists(atPath: folder.file("not-this")), "the flag's directory")
    }

    @Test(
        "a setting without a proper value is named and nothing starts",
        arguments: [
            ("port: 70000\n", [:], "port"), ("log:\n  level: loud\n", [:], "log.level"),
            ("", ["MARTLET_BATCHES": "0"], "batches"), ("", ["MARTLET_RETENTION_CLAIMS": "x"], "retention.claims"),
            ("", ["MARTLET_ENCRYPTION_KEY": "short"], "encryption key"),
        ] as [(String, [String: String], String)]
    )
    func namesBadSettings(file: String, environment: [String: String], name: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(file + "\nhost: 127.0.0.1\n", to: "martlet.yaml")
        let arguments = ["serve", "--config", path, "--data", folder.file("data")]
        let result = try await ProgramProcess(arguments, environment: environment).result()
        #expect(result.status != 0)
        #expect(result.standardError.contains(name), "\(result.standardError)")
        #expect(!result.standardOutput.contains("listening"))
    }

    @Test("a file that is not there, or is not YAML, is named")
    func namesBadFiles() async throws {
        let folder = try TemporaryFolder()
        let broken = try folder.write("port: [1\n", to: "broken.yaml")
        for path in [folder.file("missing.yaml"), broken] {
            let result = try await Program.run("serve", "--config", path, "--data", folder.file("data"))
            #expect(result.status == 64)
            #expect(result.standardError.contains(path))
        }
    }
}
