import Foundation

/// Where the program and its clone are.
public enum Program {
    /// The clone's folder, whatever its name is.
    public static let root: String = {
        var folder = URL(filePath: #filePath)
        // server/Sources/MartletTesting/Processes/Program.swift
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        return folder.path
    }()

    /// The program: what `MARTLET_PROGRAM` names, otherwise the one that was built with the tests.
    public static let path: String =
        ProcessInfo.processInfo.environment["MARTLET_PROGRAM"] ?? root + "/server/.build/debug/martlet"

    /// Runs the program to its end.
    public static func run(
        _ arguments: String...,
        input: String? = nil,
        environment: [String: String] = [:],
        folder: String? = nil
    ) async throws -> ProgramProcess.Result {
        try await ProgramProcess(arguments, input: input, environment: environment, folder: folder).result()
    }
}
