import Foundation

/// A clock of the day for processes of the test's, which is set when it is told to; the monotonic clocks go on as they
/// are. Processes that are started with its environment have it, all of them at the same moment.
public final class MovableClock: Sendable {
    private let folder: TemporaryFolder

    /// A clock that shows what the machine's shows: `scripts/movable-clock.c`, compiled.
    ///
    /// - Throws: ``NotAllowed`` where clang cannot compile it.
    public init() async throws {
        folder = try TemporaryFolder()
        environment = ["LD_PRELOAD": folder.file("clock.so"), "MARTLET_CLOCK": folder.file("offset")]
        try Data(count: MemoryLayout<Int>.size).write(to: URL(filePath: folder.file("offset")))
        let source = Program.root + "/scripts/movable-clock.c"
        let command = ["clang", "-shared", "-fPIC", "-O1", "-o", folder.file("clock.so"), source]
        let result = try await ProgramProcess(command, executable: "/usr/bin/env").result(within: 60)
        guard result.status == 0 else { throw NotAllowed(description: result.standardError) }
    }

    /// What a process is started with to have this clock.
    public let environment: [String: String]

    /// Has it show so many seconds more than the machine's clock from now on.
    public func move(to seconds: Int) throws {
        // In place, because the processes have mapped the file.
        let file = try FileHandle(forUpdating: URL(filePath: folder.file("offset")))
        try file.write(contentsOf: withUnsafeBytes(of: seconds) { Data($0) })
        try file.close()
    }
}
