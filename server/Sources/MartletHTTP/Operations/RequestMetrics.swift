import CoreMetrics
import HTTPTypes
import Metrics
import Synchronization

/// What is counted of requests: `martlet_http_requests_total` and `martlet_http_request_seconds`, by method, route and
/// status.
final class RequestMetrics: Sendable {
    private struct Label: Hashable {
        var method: String
        var route: String
        var status: Int
    }

    private struct Meters: Sendable {
        var requests: Counter
        var seconds: Metrics.Timer
    }

    private static let usual: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    private let factory: any MetricsFactory
    // Bounded: methods outside the usual become one, routes are the table's patterns, statuses are ours.
    private let meters = Mutex<[Label: Meters]>([:])

    /// Metrics that are kept by this factory.
    init(factory: any MetricsFactory) { self.factory = factory }

    /// Counts one request.
    func record(method: HTTPRequest.Method, route: String, status: HTTPResponse.Status, duration: Duration) {
        let label = Label(
            method: Self.usual.contains(method) ? method.rawValue : "other",
            route: route,
            status: status.code
        )
        let found = meters.withLock { meters in
            if let found = meters[label] { return found }
            let made = make(label)
            meters[label] = made
            return made
        }
        found.requests.increment()
        found.seconds.record(duration: duration)
    }

    private func make(_ label: Label) -> Meters {
        let dimensions = [("method", label.method), ("route", label.route), ("status", String(label.status))]
        return Meters(
            requests: Counter(label: "martlet_http_requests_total", dimensions: dimensions, factory: factory),
            seconds: Metrics.Timer(label: "martlet_http_request_seconds", dimensions: dimensions, factory: factory)
        )
    }
}
