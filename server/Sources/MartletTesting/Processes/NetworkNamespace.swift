import Foundation

/// A network of its own for processes, with nothing in it but a loopback interface that can be cut: what was sent is not
/// delivered, and neither side is told. The machine must allow making one.
public final class NetworkNamespace: Sendable {
    private static let tool = "/usr/sbin/ip"

    private let name: String

    /// Makes it.
    ///
    /// - Throws: ``NotAllowed``.
    public init() async throws {
        name = "martlet-\(UInt32.random(in: 0...UInt32.max))"
        do { try await ip("netns", "add", name) } catch { throw NotAllowed(description: "\(error)") }
        do {
            try await ip("-n", name, "link", "set", "lo", "up")
            // Becoming a process in it may be refused where making it is not.
            try await ip("netns", "exec", name, "true")
        } catch { throw NotAllowed(description: "\(error)") }
    }

    deinit {
        // What runs in it keeps it until it ends.
        _ = try? ProgramProcess.run(["netns", "delete", name], executable: Self.tool)
    }

    /// Delivers nothing any more.
    public func cut() async throws { try await ip("-n", name, "link", "set", "lo", "down") }

    /// Delivers again.
    public func mend() async throws { try await ip("-n", name, "link", "set", "lo", "up") }

    /// A command that runs in it, which the process becomes.
    func command(_ executable: String, _ arguments: [String]) -> (executable: String, arguments: [String]) {
        (Self.tool, ["netns", "exec", name, executable] + arguments)
    }

    private func ip(_ arguments: String...) async throws {
        let result = try await ProgramProcess(arguments, executable: Self.tool).result(within: 10)
        guard result.status == 0 else { throw ProgramProcess.Failure(description: result.standardError) }
    }
}
