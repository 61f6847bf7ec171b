import Foundation
import Synchronization

/// The backend's log: one line for one event, with the city's time before it.
///
/// The same line is not written again within a minute, so that a feed that stays broken does not fill the disk.
package final class BackendLog: Sendable {
    private struct Recent {
        var line = ""
        var until = ContinuousClock.now
    }

    private let clock: TransitClock
    private let write: @Sendable (String) -> Void
    private let recent = Mutex(Recent())

    package init(clock: TransitClock, write: @escaping @Sendable (String) -> Void) {
        self.clock = clock
        self.write = write
    }

    /// Writes to standard output.
    package static func standard(clock: TransitClock) -> BackendLog {
        BackendLog(clock: clock) { line in
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }
    }

    /// - Parameter key: what counts as the same line where its numbers change; the line itself without one.
    package func line(_ text: String, key: String? = nil) {
        let now = ContinuousClock.now
        let key = key ?? text
        let isNew = recent.withLock { recent in
            guard recent.line != key || now >= recent.until else { return false }
            recent = Recent(line: key, until: now + .seconds(60))
            return true
        }
        if isNew { write("\(clock.now().formatted(.iso8601)) \(text)") }
    }
}
