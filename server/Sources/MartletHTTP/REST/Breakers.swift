import MartletCore
import MartletWire

/// The queues whose provider does not answer.
extension MartletAPI {
    func listBreakers(_ call: Call) async throws -> List<BreakerResponse> {
        let app = try await app(of: call)
        return List(breakers.standing(of: app.row, at: clock.now()).map(BreakerResponse.init))
    }
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
            platform: queue.platform,
            environment: queue.environment,
            state: state,
            reason: breaker.reason,
            since: UTCTime(breaker.since ?? Timestamp(milliseconds: 0)),
            probeAt: probeAt
        )
        reasonCode = breaker.reason.map(ReasonCode.text(of:))
    }
}
