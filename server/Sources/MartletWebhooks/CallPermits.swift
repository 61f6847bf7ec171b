import MartletCore
import Synchronization

/// The calls that one dispatcher has under way, of each queue and in all.
final class CallPermits: Sendable {
    private struct Use {
        var calls = 0
        var standing: WebhookHost.Standing
    }

    private let uses = Mutex<[String: Use]>([:])
    private let limits: WebhookDispatcher.Limits

    init(_ limits: WebhookDispatcher.Limits) { self.limits = limits }

    /// How many more may be made.
    func capacity() -> WebhookCapacity {
        let uses = uses.withLock { $0 }
        func calls(_ standing: WebhookHost.Standing) -> Int {
            uses.values.reduce(0) { $1.standing == standing ? $0 + $1.calls : $0 }
        }
        return WebhookCapacity(
            total: max(0, limits.calls - uses.values.reduce(0) { $0 + $1.calls }),
            perQueue: limits.callsPerHost,
            perUnprovenQueue: limits.callsPerUnprovenHost,
            ofNew: limits.callsOfNewHosts - calls(.new),
            ofSilent: limits.callsOfSilentHosts - calls(.silent),
            taken: uses.mapValues(\.calls)
        )
    }

    /// Notes a call that begins.
    func acquire(_ delivery: WebhookDelivery) {
        uses.withLock { uses in
            var use = uses[delivery.queue] ?? Use(standing: delivery.standing)
            use.calls += 1
            use.standing = delivery.standing
            uses[delivery.queue] = use
        }
    }

    /// Notes a call that is over, and what it told of the host.
    func release(_ delivery: WebhookDelivery, _ sign: WebhookHost.Sign) {
        uses.withLock { uses in
            guard var use = uses[delivery.queue] else { return }
            use.calls -= 1
            switch sign {
            case .none: break
            case .answered: use.standing = .answering
            case .silent: use.standing = .silent
            }
            uses[delivery.queue] = use.calls > 0 ? use : nil
        }
    }
}
