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
/// in the log alone then. It is there from when the database was made, so that one without it came from elsewhere.
final class LockFile: Sendable {
    private struct Files {
        var beside: Int32
        /// Locked too, because another name may lead to it.
        var database: Int32
        /// Which file the log was when the database was opened. SQLite deletes it with its last connection only.
        var log: Identity?
    }

    /// Which file is meant, whatever it is called.
    private struct Identity: Equatable {
        var device: UInt64
        var number: UInt64

        init(_ information: stat) {
            (device, number) = (UInt64(information.st_dev), UInt64(information.st_ino))
        }

        /// `nil` where there is no such file.
        init?(of file: String) {
            guard let information = LockFile.information(file) else { return nil }
            self.init(information)
        }
    }

    private let path: String
    private let files: Mutex<Files?>
    /// Which file the database was when it was locked.
    private let identity: Identity

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
            // The rest of a log that was cut off has no whole page: opening the database begins a new one.
            if acceptsLoss, LockFile.size(of: path + "-wal") ?? 0 < LockFile.leastLog { truncate(path + "-wal", 0) }
            files = Mutex(Files(beside: beside, database: database))
            var information = stat()
            fstat(database, &information)
            identity = Identity(information)
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
            throw inUse(path)
        }
        return descriptor
    }

    private static func inUse(_ path: String) -> Failure {
        Failure(
            .conflict,
            "Another server is using the database \(path).",
            hint: "Stop it, or give this server a data directory of its own."
        )
    }

    /// Refuses a command that came to a running server's database by another hard link, beside which it would have a
    /// log of its own. The server's lock is beside its own name.
    static func checkLinks(of path: String) throws {
        guard let information = information(path), information.st_nlink > 1 else { return }
        guard !isLocked(path + ".lock"), isLocked(path) else { return }
        throw inUse(path)
    }

    private static func isLocked(_ file: String) -> Bool {
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    deinit { release() }

    /// The least that a log has while a server runs: 32 bytes of its own, 24 of a page, and the smallest page.
    /// https://sqlite.org/fileformat2.html#walformat
    private static let leastLog = 32 + 24 + 512

    /// Looks whether what the last server wrote is all there, as far as the log's length says so: a log keeps its
    /// length until the database is whole without it.
    ///
    /// - Throws: `Failure` with `conflict` when it did not end cleanly and its log is gone.
    static func checkLog(of path: String) throws {
        let log = size(of: path + "-wal")
        guard size(of: path + ".lock") ?? 0 > 0, log ?? 0 < leastLog else { return }
        let state = log == nil ? "missing" : "cut off"
        throw Failure(
            .conflict,
            """
            The last server on \(path) did not end cleanly, and its log \(path)-wal is \(state): what was accepted \
            last, and what is known of pushes that were sent last, may be lost.
            """,
            hint: """
                Put the log back beside the database. To go on without it, where some may get a push twice and others \
                none: martlet serve --accept-loss. If sqlite3 or another program has opened the database since, it put \
                the log into the database: then nothing is missing, and --accept-loss loses nothing.
                """
        )
    }

    /// Says that from now on the database is not whole without its log.
    func markOpen() throws {
        try files.withLock { open in
            guard let files = open else { return }
            // What opening the database wrote there: it is not on the disk yet, and the mark must not outlast it.
            try LockFile.synchronise(path + "-wal")
            guard pwrite(files.beside, "1", 1, 0) == 1, fsync(files.beside) == 0 else {
                throw DataFolder.failure("write the lock file", path + ".lock")
            }
            open?.log = Identity(of: path + "-wal")
        }
    }

    private static func synchronise(_ file: String) throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw DataFolder.failure("write the log", file) }
    }

    /// Says that the database is whole without its log.
    func markWhole() {
        files.withLock { files in
            guard let files else { return }
            ftruncate(files.beside, 0)
            fsync(files.beside)
        }
    }

    /// Says it for a command.
    ///
    /// - Returns: whether the log may go; not where a server has the database.
    static func markWhole(for path: String) -> Bool {
        let beside = open(path + ".lock", O_RDWR | O_CLOEXEC)
        guard beside >= 0 else { return true }
        defer { close(beside) }
        return flock(beside, LOCK_EX | LOCK_NB) == 0 && ftruncate(beside, 0) == 0 && fsync(beside) == 0
    }

    /// Looks whether the database and its log are still the files of those names.
    ///
    /// - Throws: `Failure` with `overloaded` when one was moved or deleted.
    func check() throws {
        guard Identity(of: path) == identity else {
            throw Failure(
                .overloaded,
                "The database file \(path) was moved or deleted while the server was running.",
                hint: "Stop the server, put the file back together with its log (-wal), and start the server again."
            )
        }
        guard let log = files.withLock({ $0?.log }), Identity(of: path + "-wal") != log else { return }
        throw Failure(
            .overloaded,
            "The database's log \(path)-wal was moved or deleted while the server was running.",
            hint: "Put it back, or stop the server: it writes what the log has into the database."
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

    private static func size(of file: String) -> Int? { information(file).map { Int($0.st_size) } }

    private static func information(_ file: String) -> stat? {
        var information = stat()
        return stat(file, &information) == 0 ? information : nil
    }
}

/// The folder of a database.
enum DataFolder {
    /// Makes the folder (mode 0700) and an empty database file (mode 0600) with its lock where they are missing; SQLite
    /// gives its other files the same mode.
    static func prepare(forDatabaseAt path: String) throws {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        var parent = ""
        for part in folder.split(separator: "/") {
            parent += parent.isEmpty && !folder.hasPrefix("/") ? part : "/" + part
            guard mkdir(parent, 0o700) == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS else {
                throw failure("make the folder", parent)
            }
        }
        for file in access(path, F_OK) == 0 ? [path] : [path + ".lock", path] {
            let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure("open the database", file) }
            close(descriptor)
        }
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
