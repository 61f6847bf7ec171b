import Foundation
import MartletTesting
import Testing

/// What others make of the OpenAPI document of a running server.
@Suite struct OpenAPIToolTests {
    @Test("a client that openapi-python-client makes of it sends, lists and reads")
    func generatedClient() async throws {
        try await Self.run("generated_client", within: 180)
    }

    @Test("schemathesis finds no server error and nothing undocumented with any kind of key, half a minute with each")
    func conformance() async throws {
        try await Self.run("conformance", "30", within: 400)
    }

    /// Runs a program of `python/` against a fresh server.
    private static func run(_ name: String, _ arguments: String..., within seconds: Double) async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.file("data"))
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "python/\(name).py").path
        let program = try ProgramProcess(
            ["python3", "-B", "-W", "ignore", file, server.address, try server.key(), folder.path] + arguments,
            executable: "/usr/bin/env",
            environment: ["NO_PROXY": "127.0.0.1"]
        )
        let result = try await program.result(within: seconds)
        #expect(result.status == 0, "\(result.standardOutput.suffix(20_000))\(result.standardError.suffix(5_000))")
        let log = try await server.stop().standardError
        #expect(!log.contains("request failed"), "\(log.suffix(5_000))")
    }
}
