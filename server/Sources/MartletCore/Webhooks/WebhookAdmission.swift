/// What becomes of a delivery to a webhook URL that is due. A pure value.
package enum WebhookAdmission: Sendable, Hashable {
    /// It is leased.
    case lease
    /// It waits for another one of its queue that may be poison.
    case wait(until: Timestamp)
    /// Its lease is made longer, once: whoever asks holds it.
    case extend(until: Timestamp)
    /// It is given up as a dead letter: it is too old.
    case expire(reason: String)
    /// It is given up as a dead letter: it may be poison. Each lease counts as an attempt.
    case crash(attempts: Int, reason: String)

    /// When a delivery is looked at again that waits for another one that may be poison. Ours: as often as work is
    /// polled.
    package static let pause: Duration = .seconds(1)

    /// Decides.
    ///
    /// - Parameters:
    ///   - failures, isOtherIsolated, isOwn: as for ``LeaseAdmission``.
    ///   - acceptedAt: when the message was accepted.
    package init(failures: Int, isOtherIsolated: Bool, isOwn: Bool, acceptedAt: Timestamp, now: Timestamp) {
        switch LeaseAdmission(failures: failures, isOtherIsolated: isOtherIsolated, isOwn: isOwn) {
        case .extend: self = .extend(until: now + WebhookDelivery.lease)
        case _ where now >= acceptedAt + WebhookDelivery.longestLife: self = .expire(reason: Self.expired)
        case .quarantine: self = .crash(attempts: failures, reason: Self.crashed)
        case .wait: self = .wait(until: now + Self.pause)
        case .lease: self = .lease
        }
    }

    private static let expired = "not delivered within \(WebhookDelivery.longestLife.components.seconds / 3_600) hours"

    private static let crashed = """
        the server stopped \(LeaseAdmission.limit) times in a row while it made the call, or could not record its answer
        """
}

extension WebhookOutcome {
    /// Whether it is recorded: of a delivery that somebody else has by now only that it was delivered.
    package func isRecorded(isHeld: Bool) -> Bool { isHeld || self == .delivered }
}
