import Foundation
import Glibc
import MartletTesting
import Testing

@Suite("A reader that goes away", .timeLimit(.minutes(2)))
struct BrokenPipeTests {
    /// A pipe whose ends no process of another test inherits, which would be its reader or its writer for longer: one with
    /// a name, because its ends have that mark from when they are opened.
    private func pipe(in folder: TemporaryFolder) throws -> (reading: FileHandle, writing: FileHandle) {
        let path = folder.file("pipe-\(UUID().uuidString)")
        try #require(mkfifo(path, 0o600) == 0)
        // There is no writer to wait for yet.
        let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let writing = open(path, O_WRONLY | O_CLOEXEC)
        try #require(reading >= 0 && writing >= 0 && fcntl(reading, F_SETFL, 0) == 0)
        return (
            FileHandle(fileDescriptor: reading, closeOnDealloc: true),
            FileHandle(fileDescriptor: writing, closeOnDealloc: true)
        )
    }

    /// The program, and the end to write to of a pipe that nobody reads.
    private func program(
        _ arguments: [String],
        in folder: TemporaryFolder
    ) throws -> (process: Process, unread: FileHandle) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let unread = try pipe(in: folder)
        try unread.reading.close()
        return (process, unread.writing)
    }

    @Test("of a command's output ends the command in an orderly way, without a word")
    func output() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.file("data"))
        let (process, unread) = try program(["keys", "list"], in: folder)
        let errors = try pipe(in: folder)
        process.environment = ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
        process.standardOutput = unread
        process.standardError = errors.writing
        try process.run()
        try errors.writing.close()
        let said = errors.reading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(String(decoding: said, as: UTF8.self) == "")
        _ = try await server.stop()
    }

    @Test("of a server's log does not end the server")
    func log() throws {
        let folder = try TemporaryFolder()
        let (process, unread) = try program(
            ["serve", "--data", folder.file("data"), "--port", "0", "--log-level", "debug"],
            in: folder
        )
        let output = try pipe(in: folder)
        process.standardOutput = output.writing
        process.standardError = unread
        try process.run()
        try output.writing.close()
        let line = output.reading.availableData
        #expect(String(decoding: line, as: UTF8.self).contains("Martlet is listening on"))
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
}
