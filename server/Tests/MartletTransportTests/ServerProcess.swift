import Foundation

/// A server of somebody else, run as a process until it is released.
final class ServerProcess: Sendable {
    struct NotReady: Error { let output: String }

    let port: Int
    private let process: Process

    /// Starts a command and reads its output until `port` finds the port in what has been written so far.
    init(_ command: [String], port find: (String) -> Int?) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = output
        process.standardError = output
        try process.run()
        var text = ""
        var port: Int?
        while port == nil {
            // Empty at the process's end, so a server that does not start ends the loop.
            let data = output.fileHandleForReading.availableData
            text += String(decoding: data, as: UTF8.self)
            port = find(text)
            if data.isEmpty { break }
        }
        guard let port else {
            kill(process.processIdentifier, SIGKILL)
            throw NotReady(output: text)
        }
        // Read on, so that a server that talks much does not stop at a full pipe.
        let rest = output.fileHandleForReading
        Thread.detachNewThread { while !rest.availableData.isEmpty {} }
        self.process = process
        self.port = port
    }

    deinit {
        // Not SIGTERM: a thread's signal mask is inherited, and it may be blocked in the one that started the process.
        kill(self.process.processIdentifier, SIGKILL)
        self.process.waitUntilExit()
    }
}
