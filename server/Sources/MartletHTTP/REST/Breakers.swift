import MartletCore
import MartletWire

/// The queues whose provider does not answer.
extension MartletAPI {
    func listBreakers(_ call: Call) async throws -> List<BreakerResponse> {
        let app = try await app(of: call)
        return List(standingBreakers(of: app).map(BreakerResponse.init))
    }

    /// An app's breakers that are not closed, in the order of platforms and environments.
    func standingBreakers(of app: App) -> [(queue: DeliveryQueue, breaker: Breaker)] {
        breakers.all(of: app.row, at: clock.now())
            .filter { $0.value.state != .closed }
            .map { (queue: $0.key, breaker: $0.value) }
            .sorted { $0.queue.word < $1.queue.word }
    }
}

extension DeliveryQueue {
    /// The queue within its app, as `apns/production`.
    var word: String { "\(platform.rawValue)/\(environment.rawValue)" }
}

extension BreakerResponse {
    init(_ queue: DeliveryQueue, _ breaker: Breaker) {
        let state: State
        var probeAt: UTCTime?
        switch breaker.state {
        case .closed: state = .closed
        case .open(let until):
            state = .open
            probeAt = UTCTime(until)
        case .probing: state = .probing
        case .recovering: state = .recovering
        }
        self.init(
            platform: PlatformName(queue.platform),
            environment: EnvironmentName(queue.environment),
            state: state,
            reason: breaker.reason,
            since: UTCTime(breaker.since ?? Timestamp(milliseconds: 0)),
            probeAt: probeAt
        )
    }
}
