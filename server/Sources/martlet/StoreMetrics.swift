import CoreMetrics
import MartletHTTP
import MartletSQLite
import MartletStore
import Metrics

/// What the database's commits cost, as metrics.
enum StoreMetrics {
    /// What the metrics that the registry keeps mean.
    static let help = [
        "martlet_commit_seconds": "From the start of a commit until it is on the disk.",
        "martlet_commit_writes": "How many writes shared a commit.",
        "martlet_commit_failures_total": "Commits that failed with all their writes, by reason.",
        "martlet_http_requests_total": "Requests, by method, route and status.",
        "martlet_http_request_seconds": "From a request's head to its answer, by method, route and status.",
        "martlet_webhook_deliveries_total":
            "Messages for webhook URLs that were taken up, for each of them, by what that came to.",
        "martlet_provider_defects_total":
            "Requests that a provider refused because Martlet built them wrongly, by platform and reason.",
    ]

    /// How a database is opened whose commits are counted.
    static func options(_ factory: any MetricsFactory) -> Store.Options {
        let timer = Timer(label: "martlet_commit_seconds", dimensions: [], factory: factory)
        let writes = Recorder(label: "martlet_commit_writes", dimensions: [], aggregate: true, factory: factory)
        let failures = Dictionary(
            uniqueKeysWithValues: CommitFailure.allCases.map { reason in
                let dimensions = [("reason", reason.rawValue)]
                return (
                    reason, Counter(label: "martlet_commit_failures_total", dimensions: dimensions, factory: factory)
                )
            }
        )
        return Store.Options(
            onCommit: { report in
                let (seconds, attoseconds) = report.duration.components
                timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
                writes.record(report.writes)
            },
            onCommitFailure: { failures[$0]?.increment() }
        )
    }

    /// How many writes wait for the database, whenever somebody asks.
    static func show(_ store: Store, in registry: PrometheusRegistry) {
        registry.read { [weak store] in
            var waiting = MetricSample("martlet_commit_waiting_writes", .gauge, "Writes that wait for a commit.")
            waiting.add(store?.waitingWrites ?? 0)
            return waiting
        }
    }
}
