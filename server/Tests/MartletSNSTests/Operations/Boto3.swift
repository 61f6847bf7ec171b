import Foundation
import Testing

/// Programs that use boto3, run by the Python that there is.
enum Boto3 {
    /// The Python that has boto3: the system's, or the one of `scripts/install-packages`.
    static let python: String? = {
        let own = root.appending(path: ".build-python/bin/python3").path
        return ["python3", own].first { (try? run($0, ["-c", "import boto3"]))?.status == 0 }
    }()

    /// Whether this machine has it.
    static var isInstalled: Bool { python != nil }

    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = here.appending(path: "../../../..").standardizedFileURL

    /// Runs a program of the folder `python` against a server, and reads the JSON that it prints.
    static func run(_ program: String, _ server: Harness, _ arguments: [String] = []) async throws -> [String: Any] {
        let python = try #require(python)
        let path = here.appending(path: "../python/\(program).py").standardizedFileURL.path
        let all = [path, server.url, server.key.id, server.key.secret] + arguments
        let (status, output) = try await withCheckedThrowingContinuation { continuation in
            // It waits for the process: not on a thread that the server needs.
            Thread.detachNewThread { continuation.resume(with: Result { try run(python, all) }) }
        }
        let text = String(decoding: output, as: UTF8.self)
        try #require(status == 0, "\(text)")
        return try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any], "\(text)")
    }

    private static func run(_ python: String, _ arguments: [String]) throws -> (status: Int32, output: Data) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, "-W", "ignore"] + arguments
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
