import MartletCore
import Synchronization

/// Asks the store whether it answers, and does not wait longer than it should: a read that hangs cannot be cancelled, so
/// it is left behind, and while many are, every further request is answered without another one.
final class StoreProbe: Sendable {
    /// For how long the store may take: below the second that probes usually wait.
    static let timeout: Duration = .milliseconds(900)

    /// How many reads may be under way: more probes than ever come at once.
    static let limit = 8

    private let reads = Mutex(0)

    /// Whether `read` ends in time without an error; not, while as many as may be have not ended.
    func answers(clock: any WallClock, _ read: @escaping @Sendable () async throws -> Void) async -> Bool {
        let isAsked = reads.withLock { reads in
            guard reads < StoreProbe.limit else { return false }
            reads += 1
            return true
        }
        guard isAsked else { return false }
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
        // Not children: their parent would wait for the one that hangs.
        Task {
            let isGood = (try? await read()) != nil
            reads.withLock { $0 -= 1 }
            answer.yield(isGood)
        }
        let timer = Task {
            try? await clock.sleep(for: StoreProbe.timeout)
            answer.yield(false)
        }
        defer { timer.cancel() }
        for await isGood in answers { return isGood }
        return false
    }
}
