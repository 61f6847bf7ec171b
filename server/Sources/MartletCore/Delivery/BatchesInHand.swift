import Synchronization

/// The batches that this process works on, so that it leases none of them a second time: when the clock is set forward, or
/// the process stood still for longer than a lease lasts, their leases look as if they had ended.
final class BatchesInHand: Sendable {
    private let held = Mutex<Set<RowID<Batch>>>([])

    /// Those that are worked on now. Bounded by the slots, which each of them has taken.
    var rows: Set<RowID<Batch>> { held.withLock { $0 } }

    /// Counts batches in, before anybody works on them; returns those that nobody works on yet. A head start's batch is
    /// leased before it comes here: whoever comes second leaves it.
    func begin(_ batches: [Batch]) -> [Batch] {
        held.withLock { held in batches.filter { held.insert($0.row).inserted } }
    }

    /// Counts a batch out, when nobody works on it any more.
    func end(_ batch: Batch) { held.withLock { _ = $0.remove(batch.row) } }
}
