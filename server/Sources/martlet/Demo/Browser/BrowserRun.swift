import Foundation
import Synchronization

/// A browser that runs until it is told to end, and never longer than this program.
final class BrowserRun: Sendable {
    /// The shell ends with its browser. When the pipe at its input is closed, by whatever ended this program, the whole
    /// process group is killed.
    private static let script = """
        exec 3<&0 </dev/null
        (read _ <&3; kill -s KILL -- -$$) 2>/dev/null &
        exec 3<&-
        "$@" &
        wait $!
        """
    /// How long a browser has to end by itself, and then to be gone.
    private static let patience = Duration.seconds(3)

    private let process: Process
    private let lifeline = Pipe()
    private let status = Mutex<Int32?>(nil)

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - home: its home, so that nothing is read from or left in the user's.
    ///   - log: where it writes what it has to say.
    init(_ command: [String], home: URL, log: URL) throws {
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let output = try FileHandle(forWritingTo: log)
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Threads of this program have signals blocked, and a child inherits that.
        process.arguments = ["--default-signal", "/bin/sh", "-c", Self.script, "browser"] + command
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["HOME": home.path, "MOZ_CRASHREPORTER_DISABLE": "1"]
        ) { $1 }
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = output
        process.terminationHandler = { [weak self] process in self?.status.withLock { $0 = process.terminationStatus } }
        try process.run()
    }

    /// What it ended with; `nil` while it runs.
    var endedWith: Int32? { status.withLock { $0 } }

    /// Ends it with all that it started.
    func end() async {
        let group = process.processIdentifier
        guard getpgid(group) == group || endedWith != nil else { return process.terminate() }
        for signal in [SIGTERM, SIGKILL] {
            guard kill(-group, signal) == 0 else { break }
            let deadline = ContinuousClock.now + Self.patience
            while kill(-group, 0) == 0, ContinuousClock.now < deadline {
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        try? lifeline.fileHandleForWriting.close()
    }
}
