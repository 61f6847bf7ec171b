public import MartletCore
import MartletWire

/// Deliveries that failed for good, on their way to the topics that platform applications name in
/// `EventDeliveryFailure`.
///
/// They wait in memory, as many as ``limit``; those beyond are not told, and a crash forgets those that wait. What became
/// of a delivery is in the store whatever happens here.
public final class DeliveryFailures: SettlementObserver {
    /// One of them.
    struct Failed: Sendable {
        var lane: Lane
        var endpoint: RowID<Endpoint>
        var notification: PublicID
        var attempts: Int
        /// The provider's reason, or ours.
        var reason: String?
        /// What the answer said about the endpoint.
        var isTokenBad: Bool
    }

    /// How many wait at most. Ours: more come only when a large send meets many dead tokens, and nobody reads so many.
    static let limit = 1_000

    private let stream: AsyncStream<Failed>
    private let queue: AsyncStream<Failed>.Continuation

    /// None yet.
    public init() {
        (stream, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
    }

    /// Takes note of the deliveries that ended badly.
    public func settled(_ settlement: Settlement) {
        let failed = settlement.facts.filter { $0.state == .rejected || $0.state == .dead }
        guard !failed.isEmpty else { return }
        let ended = Set(settlement.changes.lazy.filter(\.kind.isEnd).map(\.endpoint))
        for fact in failed {
            queue.yield(
                Failed(
                    lane: settlement.batch.lane,
                    endpoint: fact.member.endpoint,
                    notification: settlement.batch.notificationID,
                    attempts: fact.attempts,
                    reason: fact.reason,
                    isTokenBad: ended.contains(fact.member.endpoint)
                )
            )
        }
    }

    /// What comes, one after the other; for one reader, until its task is cancelled.
    var all: AsyncStream<Failed> { stream }
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
