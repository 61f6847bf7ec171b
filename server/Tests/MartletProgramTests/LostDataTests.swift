import Crypto
import Foundation
import MartletTesting
import MartletWire
import Testing

/// A data directory of which a part is lost: nothing starts, nothing is made in its place, and it is said what to do.
@Suite struct LostDataTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var database: String { folder.file("martlet.sqlite") }

    /// A data directory with an app and its credential, in which a server ran.
    private func used() async throws {
        let server = try await ServerProcess(data: folder.path)
        let key = P256.Signing.PrivateKey().pemRepresentation
        let made = try await server.run(
            "apps",
            "create",
            "--from-env",
            environment: [
                "APNS_KEY_ID": "ABC123DEFG", "APNS_TEAM_ID": "TEAM123456", "APNS_BUNDLE_ID": "com.example.app",
                "APNS_PRIVATE_KEY_PATH": try folder.write(key, to: "key.p8"),
            ]
        )
        try #require(made.status == 0, "\(made.standardError)")
        #expect(try await server.stop().status == 0)
    }

    /// What a start says that does not come about.
    private func refusal(_ environment: [String: String] = [:]) async throws -> String {
        let arguments = ["serve", "--data", folder.path, "--port", "0"]
        let process = try ProgramProcess(arguments, environment: environment)
        let result = try await process.result(within: 60)
        #expect(result.status == 1, "\(result.standardError)")
        #expect(!result.standardOutput.contains("listening"))
        return result.standardError
    }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: folder.file(name), encoding: .utf8) }

    @Test("without the encryption key, or with another one, a server with secrets does not start; with it, it does")
    func lostEncryptionKey() async throws {
        try await used()
        let key = try #require(text("encryption.key"))
        let kept = folder.file("kept.key")
        try FileManager.default.moveItem(atPath: folder.file("encryption.key"), toPath: kept)
        #expect(try await refusal().contains("MARTLET_ENCRYPTION_KEY"))
        #expect(text("encryption.key") == nil, "none is made in its place")
        let other = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
        #expect(try await refusal(["MARTLET_ENCRYPTION_KEY": other]).contains("is not the one"))
        // As a version left it that started with another key, before the constant was there.
        try await RawCall.change(
            database,
            """
            INSERT INTO pauses SELECT app_id, platform, environment, 'CredentialSealed', 'x', 1 FROM credentials;
            DELETE FROM shared_values;
            """
        )
        #expect(try await refusal(["MARTLET_ENCRYPTION_KEY": other]).contains("is not the one"))
        #expect(try await refusal().contains("MARTLET_ENCRYPTION_KEY"))
        let environment = ["MARTLET_ENCRYPTION_KEY": key.trimmingCharacters(in: .whitespacesAndNewlines)]
        let server = try await ServerProcess(data: folder.path, environment: environment)
        let pauses = try await server.call("GET", "/apps/com.example.app/pauses")
        #expect(pauses == [], "queues that waited for the key go on")
        #expect(try await server.stop().status == 0)
    }

    @Test("when the encryption key is lost for good, what the guide says makes the server start with a new one")
    func startsWithANewKey() async throws {
        try await used()
        let guide = try String(contentsOfFile: Program.root + "/docs/operations.md", encoding: .utf8)
        let section = try #require(guide.range(of: "### When the encryption key is lost"))
        let found = try #require(guide[section.upperBound...].firstMatch(of: /sqlite3 martlet.sqlite "([^"]*)"/))
        try FileManager.default.removeItem(atPath: folder.file("encryption.key"))
        try await RawCall.change(database, String(found.1))
        let server = try await ServerProcess(data: folder.path)
        #expect(try await server.call("GET", "/apps/com.example.app/credentials") == [])
        #expect(text("encryption.key") != nil)
        #expect(try await server.stop().status == 0)
    }

    @Test("nor is one whose keys are kept elsewhere", arguments: [true, false])
    func lostDatabaseAlone(isEmptied: Bool) async throws {
        try await used()
        for name in ["admin.key", "encryption.key"] { try FileManager.default.removeItem(atPath: folder.file(name)) }
        if isEmptied {
            #expect(truncate(database, 0) == 0)
        } else {
            try FileManager.default.removeItem(atPath: database)
        }
        #expect(try await refusal().contains(isEmptied ? "is empty" : "is missing"))
        #expect(text("admin.key") == nil)
    }

    @Test("a database that is empty or gone beside its keys is not made anew", arguments: [true, false])
    func lostDatabase(isEmptied: Bool) async throws {
        try await used()
        let before = ["admin.key", "encryption.key"].map(text)
        if isEmptied {
            #expect(truncate(database, 0) == 0)
        } else {
            try FileManager.default.removeItem(atPath: database)
        }
        let word = isEmptied ? "empty" : "missing"
        #expect(try await refusal().contains("is \(word)"))
        let made = try await Program.run("keys", "create", "--admin", "--data", folder.path)
        #expect(made.status == 1 && made.standardError.contains("is \(word)"), "\(made.standardError)")
        let doctor = try await Program.run("doctor", "--data", folder.path, "--server", "http://127.0.0.1:1")
        #expect(doctor.status == 1 && doctor.standardOutput.contains("is \(word)"), "\(doctor.standardOutput)")
        #expect(["admin.key", "encryption.key"].map(text) == before)
        let size = try? FileManager.default.attributesOfItem(atPath: database)[.size] as? Int
        #expect(size == (isEmptied ? 0 : nil), "nothing was made")
    }

    @Test("of a database that was copied alone the log says that it may lack something; of others it does not")
    func copiedAlone() async throws {
        try await used()
        func log() async throws -> String {
            try await ServerProcess(data: folder.path).stop().standardError
        }
        #expect(try await !log().contains("was copied here"))
        try FileManager.default.removeItem(atPath: database + ".lock")
        #expect(try await log().contains("was copied here without its log"))
        #expect(try await !log().contains("was copied here"))
    }

    @Test("a database that a command made, or the first start, was not copied here", arguments: [true, false])
    func madeHere(byCommand: Bool) async throws {
        if byCommand {
            let made = try await Program.run("keys", "create", "--admin", "--data", folder.path)
            try #require(made.status == 0, "\(made.standardError)")
        }
        let log = try await ServerProcess(data: folder.path).stop().standardError
        #expect(!log.contains("was copied here"), "\(log)")
    }

    @Test("a database without keys beside an admin.key is refused, and the file stays")
    func emptiedKeys() async throws {
        try await used()
        let before = try #require(text("admin.key"))
        try await RawCall.change(database, "DELETE FROM api_keys;")
        #expect(try await refusal().contains("never overwritten"))
        #expect(text("admin.key") == before)
    }

    @Test("a file that is no database is refused")
    func damaged() async throws {
        try await used()
        let before = try #require(text("admin.key"))
        try Data(repeating: 7, count: 8_192).write(to: URL(filePath: database))
        #expect(try await refusal().contains("error"))
        #expect(text("admin.key") == before)
    }
}
