import MartletCore
import MartletStore
import MartletWire

/// The probes of balancers and of Prometheus.
extension MartletAPI {
    func health(_ call: Call) async throws -> BareReply<HealthResponse> {
        BareReply(document: HealthResponse(status: "ok"))
    }

    func ready(_ call: Call) async throws -> BareReply<HealthResponse> {
        guard !readiness.isShuttingDown else { throw Failure(.overloaded, "The server is shutting down.") }
        let isAnswering = await probe.answers(clock: clock) { [store] in _ = try await store.apps(PageRequest(count: 1))
        }
        guard isAnswering else { throw Failure(.overloaded, "The store does not answer.") }
        if let refusal = store.refusal { throw refusal }
        return BareReply(document: HealthResponse(status: "ok"))
    }

    func showMetrics(_ call: Call) async throws -> MetricsText {
        MetricsText(text: metrics.text(with: await samples.all() + [eventMetrics.sample]))
    }
}
