import MartletCore
import Synchronization

/// Spreads the messages of subscriptions that take only so many a second: each gets a turn once, and goes when it comes
/// again.
final class SubscriptionThrottle: Sendable {
    private let turns = Mutex(SubscriptionTurns())

    /// When a delivery may go: `nil` now, else its turn.
    func turn(of delivery: WebhookDelivery, perSecond: Int, now: Timestamp) -> Timestamp? {
        turns.withLock { $0.turn(of: delivery.row, to: delivery.subscription.row, perSecond: perSecond, now: now) }
    }
}

/// The turns that were given and not taken yet.
struct SubscriptionTurns {
    /// How many subscriptions, and how many turns, are remembered. Ours: some hundred kilobytes.
    static let limit = 10_000
    /// For how long a turn is kept for a delivery that does not come: it was dropped, or another process made it.
    static let timeout: Duration = WebhookDelivery.lease

    /// When the next turn of each subscription is.
    private(set) var next: [RowID<Subscription>: Timestamp] = [:]
    /// When the turn of each delivery is.
    private(set) var given: [RowID<WebhookDelivery>: Timestamp] = [:]
    private var cleanedAt = Timestamp(milliseconds: 0)

    /// When a delivery may go: `nil` now, else its turn, or a moment at which to ask again where there is no capacity.
    mutating func turn(
        of delivery: RowID<WebhookDelivery>,
        to subscription: RowID<Subscription>,
        perSecond: Int,
        now: Timestamp
    ) -> Timestamp? {
        if given.removeValue(forKey: delivery) != nil { return nil }
        forgetOld(now)
        let step = Duration.milliseconds(max(1, 1_000 / Int64(perSecond)))
        let turn = max(next[subscription] ?? now, now)
        guard next[subscription] != nil || next.count < Self.limit else { return now + .seconds(1) }
        guard turn > now else {
            next[subscription] = now + step
            return nil
        }
        if given.count < Self.limit {
            given[delivery] = turn
            next[subscription] = turn + step
        }
        return turn
    }

    /// Once a second is often enough, and looks each of them through rarely where there are many. Of a clock that has been
    /// set back all is forgotten: its turns would come as much later.
    private mutating func forgetOld(_ now: Timestamp) {
        if now < cleanedAt { (next, given, cleanedAt) = ([:], [:], now) }
        guard now >= cleanedAt + .seconds(1) else { return }
        cleanedAt = now
        next = next.filter { $0.value > now }
        given = given.filter { $0.value + Self.timeout > now }
    }
}
