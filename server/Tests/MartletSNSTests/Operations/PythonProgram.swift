import Foundation
import MartletTesting
import Testing

/// Programs of Amazon's own client, run by the Python that there is.
enum PythonProgram {
    /// Whether this machine has the client.
    static let hasBoto3 = Python.has("boto3")

    /// Runs a program of `python/` to its end against a server; what fails there fails the test.
    ///
    /// - Parameter arguments: those behind the server's address, the access key id and its secret.
    /// - Returns: what it wrote.
    static func run(_ name: String, _ server: Harness, _ arguments: [String] = []) async throws -> Data {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "python/\(name).py").path
        let all = [file, server.url, server.key.id, server.key.secret] + arguments
        let result = try await process(all).result()
        let output = result.standardOutput + result.standardError
        try #require(result.status == 0, "\(output)")
        return Data(output.utf8)
    }

    /// Runs Python and waits for its end, on this thread.
    static func execute(_ arguments: [String]) throws -> (status: Int32, output: Data) {
        let result = try process(arguments).resultHere()
        return (result.status, Data((result.standardOutput + result.standardError).utf8))
    }

    private static func process(_ arguments: [String]) throws -> ProgramProcess {
        // Without compiled files in the folder of the programs, and without settings of the machine's user.
        try ProgramProcess(
            ["-B", "-W", "ignore"] + arguments,
            executable: "python3",
            environment: [
                "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
                "AWS_EC2_METADATA_DISABLED": "true",
            ]
        )
    }
}
