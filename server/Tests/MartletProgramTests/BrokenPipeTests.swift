import Foundation
import MartletTesting
import Testing

@Suite("A reader that goes away", .timeLimit(.minutes(2)))
struct BrokenPipeTests {
    /// The program with a pipe that nobody reads.
    private func program(_ arguments: [String]) throws -> (process: Process, unread: Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let unread = Pipe()
        try unread.fileHandleForReading.close()
        return (process, unread)
    }

    @Test("of a command's output ends the command in an orderly way, without a word")
    func output() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let (process, unread) = try program(["keys", "list"])
        let errors = Pipe()
        process.environment = ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
        process.standardOutput = unread.fileHandleForWriting
        process.standardError = errors
        try process.run()
        try errors.fileHandleForWriting.close()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
        #expect(String(decoding: said, as: UTF8.self) == "")
        _ = try await server.stop()
    }

    @Test("of a server's log does not end the server")
    func log() throws {
        let folder = try TemporaryFolder()
        let (process, unread) = try program(["serve", "--data", folder.path, "--port", "0", "--log-level", "debug"])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = unread.fileHandleForWriting
        try process.run()
        try output.fileHandleForWriting.close()
        let line = output.fileHandleForReading.availableData
        #expect(String(decoding: line, as: UTF8.self).contains("Martlet is listening on"))
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
}
