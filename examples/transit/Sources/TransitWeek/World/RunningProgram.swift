import Foundation
import Synchronization

/// A program that runs as a process of its own, with its output in a file, and that can be killed and started again.
final class RunningProgram: Sendable {
    let name: String
    private let executable: String
    private let arguments: @Sendable () -> [String]
    private let environment: Mutex<[String: String]>
    private let log: String
    private let running = Mutex<Process?>(nil)
    private let killed = Mutex(0)

    /// - Parameter log: the file that its output is added to.
    init(
        _ name: String,
        executable: String,
        environment: [String: String] = [:],
        log: String,
        arguments: @escaping @Sendable () -> [String]
    ) {
        self.name = name
        self.executable = executable
        self.environment = Mutex(environment)
        self.log = log
        self.arguments = arguments
    }

    /// Adds to what it finds in its environment when it starts next.
    func setEnvironment(_ values: [String: String]) {
        environment.withLock { $0.merge(values) { $1 } }
    }

    func start() throws {
        if !FileManager.default.fileExists(atPath: log) {
            _ = FileManager.default.createFile(atPath: log, contents: nil)
        }
        guard let output = FileHandle(forWritingAtPath: log) else { throw WeekFailure("\(log) cannot be written.") }
        try output.seekToEnd()
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw WeekFailure("There is no program \(executable).")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments()
        process.environment = ProcessInfo.processInfo.environment.merging(environment.withLock { $0 }) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        RunningPrograms.add(process.processIdentifier)
        running.withLock { $0 = process }
    }

    /// Ends it as a power failure does.
    func kill() {
        running.withLock { process in
            if let process, process.isRunning, Foundation.kill(process.processIdentifier, SIGKILL) == 0 {
                killed.withLock { $0 += 1 }
            }
            process?.waitUntilExit()
            if let process { RunningPrograms.remove(process.processIdentifier) }
            process = nil
        }
    }

    /// How often it was running and was killed.
    var kills: Int { killed.withLock { $0 } }

    /// Ends it as an operator does; after five seconds as a power failure does.
    func stop() async {
        running.withLock { $0?.terminate() }
        let deadline = ContinuousClock.now + .seconds(5)
        while running.withLock({ $0?.isRunning ?? false }), ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(20))
        }
        kill()
    }

    /// The first match of a pattern in its output, waited for.
    func line(matching pattern: Regex<(Substring, Substring)>, within seconds: Double) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if let match = output.firstMatch(of: pattern) { return String(match.1) }
            guard running.withLock({ $0?.isRunning ?? false }) else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw WeekFailure("\(name) did not start:\n\(output.suffix(2_000))")
    }

    /// Runs it to its end.
    func finish(within seconds: Double) async throws -> String {
        try start()
        let deadline = ContinuousClock.now + .seconds(seconds)
        while running.withLock({ $0?.isRunning ?? false }), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        let status = running.withLock { process in process?.isRunning == false ? process?.terminationStatus : nil }
        kill()
        guard status == 0 else { throw WeekFailure("\(name) failed:\n\(output.suffix(2_000))") }
        return output
    }

    /// What it has written so far, in all of its lives.
    var output: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
}
