import Foundation
import Testing

/// Programs that use boto3, run by the Python that there is.
enum Boto3 {
    /// Whether this machine has it.
    static let isInstalled = (try? run(["-c", "import boto3"]))?.status == 0

    private static let here = URL(filePath: #filePath).deletingLastPathComponent()

    /// Runs a program of the folder `python` against a server, and reads the JSON that it prints.
    static func run(_ program: String, _ server: Harness, _ arguments: [String] = []) async throws -> [String: Any] {
        let path = here.appending(path: "../python/\(program).py").standardizedFileURL.path
        let all = [path, server.url, server.key.id, server.key.secret] + arguments
        let (status, output) = try await withCheckedThrowingContinuation { continuation in
            // It waits for the process: not on a thread that the server needs.
            Thread.detachNewThread { continuation.resume(with: Result { try run(all) }) }
        }
        let text = String(decoding: output, as: UTF8.self)
        try #require(status == 0, "\(text)")
        return try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any], "\(text)")
    }

    private static func run(_ arguments: [String]) throws -> (status: Int32, output: Data) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-W", "ignore"] + arguments
        // Settings of the machine's user are not the test's.
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AWS_") }
        environment["AWS_CONFIG_FILE"] = "/dev/null"
        environment["AWS_SHARED_CREDENTIALS_FILE"] = "/dev/null"
        environment["AWS_EC2_METADATA_DISABLED"] = "true"
        process.environment = environment
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
