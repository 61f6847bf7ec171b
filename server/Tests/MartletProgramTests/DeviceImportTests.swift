import Foundation
import MartletTesting
import Testing

/// `martlet devices import`.
@Suite struct DeviceImportTests {
    private struct Device: Decodable {
        var user_id: String
        var device_token: String
        var environment: String?
        var locale: String?
    }

    private struct List: Decodable {
        var data: [Device]
    }

    private struct Refused: Decodable {
        struct Detail: Decodable {
            var code: String
            var field: String?
        }

        var line: Int
        var error: Detail
    }

    private struct Counts: Decodable, Equatable {
        var registered: Int
        var updated: Int
        var refused: Int
    }

    private static let app = "com.example.app"

    private func serve(in folder: TemporaryFolder) async throws -> ServerProcess {
        let server = try await ServerProcess(data: folder.file("data"))
        try #require(try await server.run("apps", "create", Self.app).status == 0)
        return server
    }

    private func devices(on server: ServerProcess) async throws -> [Device] {
        let result = try await server.run("devices", "list", "--app", Self.app, "--limit", "1000", "--json")
        return try JSONDecoder().decode(List.self, from: Data(result.standardOutput.utf8)).data
    }

    @Test("fields are read as CSV says, whatever wrote the file")
    func reads() async throws {
        let folder = try TemporaryFolder()
        let server = try await serve(in: folder)
        // A byte order mark, CRLF, an empty line, names in capitals, and no line break at the end.
        let lines = [
            "\u{FEFF}Token, User ,locale,environment\r\n", "aa01,ann,ja-JP,production\r\n", "\r\n",
            "\"aa02\",\"smith, j\",,\n", "aa03,\"the \"\"best\"\"\",\"en-GB\",sandbox\r\n", " aa04 ,\" é \", ,\"\"",
        ]
        let text = lines.joined()
        let file = try folder.write(text, to: "devices.csv")
        let done = try await server.run("devices", "import", file, "--app", Self.app)
        #expect(done.status == 0, "\(done.standardOutput)\(done.standardError)")
        #expect(done.standardOutput == "Registered 4, updated 0, refused 0.\n")
        let found = try await devices(on: server)
        #expect(found.map(\.device_token) == ["aa01", "aa02", "aa03", "aa04"])
        #expect(found.map(\.user_id) == ["ann", "smith, j", #"the "best""#, "é"])
        #expect(found.map(\.locale) == ["ja-JP", nil, "en-GB", nil])
        #expect(found.map(\.environment) == ["production", nil, "sandbox", nil])
        let again = try await server.run("devices", "import", file, "--app", Self.app)
        #expect(again.status == 0 && again.standardOutput == "Registered 0, updated 4, refused 0.\n")
    }

    @Test("a line that is wrong is refused alone, with its number and why")
    func refusesLines() async throws {
        let folder = try TemporaryFolder()
        let server = try await serve(in: folder)
        let lines: [(text: String, code: String?, field: String?)] = [
            ("token,user_id,platform,app", nil, nil),
            ("aa01,ann,,", nil, nil),
            ("zz,ann,,", "invalid_value", "token"),
            ("aa02,,,", "malformed_request", "user_id"),
            ("aa03,ann,symbian,", "invalid_value", "platform"),
            ("aa04,ann,,com.example.other", "not_found", "app"),
            ("aa05,ann", "malformed_request", nil),
            ("aa06,ann,,,", "malformed_request", nil),
            (#""aa07,ann,,"#, "malformed_request", nil),
            (#"aa08,"ann"x,,"#, "malformed_request", nil),
            (#"aa09,a"nn,,"#, "malformed_request", nil),
            (String(repeating: "a", count: 20_000) + ",ann,,", "malformed_request", nil),
            ("", nil, nil),
            ("aa10,bob,ios,\(Self.app)", nil, nil),
        ]
        let file = try folder.write(lines.map(\.text).joined(separator: "\n"), to: "devices.csv")
        let done = try await server.run("devices", "import", file, "--app", Self.app, "--json")
        #expect(done.status == 1, "\(done.standardError)")
        let output = done.standardOutput.split(separator: "\n").map { Data($0.utf8) }
        let refused = try output.dropLast().map { try JSONDecoder().decode(Refused.self, from: $0) }
        let expected = lines.enumerated().filter { $0.element.code != nil }
        #expect(refused.map(\.line) == expected.map { $0.offset + 1 })
        #expect(refused.map(\.error.code) == expected.map(\.element.code))
        #expect(refused.map(\.error.field) == expected.map(\.element.field))
        let counts = try JSONDecoder().decode(Counts.self, from: try #require(output.last))
        #expect(counts == Counts(registered: 2, updated: 0, refused: expected.count))
        #expect(try await devices(on: server).map(\.device_token) == ["aa01", "aa10"])
        let shown = try await server.run("devices", "import", file, "--app", Self.app)
        #expect(shown.status == 1 && shown.standardOutput.contains("line 3: token: "), "\(shown.standardOutput)")
        #expect(shown.standardOutput.hasSuffix("Registered 0, updated 2, refused \(expected.count).\n"))
    }

    @Test("more than a thousand lines are several requests, also from standard input")
    func manyLines() async throws {
        let folder = try TemporaryFolder()
        let server = try await serve(in: folder)
        let lines = (0..<2_500).map { "\(String($0 + 0x1000, radix: 16)),u\($0)" }
        let input = (["token,user"] + lines).joined(separator: "\n") + "\n"
        let done = try await server.run("devices", "import", "-", "--app", Self.app, input: input)
        #expect(done.status == 0, "\(done.standardError)")
        #expect(done.standardOutput == "Registered 2500, updated 0, refused 0.\n")
    }

    @Test(
        "a first line that names no columns of devices is refused, and nothing is registered",
        arguments: [
            ("", "nothing"), ("aa01,ann\n", "'aa01'"), ("token\naa01\n", "'user_id'"), ("user\nann\n", "'token'"),
            ("token,user,user_id\n", "twice"), ("token;user\naa01;ann\n", "'token;user'"),
            ("token,\"user\n", "not closed"),
        ]
    )
    func refusesHeaders(_ text: String, _ word: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: "devices.csv")
        let arguments = ["devices", "import", file, "--server", "http://127.0.0.1:9", "--key", "mk_x"]
        let done = try await ProgramProcess(arguments).result()
        #expect(done.status == 64 && done.standardError.contains(word), "\(done.standardError)")
    }

    @Test("a server that does not answer stops the import at its line")
    func stops() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("token,user\naa01,ann\n", to: "devices.csv")
        let arguments = ["devices", "import", file, "--server", "http://127.0.0.1:9", "--key", "mk_x"]
        let done = try await ProgramProcess(arguments).result()
        #expect(done.status == 69 && done.standardError.contains("stopped at line 2"), "\(done.standardError)")
    }
}
