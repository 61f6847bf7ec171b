public import Foundation
import Synchronization

/// The program, or another command, as a process of its own: started, read line by line, signalled, and killed when the
/// test lets go of it.
public final class ProgramProcess: Sendable {
    /// What a process left behind.
    public struct Result: Sendable {
        /// What it returned; a signal that ended it is 128 and the signal's number.
        public var status: Int32
        /// What it wrote there, all of it.
        public var standardOutput: String
        /// What it wrote there, all of it.
        public var standardError: String
    }

    /// Why a wait ended without what was waited for; it carries what the process has said.
    public struct Failure: Error, CustomStringConvertible {
        /// What was waited for, and what the process has said.
        public var description: String

        /// A failure with its words.
        public init(description: String) { self.description = description }
    }

    private struct State {
        var output = Data()
        var errors = Data()
        var openPipes = 2
        var status: Int32?
    }

    /// The process's id.
    public let id: pid_t
    private let state = Mutex(State())
    /// Signalled whenever there is something new.
    private let news = NSCondition()
    private let name: String
    private let leadsGroup: Bool

    /// Starts a command without a terminal.
    ///
    /// - Parameters:
    ///   - executable: its path; absent is the program.
    ///   - input: what it reads on standard input, at most what a pipe holds (64 KB).
    ///   - environment: what it gets beside `PATH` and `HOME`; nothing of the test's own settings.
    ///   - folder: where it runs; absent is the clone's folder.
    ///   - leadsGroup: whether signals go to its children too.
    public init(
        _ arguments: [String],
        executable: String = Program.path,
        input: String? = nil,
        environment: [String: String] = [:],
        folder: String? = nil,
        leadsGroup: Bool = false
    ) throws {
        self.leadsGroup = leadsGroup
        name = ([(executable as NSString).lastPathComponent] + arguments.prefix(2)).joined(separator: " ")
        let inherited = ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "TMPDIR", "LANG"].contains($0.key)
        }
        let spawn = try Spawn(
            [executable] + arguments,
            environment: inherited.merging(environment) { $1 },
            folder: folder ?? Program.root,
            input: input,
            leadsGroup: leadsGroup
        )
        id = spawn.id
        read(spawn.output) { $0.output.append(contentsOf: $1) }
        read(spawn.errors) { $0.errors.append(contentsOf: $1) }
        Thread { [id, weak self] in
            let status = Spawn.wait(for: id)
            self?.update { $0.status = status }
        }.start()
    }

    deinit { send(signal: SIGKILL) }

    /// Runs a command to its end, and waits on this thread.
    ///
    /// - Throws: `Failure` when it does not start, or not end within two minutes; it is killed then.
    public static func run(
        _ arguments: [String],
        executable: String,
        folder: String? = nil,
        within seconds: Double = 120
    ) throws -> Result {
        try ProgramProcess(arguments, executable: executable, folder: folder).resultHere(within: seconds)
    }

    /// What it has written to standard output so far.
    public var standardOutput: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }

    /// What it has written to standard error so far.
    public var standardError: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    /// Waits for a line on standard output that contains the text.
    ///
    /// - Throws: `Failure` when the process ends or the time is over before that.
    @discardableResult
    public func line(containing text: String, within seconds: Double = 60) async throws -> String {
        try await line(containing: text, in: \.output, within: seconds)
    }

    /// Waits for a line on standard error that contains the text.
    ///
    /// - Throws: `Failure` when the process ends or the time is over before that.
    @discardableResult
    public func errorLine(containing text: String, within seconds: Double = 60) async throws -> String {
        try await line(containing: text, in: \.errors, within: seconds)
    }

    private func line(
        containing text: String,
        in output: any KeyPath<State, Data> & Sendable,
        within seconds: Double
    ) async throws -> String {
        try await wait(seconds, for: "a line with '\(text)'") { state in
            let lines = String(decoding: state[keyPath: output], as: UTF8.self).split(separator: "\n")
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
    public func result(within seconds: Double = 120) async throws -> Result {
        try await wait(seconds, for: "its end", Self.ending)
    }

    /// Waits on this thread until it has ended and everything that it wrote is read.
    ///
    /// - Throws: `Failure` when the time is over; the process goes on.
    public func resultHere(within seconds: Double = 120) throws -> Result {
        try waitHere(seconds, for: "its end", Self.ending)
    }

    @Sendable
    private static func ending(_ state: State) -> Result? {
        guard let status = state.status, state.openPipes == 0 else { return nil }
        return Result(
            status: status,
            standardOutput: String(decoding: state.output, as: UTF8.self),
            standardError: String(decoding: state.errors, as: UTF8.self)
        )
    }

    /// Sends a signal, such as `SIGTERM` or `SIGKILL`; nothing when it has ended.
    public func send(signal: Int32) {
        // Under the lock, so that the id is not another process's by now.
        state.withLock { if $0.status == nil { kill(leadsGroup ? -id : id, signal) } }
    }

    private func read(_ descriptor: Int32, _ append: @escaping @Sendable (inout State, [UInt8]) -> Void) {
        Thread { [weak self] in
            while let bytes = Spawn.read(descriptor) { self?.update { append(&$0, bytes) } }
            self?.update { $0.openPipes -= 1 }
        }.start()
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
            Thread { [self] in
                continuation.resume(with: Swift.Result { try waitHere(seconds, for: what, look) })
            }.start()
        }
    }

    private func waitHere<Value>(_ seconds: Double, for what: String, _ look: (State) throws -> Value?) throws -> Value
    {
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
