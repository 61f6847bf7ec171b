import MartletCore
import Synchronization

/// The calls that one dispatcher has under way, of each queue and in all.
final class CallSlots: Sendable {
    private struct Use {
        var calls: Int
        var standing: WebhookHost.Standing
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

    /// Notes a call that begins.
    func take(_ queue: String, _ standing: WebhookHost.Standing) {
        uses.withLock { uses in
            let calls = uses[queue]?.calls ?? 0
            uses[queue] = Use(calls: calls + 1, standing: standing)
        }
    }

    /// Notes a call that is over, and what it told of the host.
    func give(_ queue: String, _ sign: WebhookHost.Sign) {
        uses.withLock { uses in
            guard var use = uses[queue] else { return }
            use.calls -= 1
            switch sign {
            case .none: break
            case .answered: use.standing = .answering
            case .silent: use.standing = .silent
            }
            uses[queue] = use.calls > 0 ? use : nil
        }
    }
}
