import MartletCore
import Synchronization

/// Asks the store something, and does not wait longer than it should: a read that hangs cannot be cancelled, so it is
/// left behind, and while many are, every further request is answered without another one.
final class StoreProbe: Sendable {
    /// For how long the store may take: below the second that probes usually wait.
    static let timeout: Duration = .milliseconds(900)

    /// How many reads may be under way: more probes than ever come at once.
    static let limit = 8

    private let reads = Mutex(0)

    /// Whether `read` ends in time without an error.
    func answers(clock: any WallClock, _ read: @escaping @Sendable () async throws -> Void) async -> Bool {
        await value(within: StoreProbe.timeout, clock: clock, read) != nil
    }

    /// What `read` reads; `nil` where that fails or takes longer, and while as many as may be have not ended.
    func value<Value: Sendable>(
        within limit: Duration,
        clock: any WallClock,
        _ read: @escaping @Sendable () async throws -> Value
    ) async -> Value? {
        let isAsked = reads.withLock { reads in
            guard reads < StoreProbe.limit else { return false }
            reads += 1
            return true
        }
        guard isAsked else { return nil }
        let (answers, answer) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
        // Not children: their parent would wait for the one that hangs.
        Task {
            let value = try? await read()
            reads.withLock { $0 -= 1 }
            answer.yield(value)
        }
        let timer = Task {
            try? await clock.sleep(for: limit)
            answer.yield(nil)
        }
        defer { timer.cancel() }
        for await value in answers { return value }
        return nil
    }
}
