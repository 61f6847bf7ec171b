import Foundation
import Synchronization

/// A PostgreSQL server of the tests' own, in a temporary folder and on a socket in it. It ends with the process that made
/// it, also when that is killed.
public final class PostgresCluster: Sendable {
    /// What could not be made or run.
    public struct Failed: Error, CustomStringConvertible {
        /// The command, and what it wrote.
        public let description: String
    }

    private let folder: String
    private let programs: String
    private let count = Mutex(0)

    /// The one of this process, made when it is first asked for.
    public static let shared = Result { try PostgresCluster() }

    /// Makes and starts a server, as the user `postgres` where this process is root's, as which PostgreSQL does not run.
    ///
    /// - Parameter isDurable: whether it writes to the disk; without that it is several times faster.
    /// - Throws: ``Failed``.
    public init(isDurable: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.path + "/martlet-pg-" + UUID().uuidString
        guard let programs = PostgresCluster.findPrograms() else {
            throw Failed(description: "PostgreSQL is not installed: scripts/install-packages test")
        }
        self.programs = programs
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if geteuid() == 0 { try PostgresCluster.run(["/usr/bin/chown", "postgres", folder]) }
        try asOwner("initdb -D \(folder)/data -A trust -U postgres -E UTF8 --locale=C.UTF-8 --no-sync")
        try serve(isDurable: isDurable)
    }

    /// Makes a database and says how it is addressed.
    ///
    /// - Parameter template: a database that it is a copy of, to which nobody is connected.
    public func makeDatabase(copying template: String? = nil) throws -> String {
        let name = "d\(count.withLock { $0 += 1; return $0 })"
        try asOwner("createdb -h \(folder) -U postgres \(template.map { "-T \($0) " } ?? "")\(name)")
        return address(name)
    }

    /// Deletes a database that an address names, whoever is connected to it.
    public func drop(_ address: String) throws {
        let name = PostgresCluster.name(of: address)
        try asOwner("dropdb -f -h \(folder) -U postgres \(name)")
    }

    /// The name of the database that an address names.
    public static func name(of address: String) -> String {
        String(address.split(separator: "?")[0].split(separator: "/").last ?? "")
    }

    /// Runs SQL.
    ///
    /// - Returns: what `psql` writes, rows as lines and columns between bars.
    @discardableResult
    public func run(_ sql: String, in address: String) throws -> String {
        try PostgresCluster.run([
            programs + "/psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", address, "-c", sql,
        ])
    }

    private func address(_ name: String) -> String { "postgres://postgres@/\(name)?host=\(folder)" }

    /// The server is a child of a shell that waits for the end of its input, which is this process's end. It then ends the
    /// server, which takes milliseconds, and does not wait for it: the signal of a child's end may be blocked in there.
    private func serve(isDurable: Bool) throws {
        let settings = isDurable ? "" : "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
        let server =
            "\(programs)/postgres -D \(folder)/data -k \(folder) -c listen_addresses= -c max_connections=300 \(settings)"
        let script =
            "\(asUser)\(server) >\(folder)/log 2>&1 </dev/null & id=$!; read end; kill -QUIT $id; sleep 1; rm -rf \(folder)"
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", script]
        // Held open for as long as this process lives, and closed by the system when it does not.
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failed(description: "there is no pipe left") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        shell.standardInput = FileHandle(fileDescriptor: ends[0])
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        close(ends[0])
        // Ready within a second or two.
        try asOwner("pg_ctl -D \(folder)/data -t 60 status", tries: 600)
        try asOwner("pg_isready -q -h \(folder) -t 1", tries: 600)
    }

    private var asUser: String {
        geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : ""
    }

    private func asOwner(_ command: String, tries: Int = 1) throws {
        for attempt in 1...tries {
            do {
                try PostgresCluster.run(["/bin/sh", "-c", "cd / && \(asUser)\(programs)/\(command)"])
                return
            } catch  where attempt < tries {
                usleep(50_000)
            }
        }
    }

    /// Where the newest version's programs are: Debian keeps them out of the PATH.
    private static func findPrograms() -> String? {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = versions.compactMap(Int.init).max()
        return newest.map { "/usr/lib/postgresql/\($0)/bin" }
    }

    @discardableResult
    private static func run(_ command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(description: "\(command.joined(separator: " ")): \(complaint)\(text)")
        }
        return text
    }
}
