package import Dispatch
import Foundation
import Synchronization

/// The processes that run, so that none is left behind when somebody ends the week.
package enum RunningPrograms {
    private static let ids = Mutex<Set<Int32>>([])

    static func add(_ id: Int32) { ids.withLock { _ = $0.insert(id) } }

    static func remove(_ id: Int32) { ids.withLock { _ = $0.remove(id) } }

    /// From now on SIGINT and SIGTERM end them too.
    ///
    /// - Returns: what has to be kept for as long.
    package static func endOnSignals() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                ids.withLock { ids in
                    for id in ids { kill(id, SIGKILL) }
                }
                _exit(128 + number)
            }
            source.resume()
            return source
        }
    }
}
