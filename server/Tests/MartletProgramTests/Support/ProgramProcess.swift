import Foundation
import Synchronization

/// The program, or another command, as a process of its own: started, read line by line, signalled, and killed when the
/// test lets go of it.
final class ProgramProcess: Sendable {
    /// What a process left behind.
    struct Result: Sendable {
        /// What it returned; a signal that ended it is 128 and the signal's number.
        var status: Int32
        var standardOutput: String
        var standardError: String
    }

    /// Why a wait ended without what was waited for; it carries what the process has said.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private struct State {
        var output = Data()
        var errors = Data()
        var openPipes = 2
        var status: Int32?
    }

    private let process: Process
    private let state = Mutex(State())
    /// Signalled whenever there is something new.
    private let news = NSCondition()
    private let name: String

    /// Starts a command without a terminal.
    ///
    /// - Parameters:
    ///   - executable: its path; absent is the program.
    ///   - input: what it reads on standard input.
    ///   - environment: what it gets beside `PATH` and `HOME`; nothing of the test's own settings.
    ///   - folder: where it runs; absent is the folder that the clone is in.
    init(
        _ arguments: [String],
        executable: String = Program.path,
        input: String? = nil,
        environment: [String: String] = [:],
        folder: String? = nil
    ) throws {
        name = ([(executable as NSString).lastPathComponent] + arguments.prefix(2)).joined(separator: " ")
        process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        let inherited = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME", "TMPDIR", "LANG"].contains($0.key) }
        process.environment = inherited.merging(environment) { $1 }
        process.currentDirectoryURL = URL(filePath: folder ?? Program.root)
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        let inputPipe = Pipe()
        if input != nil { process.standardInput = inputPipe }
        process.terminationHandler = { [weak self] ended in
            let signal: Int32 = ended.terminationReason == .uncaughtSignal ? 128 : 0
            self?.update { $0.status = signal + ended.terminationStatus }
        }
        collect(output) { $0.output.append($1) }
        collect(errors) { $0.errors.append($1) }
        try process.run()
        if let input {
            try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try inputPipe.fileHandleForWriting.close()
        }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The process's id.
    var id: Int32 { process.processIdentifier }

    /// What it has written to standard output so far.
    var standardOutput: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }

    /// What it has written to standard error so far.
    var standardError: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    /// Waits for a line on standard output that contains the text.
    ///
    /// - Throws: `Failure` when the process ends or the time is over before that.
    @discardableResult
    func line(containing text: String, within seconds: Double = 60) async throws -> String {
        try await wait(seconds, for: "a line with '\(text)'") { state in
            let lines = String(decoding: state.output, as: UTF8.self).split(separator: "\n")
            if let line = lines.first(where: { $0.contains(text) }) { return String(line) }
            guard state.status == nil || state.openPipes > 0 else {
                throw Failure(description: "it ended with status \(state.status ?? -1) before '\(text)'")
            }
            return nil
        }
    }

    /// Waits until it has ended and everything that it wrote is read.
    ///
    /// - Throws: `Failure` when the time is over; the process goes on.
    func result(within seconds: Double = 120) async throws -> Result {
        try await wait(seconds, for: "its end") { state in
            guard let status = state.status, state.openPipes == 0 else { return nil }
            return Result(
                status: status,
                standardOutput: String(decoding: state.output, as: UTF8.self),
                standardError: String(decoding: state.errors, as: UTF8.self)
            )
        }
    }

    /// Sends a signal, such as `SIGTERM` or `SIGKILL`.
    func send(signal: Int32) { kill(process.processIdentifier, signal) }

    private func collect(_ pipe: Pipe, _ append: @escaping @Sendable (inout State, Data) -> Void) {
        pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.update { state in
                if data.isEmpty { state.openPipes -= 1 } else { append(&state, data) }
            }
        }
    }

    private func update(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        news.lock()
        news.broadcast()
        news.unlock()
    }

    /// Looks again whenever there is something new, on a thread of its own, until the time is over.
    private func wait<Value: Sendable>(
        _ seconds: Double,
        for what: String,
        _ look: @escaping @Sendable (State) throws -> Value?
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { [self] in
                continuation.resume(with: Swift.Result { try waitHere(seconds, for: what, look) })
            }
            thread.start()
        }
    }

    private func waitHere<Value>(_ seconds: Double, for what: String, _ look: (State) throws -> Value?) throws -> Value {
        let deadline = Date(timeIntervalSinceNow: seconds)
        news.lock()
        defer { news.unlock() }
        repeat {
            do {
                if let value = try state.withLock({ try look($0) }) { return value }
            } catch let failure as Failure {
                throw Failure(description: "\(name): \(failure.description)\n\(said)")
            }
        } while news.wait(until: deadline)
        throw Failure(description: "\(name): \(what) did not come within \(seconds) s\n\(said)")
    }

    private var said: String {
        "standard output:\n\(standardOutput.suffix(4_000))\nstandard error:\n\(standardError.suffix(4_000))"
    }
}
