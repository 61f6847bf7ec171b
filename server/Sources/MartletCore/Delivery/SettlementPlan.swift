/// What a checkpoint writes, from what is known of its batch. A pure value.
///
/// An answer is recorded whether the lease is held or not, and a result that exists stays. All else is the business of
/// whoever holds the lease.
public struct SettlementPlan: Sendable, Hashable {
    /// What becomes of the batch's row.
    public enum Row: Sendable, Hashable {
        /// It is somebody else's.
        case untouched
        /// Nothing of it waits any more.
        case delete
        /// Its members stay, and so many of them wait: results are subtracted whenever it is leased.
        case keep(waiting: Int)
        /// These are its members from now on: others stand in another batch, or may come to stand in one.
        case rewrite([Member])
    }

    /// What was accepted and is not recorded yet; to be written as one list.
    public var accepted: [Member] = []
    /// Results that are to be written as rows.
    public var results: [DeliveryResult]
    /// Deliveries that were not made.
    public var suppressions: [Suppression] = []
    /// What becomes of the batch's row.
    public var row: Row

    /// Decides. Of two answers for one endpoint the first counts.
    ///
    /// - Parameters:
    ///   - isHeld: whether the settlement's lease is held.
    ///   - settled: those of the batch's endpoints of which a result is known.
    public init(_ settlement: Settlement, isHeld: Bool, settled: Set<RowID<Endpoint>>) {
        let news = SettlementPlan.news(settlement.results, settled)
        guard isHeld else {
            // As rows: a list's first endpoint could be another list's.
            (results, row) = (news, .untouched)
            return
        }
        accepted = news.filter { $0.state == .accepted }.map(\.member)
        results = news.filter { $0.state != .accepted }
        suppressions = settlement.suppressions.filter { !($0.endpoint.map(settled.contains) ?? false) }
        let remaining = settlement.remaining
        if remaining.isEmpty {
            row = .delete
        } else if settlement.retries.isEmpty, settlement.suppressions.isEmpty,
            !settlement.results.contains(where: { $0.state == .dead })
        {
            row = .keep(waiting: remaining.count)
        } else {
            // One that died may be asked for again, and stands in a batch of its own then.
            row = .rewrite(remaining)
        }
    }

    private static func news(_ results: [DeliveryResult], _ settled: Set<RowID<Endpoint>>) -> [DeliveryResult] {
        // As a rule they come in key order, and none of them is known.
        let isEachOnce = zip(results, results.dropFirst()).allSatisfy { $0.member.endpoint < $1.member.endpoint }
        if settled.isEmpty, isEachOnce { return results }
        var known = settled
        return results.filter { known.insert($0.member.endpoint).inserted }
    }
}
