import Dispatch
import Foundation
import Testing

/// Programs of Amazon's own client, run by the Python that there is.
enum PythonProgram {
    /// Whether this machine has the client.
    static let hasBoto3 = (try? execute(["-c", "import boto3"]))?.status == 0

    /// Runs a program of `python/` to its end against a server; what fails there fails the test.
    ///
    /// - Parameter arguments: those behind the server's address, the access key id and its secret.
    /// - Returns: what it wrote.
    static func run(_ name: String, _ server: Harness, _ arguments: [String] = []) async throws -> Data {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "python/\(name).py").path
        let all = [file, server.url, server.key.id, server.key.secret] + arguments
        let (status, output) = try await withCheckedThrowingContinuation { continuation in
            // It waits for the process: not on a thread that the server needs, and on one that no signal interrupts.
            DispatchQueue.global().async { continuation.resume(with: Result { try execute(all) }) }
        }
        try #require(status == 0, "\(String(decoding: output, as: UTF8.self))")
        return output
    }

    /// Runs Python and waits for its end.
    static func execute(_ arguments: [String]) throws -> (status: Int32, output: Data) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Without compiled files in the folder of the programs.
        process.arguments = ["python3", "-B", "-W", "ignore"] + arguments
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
