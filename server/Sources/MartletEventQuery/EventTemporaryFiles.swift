import Foundation
import GRDBSQLite
import Synchronization

/// The temporary files of queries, which end at a length: what is sorted may be more than memory should hold, and
/// nobody's query fills the disk.
enum EventTemporaryFiles {
    /// The name of SQLite's interface to files in which they are bounded.
    static let name = "martlet-bounded"
    /// Of all files of a query. A million rows of 250 bytes are sorted in them.
    static let limit: Int64 = 256 << 20

    /// The bytes of the files that each thread has open: a query is answered by one, which has no other then.
    private static let lengths = Mutex<[pthread_t: Int64]>([:])

    /// A file's methods, the system's behind them, and how long it is.
    private struct File {
        var methods: sqlite3_io_methods
        let system: sqlite3_io_methods
        var length: Int64 = 0

        /// One that SQLite has by the methods, which come first.
        static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<File>? {
            guard let methods = file?.pointee.pMethods else { return nil }
            return UnsafeMutableRawPointer(mutating: UnsafeRawPointer(methods)).assumingMemoryBound(to: File.self)
        }

        /// Makes it as long as that; not where all of the thread's become too long.
        mutating func grow(to length: Int64) -> Bool {
            let more = length - self.length
            guard more > 0 else { return true }
            guard EventTemporaryFiles.add(more) else { return false }
            self.length = length
            return true
        }
    }

    /// Counts bytes of the thread's, which may be fewer than none; not where they become too many.
    private static func add(_ bytes: Int64) -> Bool {
        lengths.withLock { lengths in
            let sum = (lengths[pthread_self()] ?? 0) + bytes
            guard sum <= limit else { return false }
            lengths[pthread_self()] = sum > 0 ? sum : nil
            return true
        }
    }

    /// Whether SQLite has the interface; it is the system's own but for what temporary files do.
    static let isRegistered: Bool = {
        guard let system = sqlite3_vfs_find(nil) else { return false }
        let bounded = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        bounded.initialize(to: system.pointee)
        bounded.pointee.pNext = nil
        bounded.pointee.zName = UnsafePointer(strdup(name))
        bounded.pointee.pAppData = UnsafeMutableRawPointer(system)
        bounded.pointee.xOpen = { interface, name, file, flags, opened in
            let system = interface?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
            guard let system, let file, let open = system.pointee.xOpen else { return SQLITE_CANTOPEN }
            let code = open(system, name, file, flags, opened)
            if code == SQLITE_OK { EventTemporaryFiles.bound(file) }
            return code
        }
        return sqlite3_vfs_register(bounded, 0) == SQLITE_OK
    }()

    /// Gives a file methods of its own, with the system's behind them. A query's connection has no files but temporary ones.
    private static func bound(_ file: UnsafeMutablePointer<sqlite3_file>) {
        guard let system = file.pointee.pMethods else { return }
        let bounded = UnsafeMutablePointer<File>.allocate(capacity: 1)
        bounded.initialize(to: File(methods: system.pointee, system: system.pointee))
        bounded.pointee.methods.xWrite = { file, bytes, count, position in
            guard let bounded = File.of(file), let write = bounded.pointee.system.xWrite else { return SQLITE_IOERR }
            guard bounded.pointee.grow(to: position + Int64(count)) else { return SQLITE_FULL }
            return write(file, bytes, count, position)
        }
        bounded.pointee.methods.xClose = { file in
            guard let bounded = File.of(file) else { return SQLITE_IOERR }
            defer { bounded.deallocate() }
            _ = EventTemporaryFiles.add(-bounded.pointee.length)
            return bounded.pointee.system.xClose?(file) ?? SQLITE_IOERR
        }
        file.pointee.pMethods = UnsafeRawPointer(bounded).assumingMemoryBound(to: sqlite3_io_methods.self)
    }
}
