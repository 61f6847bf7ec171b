import Crypto
import Foundation
import Logging

/// The files beside the database: the encryption key and the first admin key.
struct DataFolder: Sendable {
    /// The folder's path.
    let path: String

    var database: String { file("martlet.sqlite") }
    /// The key that seals credentials, where the environment has none.
    var encryptionKey: String { file("encryption.key") }
    /// The first admin key.
    var adminKey: String { file("admin.key") }

    /// The disk it lies on, in bytes: what an ordinary user may still write, and all there is; `nil` when the system does
    /// not say.
    var disk: (free: Int, total: Int)? {
        var information = statvfs()
        guard statvfs(path, &information) == 0 else { return nil }
        let size = Int(information.f_frsize)
        return (Int(information.f_bavail) * size, Int(information.f_blocks) * size)
    }

    /// Looks whether the database is still there that the keys beside it are of.
    ///
    /// - Throws: `CommandFailure` when it is gone or empty: a new one would take its place, and SQLite would delete the log
    ///   beside it.
    func checkDatabase() throws {
        let size = Self.size(of: database)
        guard (size ?? 0) == 0 else { return }
        var left = [encryptionKey, adminKey, database + "-wal"].filter { (Self.size(of: $0) ?? 0) > 0 }
        // The lock has no bytes and stays behind; a database is never left empty by a server.
        if Self.size(of: database + ".lock") != nil { left.append(database + ".lock") }
        if size != nil { left.append(database) }
        guard let first = left.first else { return }
        let state = size == nil ? "missing" : "empty"
        throw CommandFailure(
            "The database \(database) is \(state), but \(first) exists: no new one is created.",
            hint:
                "Restore the database from a backup. To start afresh, give another directory or move these files away.",
            status: .failed
        )
    }

    /// Whether a command has to make the database first. One of PostgreSQL is not looked for.
    func lacks(_ database: DatabaseAddress) -> Bool {
        guard case .file(let path) = database else { return false }
        return Self.size(of: path) == nil
    }

    /// The files that a first start makes and that are not there.
    var missingFiles: [String] {
        [database, database + "-wal", database + "-shm", database + ".lock", encryptionKey, adminKey]
            .filter { !FileManager.default.fileExists(atPath: $0) }
    }

    /// Whether a server has the database, or is making it.
    var isInUse: Bool {
        let lock = open(database + ".lock", O_RDWR | O_CLOEXEC)
        guard lock >= 0 else { return false }
        defer { close(lock) }
        return flock(lock, LOCK_EX | LOCK_NB) != 0
    }

    /// The keys that others on this machine can read.
    var openKeys: [String] { [encryptionKey, adminKey].filter { (Self.mode(of: $0) ?? 0) & 0o077 != 0 } }

    /// Says which keys others can read.
    func warnOfOpenKeys(_ logger: Logger) {
        for file in openKeys {
            logger.warning("others on this machine can read a key: chmod 600", metadata: ["file": "\(file)"])
        }
    }

    /// Says that the database came without its log and its lock, which one that was made here has: as a backup has it,
    /// and as a copy has it that lacks what its server wrote last. The two look alike. Asked before the lock is made.
    func warnOfCopy(_ logger: Logger) {
        // After a clean end an empty log stays.
        let isAlone = Self.size(of: database + ".lock") == nil && (Self.size(of: database + "-wal") ?? 0) == 0
        guard isAlone, (Self.size(of: database) ?? 0) > 0 else { return }
        logger.warning(
            "the database was copied here without its log (-wal): a copy of a running server's lacks what was in it",
            metadata: ["database": "\(database)"]
        )
    }

    /// What is said when it has made one: the folder may be a mistyped one.
    var newDatabaseNote: String {
        """
        There was no database in \(path): a new one was made, which no server uses yet. \
        One does with: martlet serve --data \(path)
        """
    }

    /// How many bytes a file has; `nil` when there is none.
    private static func size(of path: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue
    }

    private func file(_ name: String) -> String { (path as NSString).appendingPathComponent(name) }

    /// Makes the folder, for its owner alone, where it is missing.
    ///
    /// - Throws: `CommandFailure` when that cannot be, when it is no folder that can be written to, and, where the
    ///   database lies in it, as ``checkDatabase()`` does.
    func prepare(for database: DatabaseAddress) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure(
                "The data directory \(path) cannot be created.",
                hint: "Give another one with --data, or create it and let this user write there."
            )
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw CommandFailure(
                "The data directory \(path) cannot be written to by this user.",
                hint: "Give another one with --data, or change its owner."
            )
        }
        if case .file = database { try checkDatabase() }
    }

    /// The text of a file, without the line end; `nil` when there is no such file.
    static func read(_ path: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("The file \(path) cannot be read by this user.", hint: "Change its owner or its mode.")
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes a secret into a file that only its owner can read, from its first moment on.
    static func write(secret: String, to path: String) throws { try write(secret, to: path, mode: 0o600) }

    /// Writes a text with a line end behind it, whole or not at all.
    static func write(_ text: String, to path: String, mode: mode_t) throws {
        let temporary = path + ".new"
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw CommandFailure("The file \(path) cannot be written.", status: .failed) }
        let bytes = Array((text + "\n").utf8)
        let written = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
        let isSafe = written == bytes.count && fsync(file) == 0
        close(file)
        guard isSafe, rename(temporary, path) == 0 else {
            unlink(temporary)
            throw CommandFailure("The file \(path) cannot be written.", status: .failed)
        }
    }

    /// A new encryption key: base64 of 32 random bytes.
    static func newEncryptionKey() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
    }

    /// The permission bits of a file or folder; `nil` when there is none.
    static func mode(of path: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}
