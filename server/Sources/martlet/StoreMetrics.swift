import CoreMetrics
import MartletCore
import MartletSQLite
import Metrics

/// What the database's commits cost, as metrics.
enum StoreMetrics {
    /// What each metric says, and those of the pipeline.
    static let help = DeliveryMetrics.help.merging([
        "martlet_commit_seconds": "From the beginning of a commit until it was on the disk.",
        "martlet_commit_writes": "How many writes shared a commit.",
        "martlet_dead_letters": "Deliveries whose attempts were used up and that nobody has retried.",
        "martlet_endpoints_enabled": "Endpoints that pushes are made to.",
        "martlet_backlog_deliveries": "Deliveries that wait or are under way, by app, platform and environment.",
        "martlet_backlog_age_seconds": "Age of the oldest notification that waits, by app, platform and environment.",
        "martlet_http_requests_total": "Requests, by route and status.",
        "martlet_http_request_seconds": "From a request's head to its answer, by route.",
        "martlet_apns_defects_total": "Requests that APNs refused because of how we made them, by reason.",
        "martlet_set_aside": "Batches and fan-outs that are tried no more until somebody asks for it.",
        "martlet_breaker_state": "0 closed, 1 trying, 2 open: the provider does not answer and deliveries wait.",
        "martlet_lane_paused": "1 where an operator has to act before anything is sent.",
    ]) { $1 }

    /// Counts each commit.
    static func observer(_ factory: any MetricsFactory) -> @Sendable (CommitReport) -> Void {
        let timer = Timer(label: "martlet_commit_seconds", dimensions: [], factory: factory)
        let writes = Recorder(label: "martlet_commit_writes", dimensions: [], aggregate: true, factory: factory)
        return { report in
            let (seconds, attoseconds) = report.duration.components
            timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
            writes.record(report.writes)
        }
    }
}
