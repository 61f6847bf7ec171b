public import MartletCore
import MartletWire

/// Deliveries that failed for good, on their way to the topics that platform applications name in
/// `EventDeliveryFailure`.
///
/// They wait in memory, a checkpoint's together, as many checkpoints as ``limit``; those beyond are not told, and a crash
/// forgets those that wait. What became of a delivery is in the store whatever happens here.
public final class DeliveryFailures: SettlementObserver {
    /// One of them.
    struct Failed: Sendable {
        var endpoint: RowID<Endpoint>
        var notification: PublicID
        var attempts: Int
        /// The provider's reason, or ours.
        var reason: String?
        /// What the answer said about the endpoint.
        var isTokenBad: Bool
    }

    /// How many checkpoints wait at most, each with a batch's deliveries at most. Ours: with nobody to tell they are
    /// gone at once, and more come only when a large send meets many dead tokens, of which nobody reads so many.
    static let limit = 16

    private let stream: AsyncStream<Settlement>
    private let queue: AsyncStream<Settlement>.Continuation

    package init() {
        (stream, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
    }

    /// Takes note of a checkpoint with deliveries that ended badly.
    ///
    /// It runs for every checkpoint, most of them of apps that want no events: what failed is picked out later.
    public func settled(_ settlement: Settlement) {
        guard settlement.results.contains(where: \.state.isFailure) else { return }
        queue.yield(settlement)
    }

    /// What comes, one after the other; for one reader, until its task is cancelled.
    var all: AsyncStream<Settlement> { stream }

    /// The deliveries of a checkpoint that ended badly.
    static func failed(in settlement: Settlement) -> [Failed] {
        let ended = Set(settlement.changes.lazy.filter(\.kind.isEnd).map(\.endpoint))
        return settlement.results.filter(\.state.isFailure).map { result in
            Failed(
                endpoint: result.member.endpoint,
                notification: settlement.batch.notificationID,
                attempts: result.attempts,
                reason: result.reason,
                isTokenBad: ended.contains(result.member.endpoint)
            )
        }
    }
}

extension DeliveryResult.State {
    /// Whether the provider or the attempts' end has kept it from being accepted.
    fileprivate var isFailure: Bool { self == .rejected || self == .dead }
}

extension EndpointChange.Kind {
    /// Whether nothing is sent to the endpoint any more.
    fileprivate var isEnd: Bool {
        switch self {
        case .disable, .disableUnlessRegistered, .remove: true
        case .learn: false
        }
    }
}
