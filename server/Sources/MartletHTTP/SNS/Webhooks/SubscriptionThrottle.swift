import MartletCore
import Synchronization

/// Spreads the messages of subscriptions that take only so many a second: each gets a turn once, and goes when it comes
/// again.
final class SubscriptionThrottle: Sendable {
    private struct State {
        var next: [RowID<Subscription>: Timestamp] = [:]
        var turns: Set<RowID<WebhookDelivery>> = []
    }

    /// How many subscriptions, and how many turns, are remembered. Ours: some hundred kilobytes. Those who find no room
    /// ask again later.
    private static let limit = 10_000

    private let state = Mutex(State())

    /// When a delivery may go: `nil` now, else its turn.
    func turn(of delivery: WebhookDelivery, perSecond: Int, now: Timestamp) -> Timestamp? {
        let step = Duration.milliseconds(max(1, 1_000 / Int64(perSecond)))
        return state.withLock { state in
            if state.turns.remove(delivery.row) != nil { return nil }
            if state.next.count >= Self.limit { state.next = state.next.filter { $0.value > now } }
            let turn = max(state.next[delivery.subscription.row] ?? now, now)
            guard turn > now else {
                state.next[delivery.subscription.row] = now + step
                return nil
            }
            if state.turns.count < Self.limit {
                state.turns.insert(delivery.row)
                state.next[delivery.subscription.row] = turn + step
            }
            return turn
        }
    }
}
