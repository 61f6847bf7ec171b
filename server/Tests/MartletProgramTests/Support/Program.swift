import Foundation

/// Where the program and its clone are.
enum Program {
    /// The clone's folder, whatever its name is.
    static let root: String = {
        var folder = URL(filePath: #filePath)
        // server/Tests/MartletProgramTests/Support/Program.swift
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        return folder.path
    }()

    /// The program: what `MARTLET_PROGRAM` names, otherwise the one that was built with the tests.
    static let path: String =
        ProcessInfo.processInfo.environment["MARTLET_PROGRAM"] ?? root + "/server/.build/debug/martlet"

    /// Runs the program to its end.
    static func run(
        _ arguments: String...,
        input: String? = nil,
        environment: [String: String] = [:],
        folder: String? = nil
    ) async throws -> ProgramProcess.Result {
        try await ProgramProcess(arguments, input: input, environment: environment, folder: folder).result()
    }
}

/// A folder that is gone when the test lets go of it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file into it; returns the path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
        return file(name)
    }
}
