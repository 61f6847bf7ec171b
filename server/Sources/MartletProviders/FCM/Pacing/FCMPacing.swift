import Synchronization

/// One project's pace, shared by all who send for it.
final class FCMPacing: Sendable {
    private struct State {
        var pace: FCMPace
        var witness = QuotaWitness()
        var thirdPartyAt: ContinuousClock.Instant?
    }

    private let state: Mutex<State>

    /// A pace that begins now.
    init(rate: Int) { state = Mutex(State(pace: FCMPace(rate: rate, now: .now))) }

    /// Asks for some pushes.
    func take(_ count: Int, isUrgent: Bool) -> FCMPace.Grant {
        state.withLock { $0.pace.take(count, isUrgent: isUrgent, at: .now) }
    }

    /// FCM says that the project sends too much.
    func exceeded(sentAt: ContinuousClock.Instant, pause: Duration) {
        state.withLock { $0.pace.exceeded(sentAt: sentAt, pause: pause, at: .now) }
    }

    /// Notes a device that was refused for the quota; says whether another one was just before.
    func noteQuota(of token: String) -> Bool { state.withLock { $0.witness.note(token, at: .now) } }

    /// Notes that the project lacks the key for a device of another service.
    func noteThirdParty() { state.withLock { $0.thirdPartyAt = .now } }

    /// Whether it lacked one within the last hour.
    var lacksThirdPartyKey: Bool {
        state.withLock { $0.thirdPartyAt.map { .now - $0 < .seconds(3_600) } ?? false }
    }
}

/// The pace of each project that was sent to: a replaced credential keeps its project's.
final class PaceTable: Sendable {
    private let rate: Int
    private let limit: Int
    private let paces = Mutex<[String: FCMPacing]>([:])

    init(rate: Int, limit: Int) { (self.rate, self.limit) = (rate, limit) }

    /// The pace of a project at an address.
    @Sendable func pacing(of project: String) -> FCMPacing {
        paces.withLock { paces in
            if let known = paces[project] { return known }
            // Routes hold those in use; a project that comes back after so many others begins slowly, as after silence.
            if paces.count >= limit { paces.removeAll() }
            let made = FCMPacing(rate: rate)
            paces[project] = made
            return made
        }
    }
}
