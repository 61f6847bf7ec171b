/// What becomes of work that is due, from how many leases in a row ended without a settlement. A pure value.
///
/// A crash ends all leases of a process, and only one of them was at fault. Work that was there more than once is
/// suspect and is leased while no other ``Suspect`` keeps it waiting: so the one at fault is found, and the others are
/// cleared by their settlements long before they would be set aside with it. A lease that is given back counts as settled.
public enum LeaseTrial: Sendable, Hashable {
    /// It is leased.
    case lease
    /// It is looked at again after ``pause``: another suspect is tried alone.
    case later
    /// It is tried no more.
    case setAside

    /// After how many leases without a settlement work is set aside. Ours: one that is unlucky twice and is then tried
    /// alone three times is at fault.
    public static let limit = 5

    /// From how many leases without a settlement on work is suspect.
    public static let suspectFrom = 2

    /// For how long a suspect waits when another one is tried. Ours: after two crashes all that was under way is
    /// suspect, eighty small batches in a lane, and a push to one user must not wait for a minute behind them.
    public static let pause: Duration = .milliseconds(100)

    /// For how long a suspect waits after a start of the server. Ours: a server that is killed again and again within
    /// seconds works on what is not suspect, and blames nothing else.
    public static let pauseAfterStart: Duration = .seconds(5)

    /// Decides.
    ///
    /// - Parameters:
    ///   - failures: leases in a row that ended without a settlement.
    ///   - isSuspectUnderWay: asked for suspects alone.
    public init(failures: Int, isSuspectUnderWay: @autoclosure () throws -> Bool) rethrows {
        if failures >= LeaseTrial.limit {
            self = .setAside
        } else if failures >= LeaseTrial.suspectFrom {
            self = try isSuspectUnderWay() ? .later : .lease
        } else {
            self = .lease
        }
    }
}
