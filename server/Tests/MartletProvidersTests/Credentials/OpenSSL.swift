import Foundation
import Testing

/// Runs the `openssl` program in a folder of its own, so that keys and files come from an independent hand.
struct OpenSSL {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "credential-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs one command; its arguments are separated by spaces.
    func run(_ arguments: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments): \(text)")
    }

    func text(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    /// A P-256 or RSA key `name.key` (PKCS#8) and a certificate `name.pem` for it, with UID `com.example.app`.
    func makeCertificate(_ name: String, newKey: String = "ec -pkeyopt ec_paramgen_curve:P-256", days: Int = 30) throws
    {
        try run(
            """
            req -x509 -new -newkey \(newKey) -nodes -keyout \(name).key -out \(name).pem -days \(days) \
            -subj /UID=com.example.app/CN=push/OU=TEAM123456
            """
        )
    }
}
