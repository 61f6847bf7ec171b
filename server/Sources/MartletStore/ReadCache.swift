import Synchronization

/// Values that nearly every request asks for and that hardly ever change, kept beside the database.
///
/// Whoever writes what it holds has it forget everything before the write is answered, so that a read sees all writes of
/// its own process that returned before it. What other processes write is seen through ``ConfigurationGeneration``.
final class ReadCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var values: [Key: Value] = [:]
        /// Counts what was forgotten: a value that was read before it is not kept.
        var generation: UInt64 = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// A cache of at most so many values; one more, and it begins anew.
    init(limit: Int) { self.limit = limit }

    /// The value of a key: the known one, or else what is read. That there is none is not kept.
    func value(_ key: Key, read: () async throws -> Value?) async rethrows -> Value? {
        let (known, generation) = state.withLock { ($0.values[key], $0.generation) }
        if let known { return known }
        guard let value = try await read() else { return nil }
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.values.count >= limit { state.values.removeAll(keepingCapacity: true) }
            state.values[key] = value
        }
        return value
    }

    /// Forgets all.
    func forget() {
        state.withLock { state in
            state.values.removeAll(keepingCapacity: true)
            state.generation &+= 1
        }
    }
}
