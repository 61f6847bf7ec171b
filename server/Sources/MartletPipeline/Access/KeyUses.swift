package import Logging
package import MartletCore
package import MartletStore
import MartletWire
import Synchronization

/// Tells when keys were used last. A request only notes it in memory; it is written beside the requests, for each key at
/// most once in ``interval``, and forgotten where it cannot be.
package final class KeyUses: Sendable {
    /// How far apart two written uses of a key are at least. Ours: to tell a key in use from one that nobody misses, and
    /// seldom enough that a key of a busy backend costs nothing.
    package static let interval: Duration = .seconds(600)
    /// How long a use waits for others to be written with.
    static let delay: Duration = .seconds(5)

    private let store: Store
    private let clock: any WallClock
    private let logger: Logger
    private let notes = Mutex(KeyUseNotes())

    package init(store: Store, clock: any WallClock, logger: Logger) {
        (self.store, self.clock, self.logger) = (store, clock, logger)
    }

    /// Notes a use of an API key.
    package func note(_ key: APIKey) { note(.api(key.row), last: key.lastUsedAt) }

    /// Notes a use of an access key.
    package func note(_ key: StoredAccessKey) { note(.access(key.row), last: key.lastUsedAt) }

    private func note(_ key: KeyUse.Key, last: Timestamp?) {
        let now = clock.now()
        notes.withLock { $0.note(KeyUse(key, at: now), last: last) }
    }

    /// Writes what was noted, again and again, until it is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do { try await clock.sleep(for: KeyUses.delay) } catch { return }
            await write()
        }
    }

    /// Writes what was noted.
    package func write() async {
        let uses = notes.withLock { $0.take() }
        guard !uses.isEmpty else { return }
        do { try await store.noteUses(uses) } catch is CancellationError {
            return
        } catch {
            let metadata: Logger.Metadata = ["keys": "\(uses.count)", "error": "\(error)"]
            logger.warning("when keys were used last was not written", metadata: metadata)
        }
    }
}

/// Which uses are to be written.

struct KeyUseNotes {
    /// Of how many keys the last use is known; one more, and it begins anew. Ours: as many as the store keeps in memory.
    static let limit = 1_000

    private var known: [KeyUse.Key: Timestamp] = [:]
    private var waiting: [KeyUse] = []

    /// Notes a use, unless one that was shortly before it is known or was written by another process.
    ///
    /// - Parameter last: what the store knew when the key was read.
    mutating func note(_ use: KeyUse, last: Timestamp?) {
        let before = [known[use.key], last].compactMap(\.self).max()
        if let before, use.at - before < KeyUses.interval { return }
        // More keys than that between two writes: those that are left out are noted with their next use.
        guard waiting.count < Self.limit else { return }
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        known[use.key] = use.at
        waiting.append(use)
    }

    /// What is to be written, once.
    mutating func take() -> [KeyUse] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
    }
}
