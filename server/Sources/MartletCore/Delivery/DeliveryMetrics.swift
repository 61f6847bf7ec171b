public import CoreMetrics
import Metrics

/// What the pipeline counts: names and labels of the metrics that an operator sees.
public struct DeliveryMetrics: Sendable {
    /// What each metric says, for the operator, by its name.
    public static let help = [
        "martlet_attempts_total": "Answers of providers, by app, platform, environment, outcome and reason.",
        "martlet_deliveries_total": "Deliveries that ended or were not made, by platform and state.",
        "martlet_batches_in_flight": "Batches being worked on.",
    ]

    private let factory: any MetricsFactory

    /// Metrics that are kept by this factory.
    public init(factory: any MetricsFactory) { self.factory = factory }

    /// Counts a provider's answers as `martlet_attempts_total`, by app, platform, environment, outcome and reason.
    func count(_ outcomes: some Sequence<Outcome>, app: String, lane: Lane) {
        var groups: [Label: Int64] = [:]
        for outcome in outcomes { groups[Label(outcome), default: 0] += 1 }
        for (label, count) in groups {
            let dimensions = [
                ("app", app), ("platform", lane.platform.rawValue), ("environment", lane.environment.rawValue),
                ("outcome", label.outcome), ("reason", label.reason),
            ]
            Counter(label: "martlet_attempts_total", dimensions: dimensions, factory: factory).increment(by: count)
        }
    }

    /// Counts what a settlement recorded as `martlet_deliveries_total`, by platform and state.
    func count(_ settlement: Settlement) {
        var groups: [String: Int64] = [:]
        for fact in settlement.facts { groups["\(fact.state)", default: 0] += 1 }
        if !settlement.suppressions.isEmpty { groups["suppressed"] = Int64(settlement.suppressions.count) }
        for (state, count) in groups {
            let dimensions = [("platform", settlement.batch.lane.platform.rawValue), ("state", state)]
            Counter(label: "martlet_deliveries_total", dimensions: dimensions, factory: factory)
                .increment(by: count)
        }
    }

    /// Shows how many batches are under way as `martlet_batches_in_flight`.
    func show(batchesInFlight: Int) {
        Gauge(label: "martlet_batches_in_flight", dimensions: [], factory: factory).record(batchesInFlight)
    }

    private struct Label: Hashable {
        var outcome: String
        var reason: String

        init(_ outcome: Outcome) {
            switch outcome {
            case .accepted: (self.outcome, reason) = ("accepted", "")
            case .rejected(let rejection): (self.outcome, reason) = ("rejected", rejection.reason)
            // A lost connection's own words are many; they are in the delivery and in the log.
            case .retry(let retry):
                (self.outcome, reason) = ("retry", retry.kind == .connection ? "connection" : retry.reason)
            case .reroute: (self.outcome, reason) = ("reroute", "")
            case .misconfigured(let what): (self.outcome, reason) = ("misconfigured", what.reason)
            }
        }
    }
}
