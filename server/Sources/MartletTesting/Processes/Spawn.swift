import Foundation
import Glibc
import Synchronization

/// A child process with pipes that no other child inherits: with those, the end of its output would be seen only when
/// the other has ended too.
struct Spawn {
    /// One start at a time, so that no pipe of another's is opened between.
    private static let starts = Mutex(())

    let id: pid_t
    /// Where its standard output is read.
    let output: Int32
    /// Where its standard error is read.
    let errors: Int32

    /// Starts a process.
    ///
    /// - Throws: `ProgramProcess.Failure` when the system does not.
    init(
        _ command: [String],
        environment: [String: String],
        folder: String,
        input: String?,
        leadsGroup: Bool
    ) throws {
        // `env -C` changes the folder and then becomes the command.
        let command = ["/usr/bin/env", "-C", folder] + command
        self = try Spawn.starts.withLock { _ in
            try Spawn(start: command, environment: environment, input: input, leadsGroup: leadsGroup)
        }
    }

    private init(
        start command: [String],
        environment: [String: String],
        input: String?,
        leadsGroup: Bool
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        if leadsGroup { posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP)) }
        let (output, outputEnd) = try Spawn.pipe()
        let (errors, errorsEnd) = try Spawn.pipe()
        let (inputEnd, ours) = try Spawn.pipe()
        posix_spawn_file_actions_adddup2(&actions, inputEnd, 0)
        posix_spawn_file_actions_adddup2(&actions, outputEnd, 1)
        posix_spawn_file_actions_adddup2(&actions, errorsEnd, 2)
        Spawn.closeOthers(&actions)
        defer { for end in [outputEnd, errorsEnd, inputEnd] { close(end) } }

        let arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var id: pid_t = 0
        let status = posix_spawn(&id, command[0], &actions, &attributes, arguments, variables)
        if status == 0, let input { Array(input.utf8).withUnsafeBytes { _ = write(ours, $0.baseAddress, $0.count) } }
        close(ours)
        guard status == 0 else {
            for end in [output, errors] { close(end) }
            throw ProgramProcess.Failure(description: "\(command[0]): \(String(cString: strerror(status)))")
        }
        (self.id, self.output, self.errors) = (id, output, errors)
    }

    /// Has the child close all but its pipes, also what is opened while it starts: a connection that the test closes would
    /// stay open in the child.
    private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        // Ours: tests open some hundred connections at once. Beyond the limit of a process, closing would be an error.
        let most = Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))) - 1
        let last = min((open.compactMap { Int32($0) }.max() ?? 2) + 512, most)
        for descriptor in 3...last { posix_spawn_file_actions_addclose(&actions, descriptor) }
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw ProgramProcess.Failure(description: "there is no pipe left") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Waits for a process's end: what it returned, or 128 and the number of the signal that ended it.
    static func wait(for id: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Waits for output; `nil` at its end, when the descriptor is closed as well.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = Glibc.read(descriptor, &bytes, bytes.count)
        while count < 0, errno == EINTR { count = Glibc.read(descriptor, &bytes, bytes.count) }
        guard count > 0 else {
            close(descriptor)
            return nil
        }
        return Array(bytes.prefix(count))
    }
}
