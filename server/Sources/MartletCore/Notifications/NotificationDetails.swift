package import MartletWire

/// How many did not get a notification, by reason.
public struct MissedReasons: Sendable, Hashable {
    /// A state and, where there is one, the provider's reason or ours.
    public struct Reason: Sendable, Hashable {
        package var state: DeliveryState
        package var reason: String?

        package init(_ state: DeliveryState, _ reason: String?) { (self.state, self.reason) = (state, reason) }
    }

    package var counts: [Reason: Int]
    /// Whether all were looked at.
    package var isWhole: Bool
    /// How many have not got it yet, by what they wait for.
    package var waiting: [Waiting: Int] = [:]
    /// Whether all of those were looked at.
    package var isWaitingWhole = true

    /// Of how many the reasons are counted. Ours: some milliseconds.
    package static let usualLimit = 20_000

    package init(counts: [Reason: Int] = [:], isWhole: Bool = true) {
        (self.counts, self.isWhole) = (counts, isWhole)
    }

    /// Counts those that wait among the others: by what keeps their queue, or else by what came of their last attempt.
    package mutating func countWaiting(_ stops: QueueStops) {
        for (waiting, count) in self.waiting {
            counts[Reason(.pending, stops.apply(to: waiting).reason), default: 0] += count
        }
    }
}

extension MissedReasons.Reason {
    /// The provider's word or ours, or that of the state.
    package var word: String { reason ?? state.rawValue }

    /// The same for people: a sentence.
    package var statement: String {
        let report = DeliveryReport(
            endpoint: nil,
            endpointRow: nil,
            platform: nil,
            user: nil,
            state: state,
            reason: reason,
            heldBy: nil,
            attempts: 0,
            at: nil
        )
        return report.statement
    }
}
