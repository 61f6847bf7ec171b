/// Work that is under way although its last leases ended without a settlement. A pure value.
///
/// What the worker dies of it may die of late: when a connection stood, or when an answer came. So what has lived for a
/// moment is not innocent, only less in the way: each further lease is alone for longer, the last one until its
/// settlement, so that none is set aside for the death of another suspect. Work that is not suspect waits for nobody: what
/// kills the worker for the first or second time counts against a suspect that is under way beside it.
public struct Suspect: Sendable, Hashable {
    /// Leases in a row without a settlement, this one among them.
    public var leases: Int
    /// When this lease began.
    public var leasedAt: Timestamp
    /// Where it is sent; `nil` for a notification's fan-out.
    public var lane: Lane?

    /// Work that is under way.
    public init(leases: Int, leasedAt: Timestamp, lane: Lane?) {
        self.leases = leases
        self.leasedAt = leasedAt
        self.lane = lane
    }

    /// Whether another suspect waits for it: one of its lane until it is settled, one of another lane for as long as it is
    /// tried alone. One whose lease would be its last waits for all.
    ///
    /// - Parameters:
    ///   - other: the lane of the one that is to be leased.
    ///   - failures: its leases in a row that ended without a settlement.
    public func keepsWaiting(_ other: Lane?, failures: Int, at now: Timestamp) -> Bool {
        guard lane != other, failures + 1 < LeaseTrial.limit, let alone = Suspect.alone(in: leases) else { return true }
        // Not from a future that a clock which was set back has left behind.
        return leasedAt <= now && now - leasedAt < alone
    }

    /// For how long suspects of other lanes wait for one; `nil` is until its settlement.
    ///
    /// Ours: most of what the worker dies of it dies of within two seconds, and one whose provider does not answer is not to
    /// keep other apps waiting for longer; what has seen two more crashes gets the time in which a connection is made; at
    /// the last, which decides, no other suspect can be to blame.
    ///
    /// - Parameter lease: which lease in a row without a settlement.
    public static func alone(in lease: Int) -> Duration? {
        switch lease {
        case ...(LeaseTrial.suspectFrom + 1): .seconds(2)
        case ..<LeaseTrial.limit: .seconds(10)
        default: nil
        }
    }
}
