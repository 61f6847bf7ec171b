import MartletCore
import MartletWire
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The proof that one server uses a database: a locked file beside it. The system ends the lock with the process, so a
/// crash leaves none behind.
final class LockFile: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Takes the lock.
    ///
    /// - Throws: `Failure` with `conflict` when another process or store holds it.
    init(beside path: String) throws {
        let file = path + ".lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DataFolder.failure("open the lock file", file) }
        self.descriptor = Mutex(descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            release()
            throw Failure(
                .conflict,
                "Another server is using the database \(path).",
                hint: "Stop it, or give this server a data directory of its own."
            )
        }
    }

    deinit { release() }

    /// Lets others have the database.
    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
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
