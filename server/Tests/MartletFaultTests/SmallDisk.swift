import Foundation
import MartletTesting

/// A file system of its own in memory, small enough to be filled; the machine must allow mounting one.
final class SmallDisk: Sendable {
    private let folder: TemporaryFolder
    /// Where it is.
    let path: String
    private var filler: String { path + "/filler" }

    /// Mounts it.
    ///
    /// - Throws: `NotAllowed`.
    init(megabytes: Int) async throws {
        folder = try TemporaryFolder()
        path = folder.file("disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let arguments = ["-t", "tmpfs", "-o", "size=\(megabytes)m", "martlet", path]
        let result = try await ProgramProcess(arguments, executable: "/usr/bin/mount").result(within: 10)
        guard result.status == 0 else { throw NotAllowed(description: result.standardError) }
    }

    deinit {
        _ = try? ProgramProcess.run(["--lazy", path], executable: "/usr/bin/umount")
    }

    /// Fills it but for so many bytes.
    func fill(leaving bytes: UInt64) throws {
        _ = FileManager.default.createFile(atPath: filler, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: filler))
        let block = Data(count: 65_536)
        while (try? file.write(contentsOf: block)) != nil {}
        let end = try file.seekToEnd()
        try file.truncate(atOffset: end > bytes ? end - bytes : 0)
        try file.close()
    }

    /// Gives the space back.
    func empty() throws { try FileManager.default.removeItem(atPath: filler) }
}
