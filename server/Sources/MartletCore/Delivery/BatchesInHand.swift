import Synchronization

/// The batches that this process works on, so that it leases none of them a second time: when the clock is set forward, or
/// the process stood still for longer than a lease lasts, their leases look as if they had ended.
final class BatchesInHand: Sendable {
    private let held = Mutex<Set<RowID<Batch>>>([])

    /// Those that are worked on now. Bounded by the slots, which each of them has taken.
    var rows: Set<RowID<Batch>> { held.withLock { $0 } }

    /// Counts batches in, before anybody works on them.
    func add(_ batches: [Batch]) { held.withLock { $0.formUnion(batches.lazy.map(\.row)) } }

    /// Counts a batch out, when nobody works on it any more.
    func remove(_ batch: Batch) { held.withLock { _ = $0.remove(batch.row) } }
}
