import MartletCore

/// Where a batch or a fan-out stands on its way to a worker. A lease changes it in no case: whether work is under way is
/// said by the lease's own columns.
enum WorkState: Int, DatabaseEnum {
    /// It waits for its time.
    case waiting = 0
    /// It is leased as soon as there is capacity.
    case ready = 1
    /// It may be poison unless its present lease is settled: it is leased while no other such work of its queue is.
    case isolated = 2
    /// It is tried no more until somebody asks for it.
    case quarantined = 3
}

extension Timestamp {
    /// When the batches of a cancelled notification end.
    static let cancelled = Timestamp(milliseconds: 0)
    /// Beyond all time.
    static let never = Timestamp(milliseconds: .max)
}
