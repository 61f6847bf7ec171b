import Foundation

/// A PostgreSQL server of the tests' own, in a temporary folder and on a socket in it. It ends with the process that made
/// it, also when that is killed.
public final class PostgresCluster: Sendable {
    /// It, as one on which databases are made.
    public let server: PostgresServer
    private let folder: String

    /// The one of this process, made when it is first asked for.
    public static let shared = Result { try PostgresCluster() }

    /// Whether there are PostgreSQL's programs.
    public static var isInstalled: Bool { (try? program("postgres")) != nil }

    /// Makes and starts a server, as the user `postgres` where this process is root's, as which PostgreSQL does not run.
    ///
    /// - Parameter isDurable: whether it writes to the disk; without that it is several times faster.
    /// - Throws: `PostgresServer.Failed`.
    public init(isDurable: Bool = false) throws {
        let program = try Self.program("postgres")
        let parent = (isDurable ? nil : Self.memory) ?? FileManager.default.temporaryDirectory.path
        folder = parent + "/martlet-pg-" + UUID().uuidString
        server = PostgresServer(address: "postgres://postgres@/postgres?host=\(folder)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if geteuid() == 0 { try PostgresServer.run("/usr/bin/chown", ["postgres", folder]) }
        try asOwner("initdb -D \(folder)/data -A trust -U postgres -E UTF8 --locale=C.UTF-8 --no-sync")
        try serve(program, isDurable: isDurable)
    }

    /// A folder in memory, where there is one with two gigabytes left: each database is a thousand files, and file systems
    /// take longest for those whose like were just deleted.
    private static var memory: String? {
        let folder = "/dev/shm"
        let left = try? FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize] as? Int64
        return left.map { $0 >= 2 << 30 } == true ? folder : nil
    }

    /// The process that starts all of the server's others.
    public func processID() throws -> Int32 {
        let text = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        guard let id = text.split(separator: "\n").first.flatMap({ Int32($0) }) else {
            throw PostgresServer.Failed(description: "the server has ended")
        }
        return id
    }

    /// A database's address through a proxy that listens on a port.
    public func address(of database: String, through port: UInt16) -> String {
        let name = database.split(separator: "?")[0].split(separator: "/").last ?? ""
        return "postgres://postgres@127.0.0.1:\(port)/\(name)"
    }

    /// Has it end all connections and take none, or take them again: its socket has another name meanwhile.
    public func refuseConnections(_ isRefusing: Bool) throws {
        let names = [socketPath, socketPath + ".away"]
        let (from, to) = isRefusing ? (names[0], names[1]) : (names[1], names[0])
        guard rename(from, to) == 0 else { throw PostgresServer.Failed(description: "the socket cannot be renamed") }
        guard isRefusing else { return }
        for process in try processes().dropFirst() where try Self.isBackend(process) { kill(process, SIGTERM) }
    }

    private static func isBackend(_ process: Int32) throws -> Bool {
        let line = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
        return line.contains("[local]")
    }

    /// The socket that it listens on.
    public var socketPath: String { folder + "/.s.PGSQL.5432" }

    /// All of the server's processes, its own and those that it started.
    public func processes() throws -> [Int32] {
        let first = try processID()
        let children = try String(contentsOfFile: "/proc/\(first)/task/\(first)/children", encoding: .utf8)
        return [first] + children.split(separator: " ").compactMap { Int32($0) }
    }

    /// The server is a child of a shell that waits for the end of its input, which is this process's end. It then ends the
    /// server, which takes milliseconds, and does not wait for it: the signal of a child's end may be blocked in there.
    private func serve(_ program: String, isDurable: Bool) throws {
        let settings = isDurable ? "" : "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
        let server =
            "\(program) -D \(folder)/data -k \(folder) -c listen_addresses= -c max_connections=300 \(settings)"
        try keep(server, log: "log", atEnd: "kill -QUIT $id; sleep 1; rm -rf \(folder)")
        // Ready within a second or two.
        try asOwner("pg_ctl -D \(folder)/data -t 60 status", tries: 600)
        try asOwner("pg_isready -q -h \(folder) -t 1", tries: 600)
    }

    /// Runs a program until this process ends.
    private func keep(_ program: String, log: String, atEnd end: String) throws {
        let script = "\(asUser)\(program) >\(folder)/\(log) 2>&1 </dev/null & id=$!; read end; \(end)"
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", script]
        // Held open for as long as this process lives, and closed by the system when it does not.
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw PostgresServer.Failed(description: "there is no pipe left") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        shell.standardInput = FileHandle(fileDescriptor: ends[0])
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        close(ends[0])
    }

    /// A PgBouncer in transaction mode before it, and how a database's address is through it.
    public struct Pooler: Sendable {
        fileprivate let folder: String

        /// The address of a database, without saying that a pooler stands there.
        public func address(of database: String) -> String {
            let name = database.split(separator: "?")[0].split(separator: "/").last ?? ""
            return "postgres://postgres@/\(name)?host=\(folder)&port=6432"
        }

        /// Has it stand still, or go on.
        public func freeze(_ isFrozen: Bool) throws {
            let text = try String(contentsOfFile: folder + "/pid", encoding: .utf8)
            kill(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0, isFrozen ? SIGSTOP : SIGCONT)
        }
    }

    /// Starts one; it ends with this process.
    public func startPooler() throws -> Pooler {
        let pooler = folder + "/pooler"
        try FileManager.default.createDirectory(atPath: pooler, withIntermediateDirectories: true)
        let settings = """
            [databases]
            * = host=\(folder)
            [pgbouncer]
            listen_addr =
            listen_port = 6432
            unix_socket_dir = \(pooler)
            auth_type = trust
            auth_file = \(pooler)/users
            pool_mode = transaction
            pidfile = \(pooler)/pid

            """
        try Data(settings.utf8).write(to: URL(filePath: pooler + "/ini"))
        try Data("\"postgres\" \"\"\n".utf8).write(to: URL(filePath: pooler + "/users"))
        if geteuid() == 0 { try PostgresServer.run("/usr/bin/chown", ["-R", "postgres", pooler]) }
        // Not with another signal: those that this process blocks are blocked in there.
        try keep("/usr/sbin/pgbouncer -q \(pooler)/ini", log: "pooler.log", atEnd: "kill -KILL $id")
        try asOwner("pg_isready -q -h \(pooler) -p 6432 -t 1", tries: 600)
        return Pooler(folder: pooler)
    }

    private var asUser: String {
        geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : ""
    }

    private func asOwner(_ command: String, tries: Int = 1) throws {
        for attempt in 1...tries {
            do {
                try PostgresServer.run("/bin/sh", ["-c", "cd / && \(asUser)\(try Self.program(command))"])
                return
            } catch  where attempt < tries {
                usleep(50_000)
            }
        }
    }

    /// Where one of the newest version's programs is: Debian keeps them out of the PATH.
    static func program(_ name: String) throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        guard let newest = versions.compactMap(Int.init).max() else {
            throw PostgresServer.Failed(description: "PostgreSQL is not installed: scripts/install-packages test")
        }
        return "/usr/lib/postgresql/\(newest)/bin/\(name)"
    }
}
