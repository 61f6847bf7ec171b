import Foundation
import GRDBSQLite

/// The temporary files of queries, each of which ends at a length: what is sorted may be more than memory should hold, and
/// nobody's query fills the disk.
enum EventTemporaryFiles {
    /// The name of SQLite's interface to files in which they are bounded.
    static let name = "martlet-bounded"
    /// Of one file. A million rows of 250 bytes are sorted in it.
    static let limit: Int64 = 256 << 20

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
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 2)
        (methods + 1).initialize(to: system.pointee)
        methods.initialize(to: system.pointee)
        methods.pointee.xWrite = { file, bytes, count, position in
            guard position + Int64(count) <= EventTemporaryFiles.limit else { return SQLITE_FULL }
            return file?.pointee.pMethods?[1].xWrite?(file, bytes, count, position) ?? SQLITE_IOERR
        }
        methods.pointee.xClose = { file in
            guard let methods = file?.pointee.pMethods else { return SQLITE_IOERR }
            defer { methods.deallocate() }
            return methods[1].xClose?(file) ?? SQLITE_IOERR
        }
        file.pointee.pMethods = UnsafePointer(methods)
    }
}
