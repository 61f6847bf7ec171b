import MartletCore
import MartletWire
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The proof that one server uses a database: the database itself and a file beside it, both locked. The system ends the
/// locks with the process, so a crash leaves none behind.
///
/// The file beside has a byte while there is a server, and after one that did not end cleanly: what it wrote last may be
/// in the log alone then.
final class LockFile: Sendable {
    private struct Files {
        var beside: Int32
        /// Locked too, because another name may lead to it.
        var database: Int32
    }

    private let path: String
    private let files: Mutex<Files?>
    /// Which file the database was when it was locked.
    private let identity: (device: UInt64, number: UInt64)

    /// Takes the locks.
    ///
    /// - Parameters:
    ///   - path: of a database that is there, with no link on the way.
    ///   - acceptsLoss: whether it may go on where the log is gone.
    /// - Throws: `Failure` with `conflict` when another process or store holds one of them, or when the log is gone.
    init(beside path: String, acceptsLoss: Bool = false) throws {
        self.path = path
        let beside = try LockFile.lock(path + ".lock", of: path)
        do {
            if !acceptsLoss { try LockFile.checkLog(of: path) }
            let database = try LockFile.lock(path, of: path)
            files = Mutex(Files(beside: beside, database: database))
            var information = stat()
            fstat(database, &information)
            identity = (UInt64(information.st_dev), UInt64(information.st_ino))
        } catch {
            close(beside)
            throw error
        }
    }

    private static func lock(_ file: String, of path: String) throws -> Int32 {
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DataFolder.failure("open the lock file", file) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw Failure(
                .conflict,
                "Another server is using the database \(path).",
                hint: "Stop it, or give this server a data directory of its own."
            )
        }
        return descriptor
    }

    deinit { release() }

    /// Looks whether what the last server wrote is all there.
    ///
    /// - Throws: `Failure` with `conflict` when it did not end cleanly and its log is gone.
    static func checkLog(of path: String) throws {
        guard size(of: path + ".lock") ?? 0 > 0, size(of: path + "-wal") == nil else { return }
        throw Failure(
            .conflict,
            """
            The last server on \(path) did not end cleanly, and its log \(path)-wal is missing: what was accepted last, and \
            what is known of pushes that were sent last, may be lost.
            """,
            hint: """
                Put the log back beside the database. To go on without it, where some may get a push twice and others none: \
                martlet serve --accept-loss.
                """
        )
    }

    /// Says that from now on the database is not whole without its log.
    func markOpen() throws {
        try files.withLock { files in
            guard let files else { return }
            guard pwrite(files.beside, "1", 1, 0) == 1, fsync(files.beside) == 0 else {
                throw DataFolder.failure("write the lock file", path + ".lock")
            }
        }
    }

    /// Looks whether the database is still the file of that name.
    ///
    /// - Throws: `Failure` with `overloaded` when it was moved or deleted.
    func check() throws {
        var information = stat()
        guard
            stat(path, &information) != 0
                || (UInt64(information.st_dev), UInt64(information.st_ino)) != identity
        else { return }
        throw Failure(
            .overloaded,
            "The database file \(path) was moved or deleted while the server was running.",
            hint: "Stop the server, put the file back together with its log (-wal), and start the server again."
        )
    }

    /// Lets others have the database. The end was a clean one where the log has nothing that the database does not have.
    func release() {
        files.withLock { open in
            guard let files = open else { return }
            if LockFile.size(of: path + "-wal") ?? 0 == 0 { ftruncate(files.beside, 0) }
            close(files.database)
            close(files.beside)
            open = nil
        }
    }

    /// After a command beside no server, which has put what was in the log into the database.
    static func markClosed(_ path: String) {
        guard size(of: path + ".lock") ?? 0 > 0, let lock = try? LockFile(beside: path, acceptsLoss: true) else {
            return
        }
        lock.release()
    }

    private static func size(of file: String) -> Int? {
        var information = stat()
        return stat(file, &information) == 0 ? Int(information.st_size) : nil
    }
}

/// The folder of a database.
enum DataFolder {
    /// Makes the folder (mode 0700) and an empty database file (mode 0600) where they are missing; SQLite gives its
    /// other files the same mode.
    static func prepare(forDatabaseAt path: String) throws {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        var parent = ""
        for part in folder.split(separator: "/") {
            parent += parent.isEmpty && !folder.hasPrefix("/") ? part : "/" + part
            guard mkdir(parent, 0o700) == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS else {
                throw failure("make the folder", parent)
            }
        }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open the database", path) }
        close(descriptor)
    }

    /// Where a database is, whatever links lead to it: SQLite keeps its log there.
    static func resolved(_ path: String) throws -> String {
        guard let real = realpath(path, nil) else { throw failure("find the database", path) }
        defer { free(real) }
        return String(cString: real)
    }

    /// What a failed system call comes to; reads `errno`.
    static func failure(_ what: String, _ path: String) -> Failure {
        let reason = String(cString: strerror(errno))
        return Failure(
            .internalError,
            "Cannot \(what) \(path): \(reason).",
            hint: "Choose a data directory that can be written."
        )
    }
}
