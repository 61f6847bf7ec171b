import CoreMetrics
import MartletCore
import Metrics

/// Counts what the calls of webhook URLs came to: `martlet_webhook_deliveries_total`, by result.
struct WebhookMetrics: Sendable {
    private let delivered, retried, deferred, dead, expired: Counter

    init(factory: any MetricsFactory) {
        func counter(_ result: String) -> Counter {
            Counter(label: "martlet_webhook_deliveries_total", dimensions: [("result", result)], factory: factory)
        }
        delivered = counter("delivered")
        retried = counter("retried")
        deferred = counter("deferred")
        dead = counter("dead")
        expired = counter("expired")
    }

    func count(_ outcome: WebhookOutcome) {
        switch outcome {
        case .delivered: delivered.increment()
        case .retry: retried.increment()
        case .deferred: deferred.increment()
        case .dead: dead.increment()
        }
    }

    /// Counts deliveries that were given up without another call.
    func count(_ leased: LeasedWebhooks) {
        expired.increment(by: leased.expired)
        dead.increment(by: leased.crashed)
    }
}
