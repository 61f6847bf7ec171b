import Foundation

/// A browser that runs until it is told to end, and never longer than this program.
final class BrowserRun: Sendable {
    /// The shell ends with its browser, and writes down with what status. When the pipe at its input is closed, by whatever
    /// ended this program, the whole process group is killed.
    private static let script = """
        end=$1
        shift
        exec 3<&0 </dev/null
        (read _ <&3; kill -s KILL -- -$$) 2>/dev/null &
        exec 3<&-
        "$@" &
        wait $!
        echo $? >"$end"
        """
    /// How long a browser has to end by itself, and then to be gone.
    private static let timeout = Duration.seconds(3)

    private let process: Process
    private let lifeline = Pipe()
    private let ending: URL

    /// The longest folder for temporary files: Chromium's socket in it has a name of 44 bytes more, and may have 107.
    private static let longestFolder = 63

    /// Starts a command.
    ///
    /// - Parameter home: its home, so that nothing is read from or left in the user's.
    init(_ command: [String], home: URL) throws {
        let log = home.appendingPathComponent("demo.log")
        ending = home.appendingPathComponent("demo.end")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let output = try FileHandle(forWritingTo: log)
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Threads of this program have signals blocked, and a child inherits that.
        process.arguments = ["--default-signal", "/bin/sh", "-c", Self.script, "browser", ending.path] + command
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = home.path
        environment["MOZ_CRASHREPORTER_DISABLE"] = "1"
        if home.path.utf8.count <= Self.longestFolder { environment["TMPDIR"] = home.path }
        process.environment = environment
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    /// The status that it ended with; `nil` while it runs.
    var endedWith: String? {
        guard let text = try? String(contentsOf: ending, encoding: .utf8), text.hasSuffix("\n") else { return nil }
        return String(text.dropLast())
    }

    /// Ends it with all that it started.
    func end() async {
        let group = process.processIdentifier
        guard getpgid(group) == group else { return process.terminate() }
        for signal in [SIGTERM, SIGKILL] {
            guard kill(-group, signal) == 0 else { break }
            let deadline = ContinuousClock.now + Self.timeout
            while kill(-group, 0) == 0, ContinuousClock.now < deadline {
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        try? lifeline.fileHandleForWriting.close()
    }
}
