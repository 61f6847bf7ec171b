import Logging
import MartletCore
import MartletWire

/// Publishes failed deliveries to the topics that want to know.
struct DeliveryFailureEvents: Sendable {
    let service: SNSService
    let failures: DeliveryFailures

    /// How many notifications of events are remembered. Ours: those that may still be under way.
    private static let memory = 1_000

    /// Publishes until the task is cancelled.
    ///
    /// An event that fails to be delivered is no event: a topic whose own subscriber fails would never come to an end.
    func run() async {
        var own: [PublicID] = []
        for await settlement in failures.all {
            guard !own.contains(settlement.batch.notificationID) else { continue }
            own += await publish(settlement)
            if own.count > Self.memory { own.removeFirst(own.count - Self.memory) }
        }
    }

    private func publish(_ settlement: Settlement) async -> [PublicID] {
        let queue = settlement.batch.queue
        var published: [PublicID] = []
        do {
            guard let application = try await service.store.platformApplication(of: queue),
                let topic = application.attributes["EventDeliveryFailure"], !topic.isEmpty
            else { return [] }
            for failed in DeliveryFailures.failed(in: settlement) {
                guard let endpoint = try await service.store.endpoint(queue.app, .row(failed.endpoint)) else {
                    continue
                }
                let event = event(failed, of: endpoint, in: application)
                let text = String(decoding: try event.json(), as: UTF8.self)
                published += await service.publishEvent(text, subject: "DeliveryFailure event", to: topic)
            }
        } catch {
            service.logger.warning("a delivery failure could not be told", metadata: ["error": "\(error)"])
        }
        return published
    }

    private func event(
        _ failed: DeliveryFailures.Failed,
        of endpoint: Endpoint,
        in application: PlatformApplication
    ) -> JSONValue {
        let resource = PlatformApplicationARN(
            region: application.region ?? service.homeRegion,
            account: service.settings.account,
            platform: application.kind.rawValue,
            name: application.name
        )
        let arn = EndpointARN(application: resource, id: endpoint.id.description)
        let reason = failed.reason ?? "Unknown"
        // The first is Amazon's word for every answer of a provider about a token.
        let type = failed.isTokenBad ? "InvalidPlatformToken" : reason
        let text =
            failed.isTokenBad
            ? "Platform token associated with the endpoint is not valid" : "The delivery failed: \(reason)"
        return .object([
            "DeliveryAttempts": .integer(Int64(failed.attempts)),
            "EndpointArn": .string(arn.description),
            "EventType": "DeliveryFailure",
            "FailureMessage": .string(text),
            "FailureType": .string(type),
            "MessageId": .string(failed.notification.description),
            "Resource": .string(resource.description),
            "Service": "SNS",
            "Time": .string(UTCTime(service.clock.now()).description),
        ])
    }
}
