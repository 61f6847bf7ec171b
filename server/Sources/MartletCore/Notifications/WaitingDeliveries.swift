/// How many deliveries wait, by whose they are. A pure value.
///
/// While no more waits than the bound says, everybody may send. Beyond it who has more waiting than a fair share may not:
/// so what one app's provider leaves lying keeps no other app from sending. Beyond twice the bound nobody may, as fair
/// shares alone grow with the number of apps in trouble, and as an audience counts as one until it is read.
public struct WaitingDeliveries: Sendable, Hashable {
    /// Whose deliveries wait.
    public enum Owner: Sendable, Hashable {
        case app(RowID<App>)
        /// The webhook URLs that are subscribed to topics, all of them together.
        case webhooks
    }

    /// How many wait, without those who have none.
    public private(set) var counts: [Owner: Int] = [:]
    /// How many wait, of everybody.
    public private(set) var total = 0

    /// The defaults.
    public init() {}

    /// Adds so many to an owner's.
    public mutating func add(_ count: Int, of owner: Owner) {
        guard count > 0 else { return }
        counts[owner, default: 0] += count
        total += count
    }

    /// Whether a bound keeps one of these from sending.
    package func isRefused(_ owners: Set<Owner>, limit: Int) -> Bool {
        if total - limit > limit { return true }
        guard let share = fairShare(of: limit) else { return false }
        return owners.contains { counts[$0, default: 0] > share }
    }

    /// The most that each owner may have if all of them together are to keep a bound (max-min fairness: what one leaves
    /// of its part is everybody's); `nil` while they keep it.
    private func fairShare(of limit: Int) -> Int? {
        guard total > limit else { return nil }
        var left = limit
        for (index, count) in counts.values.sorted().enumerated() {
            let share = left / (counts.count - index)
            guard count <= share else { return share }
            left -= count
        }
        return nil
    }
}
