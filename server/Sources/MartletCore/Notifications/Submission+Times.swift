import MartletWire

/// When a notification is sent, and until when.
extension Submission {
    /// How far in the past a time to send at may lie and still mean now: five seconds, ours, for two machines' clocks that
    /// are kept by NTP and a request that was on its way.
    private static let clockSkew: Duration = .seconds(5)

    /// The time to send at, `nil` where that is now.
    ///
    /// - Throws: `Failure` naming `send_at` when it has passed.
    package static func begin(_ moment: Timestamp?, now: Timestamp) throws(Failure) -> Timestamp? {
        guard let moment else { return nil }
        guard moment >= now - clockSkew else {
            throw .invalid("send_at", "The time to send at has passed.", hint: "Leave it out to send now.")
        }
        return moment > now ? moment : nil
    }

    /// How far off the time to send at may be, and the expiry from there: a leap year, ours, so that a slip of the unit
    /// (seconds for milliseconds) is noticed. Providers keep a push for a month at most.
    package static let farthest: Duration = .seconds(366 * 86_400)

    /// - Throws: `Failure` naming the field of a moment that has passed or is too far away.
    package func validateTimes(now: Timestamp) throws(Failure) {
        if let sendAt = sendAt {
            _ = try Self.begin(sendAt, now: now)
            guard sendAt <= now + Self.farthest else {
                throw .invalid("send_at", "The time to send at is more than a year away.")
            }
        }
        if case .at(let moment) = expiry {
            let begin = sendAt ?? now
            guard moment > begin else {
                throw .invalid("expires_at", "The notification would expire before it is sent.")
            }
            guard moment <= begin + Self.farthest else {
                throw .invalid("expires_at", "The expiry is more than a year after the time to send at.")
            }
        }
    }
}
