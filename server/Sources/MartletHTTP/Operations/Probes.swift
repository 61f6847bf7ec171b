import MartletCore
import MartletWire

/// The probes of balancers and of Prometheus.
extension MartletAPI {
    /// For how long the store may take to answer `/readyz`: below the second that probes usually wait.
    private static let probeTimeout: Duration = .milliseconds(900)

    func health(_ call: Call) async throws -> BareReply<HealthResponse> {
        BareReply(document: HealthResponse(status: "ok"))
    }

    func ready(_ call: Call) async throws -> BareReply<HealthResponse> {
        guard !readiness.isShuttingDown else { throw Failure(.overloaded, "The server is shutting down.") }
        guard await storeAnswers() else { throw Failure(.overloaded, "The store does not answer.") }
        return BareReply(document: HealthResponse(status: "ok"))
    }

    private func storeAnswers() async -> Bool {
        let deadline = clock.now() + Self.probeTimeout
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await store.apps(PageRequest(count: 1))) != nil }
            group.addTask {
                try? await clock.sleep(until: deadline)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }

    func showMetrics(_ call: Call) async throws -> MetricsText {
        MetricsText(text: metrics.text(with: await readings.all()))
    }
}
