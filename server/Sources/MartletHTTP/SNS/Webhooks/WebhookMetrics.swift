import MartletCore
import Synchronization

/// What is counted of the calls of webhook URLs since the start.
public final class WebhookMetrics: Sendable {
    /// What a call came to.
    enum Result: String, CaseIterable {
        case delivered, retried, deferred, dead, expired
    }

    private let counts = Mutex<[Result: Int]>([:])

    /// The defaults.
    public init() {}

    /// Counts one.
    func count(_ outcome: WebhookOutcome) {
        let result: Result =
            switch outcome {
            case .delivered: .delivered
            case .retry: .retried
            case .deferred: .deferred
            case .dead: .dead
            }
        counts.withLock { $0[result, default: 0] += 1 }
    }

    /// Counts deliveries that were given up without another call because they had waited too long.
    func countExpired(_ count: Int) { counts.withLock { $0[.expired, default: 0] += count } }

    /// How many came to this.
    func number(of result: Result) -> Int { counts.withLock { $0[result] ?? 0 } }

    /// What `/metrics` shows.
    ///
    /// - Parameter backlog: what waits; `nil` when the store does not say.
    func samples(_ backlog: WebhookBacklog?, at now: Timestamp) -> [MetricSample] {
        var attempts = MetricSample(
            "martlet_webhook_deliveries_total",
            .counter,
            "Messages for webhook URLs that were taken up, for each of them, by what that came to."
        )
        for result in Result.allCases { attempts.add([("result", result.rawValue)], number(of: result)) }
        guard let backlog else { return [attempts] }
        var waiting = MetricSample(
            "martlet_webhook_backlog_deliveries",
            .gauge,
            "Messages that wait for a webhook URL, for each of them."
        )
        waiting.add(backlog.deliveries)
        var age = MetricSample(
            "martlet_webhook_backlog_age_seconds",
            .gauge,
            "For how long the oldest message has waited that not all webhook URLs have."
        )
        age.add([], backlog.oldest.map { now - $0 } ?? .zero)
        var dead = MetricSample(
            "martlet_webhook_dead_letters",
            .gauge,
            "Messages that a webhook URL did not take and that nobody sent again."
        )
        dead.add(backlog.deadLetters)
        var silent = MetricSample(
            "martlet_webhook_silent_hosts",
            .gauge,
            "Hosts of webhook URLs that did not answer, and get one call at a time."
        )
        silent.add(backlog.silentHosts)
        return [attempts, waiting, age, dead, silent]
    }
}
