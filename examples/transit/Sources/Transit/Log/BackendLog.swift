import Foundation
import Synchronization

/// The backend's log: one line for one event, with the city's time before it.
///
/// A line is not written again within a minute, so that a feed that stays broken does not fill the disk.
package final class BackendLog: Sendable {
    private let clock: TransitClock
    private let write: @Sendable (String) -> Void
    /// Until when a line is not written again.
    private let recent = Mutex<[String: ContinuousClock.Instant]>([:])
    /// The most lines that are remembered.
    private static let memory = 256

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

    /// - Parameters:
    ///   - key: what counts as the same line where its numbers change; the line itself without one.
    ///   - silence: for how long the same line is not written again.
    package func line(_ text: String, key: String? = nil, silence: Duration = .seconds(60)) {
        let now = ContinuousClock.now
        let key = key ?? text
        let isNew = recent.withLock { recent in
            if let until = recent[key], now < until { return false }
            if recent.count >= Self.memory { recent = recent.filter { now < $0.value } }
            if recent.count >= Self.memory { recent = [:] }
            recent[key] = now + silence
            return true
        }
        if isNew { write("\(clock.now().formatted(.iso8601)) \(text)") }
    }
}
