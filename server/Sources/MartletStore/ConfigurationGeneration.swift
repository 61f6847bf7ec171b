import Synchronization

/// Up to which change of keys, apps and credentials a process has forgotten what it kept in memory. Every such change counts
/// a number in the database up; a process looks at it before it uses what it keeps, at most once in ``interval``.
final class ConfigurationGeneration: Sendable {
    private struct State {
        var value: Int64?
        var polledAt: ContinuousClock.Instant?
        var isPolling = false
    }

    /// How old the last look may be while another is under way. Ours: with the time of a look, a revoked key is refused
    /// everywhere within two seconds.
    static let interval: Duration = .seconds(1)
    /// How old it may be when looks fail: from then on nothing is taken from memory.
    static let limit: Duration = .seconds(5)

    private let state = Mutex(State())

    /// Whether the caller has to look; then ``endPoll(_:at:)`` or ``failPoll()`` follows.
    func beginPoll(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            let age = state.polledAt.map { now - $0 }
            if let age, age < Self.interval || (state.isPolling && age < Self.limit) { return false }
            state.isPolling = true
            return true
        }
    }

    /// Notes what was found; says whether it is another number than before.
    func endPoll(_ value: Int64, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            defer { (state.value, state.polledAt, state.isPolling) = (value, now, false) }
            return state.value != value
        }
    }

    /// The number could not be read; the next one tries again.
    func failPoll() { state.withLock { $0.isPolling = false } }
}

extension Transaction {
    /// The number of the last change of the configuration.
    func generation() throws -> Int64 {
        try prepare("SELECT value FROM generations WHERE name = ?").bind("configuration").first { $0.int("value") } ?? 0
    }

    /// Counts a change, in the transaction that makes it.
    func beginGeneration() throws {
        try prepare(
            """
            INSERT INTO generations (name, value) VALUES (?, 1)
            ON CONFLICT (name) DO UPDATE SET value = generations.value + 1
            """
        )
        .bind("configuration")
        .run()
    }
}
