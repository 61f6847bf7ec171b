import Dispatch
import Foundation

/// A program of Amazon's own client, run beside the server that it calls.
enum PythonProgram {
    /// Runs a program of `python/` to its end, on a thread of its own: the server answers meanwhile.
    ///
    /// - Returns: its status, and what it wrote.
    static func run(_ name: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "python/\(name).py").path
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                let process = Process()
                let output = Pipe()
                process.executableURL = URL(filePath: "/usr/bin/env")
                process.arguments = ["python3", "-W", "ignore", file] + arguments
                process.standardOutput = output
                process.standardError = output
                do {
                    try process.run()
                    let text = output.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    let written = String(decoding: text, as: UTF8.self)
                    continuation.resume(returning: (process.terminationStatus, written))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }
}
