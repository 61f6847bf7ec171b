import MartletCore
import MartletWire

/// The lanes whose provider does not answer.
extension MartletAPI {
    func listBreakers(_ call: Call) async throws -> List<BreakerResponse> {
        let app = try await app(of: call)
        return List(standingBreakers(of: app).map(BreakerResponse.init))
    }

    /// An app's breakers that are not closed, in the order of platforms and environments.
    func standingBreakers(of app: App) -> [(lane: Lane, breaker: Breaker)] {
        breakers.all(of: app.row, at: clock.now())
            .filter { $0.value.state != .closed }
            .map { (lane: $0.key, breaker: $0.value) }
            .sorted { $0.lane.word < $1.lane.word }
    }
}

extension Lane {
    /// The lane within its app, as `apns/production`.
    var word: String { "\(platform.rawValue)/\(environment.rawValue)" }
}

extension BreakerResponse {
    init(_ lane: Lane, _ breaker: Breaker) {
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
            platform: PlatformName(lane.platform),
            environment: EnvironmentName(lane.environment),
            state: state,
            reason: breaker.reason,
            since: UTCTime(breaker.since ?? Timestamp(milliseconds: 0)),
            probeAt: probeAt
        )
    }
}
