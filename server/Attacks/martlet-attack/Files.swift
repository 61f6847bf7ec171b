// Which of the three the C library's structures belong to depends on the order in which the compiler met their headers.
import CoreFoundation
import Foundation
import Glibc

/// Lets this process have as many connections as an attack takes.
///
/// - Throws: `AttackFailure` where the system does not.
func allowFiles(_ count: UInt) throws {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    getrlimit(files, &limit)
    limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, count))
    guard setrlimit(files, &limit) == 0, limit.rlim_cur >= count else {
        throw AttackFailure("The system allows \(limit.rlim_cur) files: raise it with 'ulimit -n \(count)'.")
    }
}
