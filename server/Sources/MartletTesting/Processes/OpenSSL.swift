public import Foundation

/// Runs the `openssl` program in a folder of its own, so that keys, files and signatures come from, and are verified by,
/// an independent hand.
public struct OpenSSL {
    /// Where it runs.
    public let folder: URL

    /// What openssl did not do.
    public struct Failed: Error, CustomStringConvertible {
        /// The command and what it wrote.
        public let description: String
    }

    /// A folder of its own; ``remove()`` ends it.
    public init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Deletes the folder.
    public func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs one command; its arguments are separated by spaces.
    ///
    /// - Throws: ``Failed``.
    public func run(_ arguments: String) throws {
        let words = arguments.split(separator: " ").map(String.init)
        let result = try ProgramProcess.run(words, executable: "openssl", folder: folder.path)
        if result.status != 0 { throw Failed(description: "openssl \(arguments): \(result.standardError)") }
    }

    /// Puts a file into the folder.
    public func write(_ name: String, _ bytes: Data) throws { try bytes.write(to: folder.appending(path: name)) }

    /// The text of a file in the folder.
    public func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The bytes of a file in the folder.
    public func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    /// A P-256 or RSA key `name.key` (PKCS#8) and a certificate `name.pem` for it, with UID `com.example.app`.
    public func makeCertificate(
        _ name: String,
        newKey: String = "ec -pkeyopt ec_paramgen_curve:P-256",
        days: Int = 30
    ) throws {
        try run(
            """
            req -x509 -new -newkey \(newKey) -nodes -keyout \(name).key -out \(name).pem -days \(days) \
            -subj /UID=com.example.app/CN=push/OU=TEAM123456
            """
        )
    }
}
