import MartletCore
import Synchronization

/// The calls that one dispatcher has under way, of each queue and in all.
final class CallSlots: Sendable {
    private struct Use {
        var deliveries: Set<RowID<WebhookDelivery>> = []
        var standing: WebhookHost.Standing

        var calls: Int { deliveries.count }
    }

    private let uses = Mutex<[String: Use]>([:])
    private let limits: WebhookDispatcher.Limits

    /// No calls yet.
    init(_ limits: WebhookDispatcher.Limits) { self.limits = limits }

    /// How many more may be made.
    func room() -> WebhookRoom {
        let uses = uses.withLock { $0 }
        func calls(_ standing: WebhookHost.Standing) -> Int {
            uses.values.reduce(0) { $1.standing == standing ? $0 + $1.calls : $0 }
        }
        return WebhookRoom(
            total: max(0, limits.calls - uses.values.reduce(0) { $0 + $1.calls }),
            perQueue: limits.callsPerHost,
            perUnprovenQueue: limits.callsPerUnprovenHost,
            ofNew: limits.callsOfNewHosts - calls(.new),
            ofSilent: limits.callsOfSilentHosts - calls(.silent),
            taken: uses.mapValues(\.calls)
        )
    }

    /// What is being delivered.
    var deliveries: Set<RowID<WebhookDelivery>> {
        uses.withLock { $0.values.reduce(into: []) { $0.formUnion($1.deliveries) } }
    }

    /// Notes a call that begins.
    func take(_ delivery: WebhookDelivery) {
        uses.withLock { uses in
            var use = uses[delivery.queue] ?? Use(standing: delivery.standing)
            use.deliveries.insert(delivery.row)
            use.standing = delivery.standing
            uses[delivery.queue] = use
        }
    }

    /// Notes a call that is over, and what it told of the host.
    func give(_ delivery: WebhookDelivery, _ sign: WebhookHost.Sign) {
        uses.withLock { uses in
            guard var use = uses[delivery.queue] else { return }
            use.deliveries.remove(delivery.row)
            switch sign {
            case .none: break
            case .answered: use.standing = .answering
            case .silent: use.standing = .silent
            }
            uses[delivery.queue] = use.calls > 0 ? use : nil
        }
    }
}
