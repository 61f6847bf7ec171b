import Logging
package import MartletCore
import MartletStore
import MartletWire

/// Publishes failed deliveries to the topics that want to know.
package struct DeliveryFailureEvents: Sendable {
    let service: SNSService
    let failures: DeliveryFailures

    package init(service: SNSService, failures: DeliveryFailures) {
        self.service = service
        self.failures = failures
    }

    /// Publishes until the task is cancelled. What tells of a failure is of that origin, on whatever server it is delivered.
    package func run() async {
        for await settlement in failures.all where settlement.batch.origin != .deliveryFailure {
            await publish(settlement)
        }
    }

    private func publish(_ settlement: Settlement) async {
        let queue = settlement.batch.queue
        do {
            guard let application = try await service.store.platformApplication(of: queue),
                let topic = application.attributes["EventDeliveryFailure"], !topic.isEmpty
            else { return }
            for failed in DeliveryFailures.failed(in: settlement) {
                guard let endpoint = try await service.store.endpoint(queue.app, .row(failed.endpoint)) else {
                    continue
                }
                let event = event(failed, of: endpoint, in: application)
                let text = String(decoding: try event.json(), as: UTF8.self)
                await service.publishEvent(
                    text,
                    subject: "DeliveryFailure event",
                    to: topic,
                    origin: .deliveryFailure
                )
            }
        } catch {
            service.logger.warning("a delivery failure could not be told", metadata: ["error": "\(error)"])
        }
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

/// Deliveries that failed for good, on their way to the topics that platform applications name in
/// `EventDeliveryFailure`.
///
/// They wait in memory, a checkpoint's together, as many checkpoints as ``limit``; those beyond are not told, and a crash
/// forgets those that wait. What became of a delivery is in the store whatever happens here.
package final class DeliveryFailures: Sendable {
    /// One of them.
    struct Failed: Sendable {
        var endpoint: RowID<Endpoint>
        var notification: PublicID
        var attempts: Int
        /// The provider's reason, or ours.
        var reason: String?
        /// What the answer said about the endpoint.
        var isTokenBad: Bool
    }

    /// How many checkpoints wait at most, each with a batch's deliveries at most. Ours: with nobody to tell they are
    /// gone at once, and more come only when a large send meets many dead tokens, of which nobody reads so many.
    static let limit = 16

    private let stream: AsyncStream<Settlement>
    private let queue: AsyncStream<Settlement>.Continuation

    package init() {
        (stream, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
    }

    /// Takes note of a checkpoint with deliveries that ended badly.
    ///
    /// It runs for every checkpoint, most of them of apps that want no events: what failed is picked out later.
    package func settled(_ settlement: Settlement) {
        guard settlement.results.contains(where: \.state.isFailure) else { return }
        queue.yield(settlement)
    }

    /// What comes, one after the other; for one reader, until its task is cancelled.
    var all: AsyncStream<Settlement> { stream }

    /// The deliveries of a checkpoint that ended badly.
    static func failed(in settlement: Settlement) -> [Failed] {
        let ended = Set(settlement.changes.lazy.filter(\.kind.isEnd).map(\.endpoint))
        return settlement.results.filter(\.state.isFailure).map { result in
            Failed(
                endpoint: result.member.endpoint,
                notification: settlement.batch.notificationID,
                attempts: result.attempts,
                reason: result.reason,
                isTokenBad: ended.contains(result.member.endpoint)
            )
        }
    }
}

extension DeliveryResult.State {
    /// Whether the provider or the attempts' end has kept it from being accepted.
    fileprivate var isFailure: Bool { self == .rejected || self == .dead }
}

extension EndpointChange.Kind {
    /// Whether nothing is sent to the endpoint any more.
    fileprivate var isEnd: Bool {
        switch self {
        case .disable, .disableUnlessRegistered, .remove: true
        case .learn: false
        }
    }
}
