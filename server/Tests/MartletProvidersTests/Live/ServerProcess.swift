import Foundation
import Testing

/// A server of somebody else, run as a process until it is released, whose output is read line by line.
final class ServerProcess: Sendable {
    /// What it writes, colours removed.
    let lines: AsyncStream<String>
    private let process: Process

    /// Starts a program that is found on the PATH.
    init(_ command: [String]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = output
        process.standardError = output
        let (lines, found) = AsyncStream<String>.makeStream()
        try process.run()
        let file = output.fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            while true {
                // Empty at the process's end.
                let data = file.availableData
                if data.isEmpty { break }
                rest += data
                while let end = rest.firstIndex(of: 0x0A) {
                    found.yield(Self.plain(rest[rest.startIndex..<end]))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            found.finish()
        }
        self.lines = lines
        self.process = process
    }

    deinit {
        // Not SIGTERM: a thread's signal mask is inherited, and it may be blocked in the one that started the process.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The next lines until one satisfies the condition, that one included.
    func read(
        from iterator: inout AsyncStream<String>.Iterator,
        until isLast: (String) -> Bool
    ) async throws -> [String] {
        var read: [String] = []
        while let line = await iterator.next() {
            read.append(line)
            if isLast(line) { return read }
        }
        throw Ended(output: read.joined(separator: "\n"))
    }

    struct Ended: Error { let output: String }

    private static func plain(_ line: Data) -> String {
        String(decoding: line, as: UTF8.self).replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }
}
