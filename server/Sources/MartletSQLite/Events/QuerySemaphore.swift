import Synchronization

/// How many queries are being answered.
final class QuerySemaphore: Sendable {
    private let count = Mutex(0)

    /// Takes a place, if there is one.
    func enter(_ limit: Int) -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    /// Gives a place back.
    func leave() { count.withLock { $0 -= 1 } }
}
