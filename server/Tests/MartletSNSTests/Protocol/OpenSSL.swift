import Foundation
import Testing

/// Runs the `openssl` program in a folder of its own, so that signatures are verified by an independent hand.
struct OpenSSL {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sns-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func write(_ name: String, _ bytes: Data) throws { try bytes.write(to: folder.appending(path: name)) }

    /// What openssl did not do.
    struct Failed: Error, CustomStringConvertible { let description: String }

    /// Runs one command; its arguments are separated by spaces.
    func run(_ arguments: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw Failed(description: "openssl \(arguments): \(text)") }
    }
}
