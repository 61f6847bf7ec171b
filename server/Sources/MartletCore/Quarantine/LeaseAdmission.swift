/// Whether a batch, a fan-out or a delivery to a webhook URL that is due is leased, from how many leases in a row ended
/// without a settlement. A pure value.
///
/// A crash ends all leases of a process, and only one of them was at fault. What was there more than once may be poison,
/// and is leased alone in its queue: the next crash counts against it and not against its neighbours. A lease that is
/// given back counts as settled.
public enum LeaseAdmission: Sendable, Hashable {
    /// It is leased.
    case lease
    /// It waits for another one of its queue that may be poison.
    case wait
    /// Its lease is made longer, once: whoever asks holds it, and a worker that is alive renews it or ends until then.
    case extend
    /// It is tried no more until somebody asks for it.
    case quarantine

    /// After how many leases without a settlement work is quarantined. Ours: one that is unlucky twice and then fails
    /// three times alone is at fault.
    public static let limit = 5

    /// From how many leases without a settlement on work may be poison.
    public static let isolatedFrom = 2

    /// For how long what may be poison waits after a start of the server. Ours: a server that is killed again and again
    /// within seconds works on the rest, and blames nothing for it.
    public static let pauseAfterStart: Duration = .seconds(5)

    /// Decides.
    ///
    /// - Parameters:
    ///   - failures: leases in a row that ended without a settlement.
    ///   - isOtherIsolated: whether another one of its queue is leased that may be poison.
    ///   - isOwn: whether the lease that ended was of the process that asks: its clock was set forward.
    public init(failures: Int, isOtherIsolated: Bool, isOwn: Bool = false) {
        if isOwn {
            self = .extend
        } else if failures >= LeaseAdmission.limit {
            self = .quarantine
        } else {
            self = failures >= LeaseAdmission.isolatedFrom && isOtherIsolated ? .wait : .lease
        }
    }
}
