/// What is known of a host that webhook URLs are at: how often in a row it did not answer, and until when it is left alone
/// therefore.
public struct WebhookHost: Sendable, Hashable {
    /// What a call tells of the host.
    public enum Sign: Sendable, Hashable {
        /// Nothing: the call was not made, or was ended before its timeout.
        case none
        /// It answered, whatever it said.
        case answered
        /// It did not, and held the call up; with the moment at which the call was made.
        case silent(since: Timestamp)
    }

    /// Rests in a row after which it did not answer either, with the first; 0 for one that is not silent.
    public private(set) var silences: Int
    /// When it may be called again.
    public private(set) var restUntil: Timestamp

    /// A call that fails sooner than that holds nobody up and says nothing of the host: a second, ours. A refused
    /// connection is such a call.
    public static let timeout: Duration = .seconds(1)

    /// The first rest; each one after it is twice as long. Ours: half of what Amazon SNS waits before the first retry,
    /// so that it costs a message to a host that is well again nothing.
    public static let firstRest: Duration = .seconds(10)

    /// The longest rest: five minutes, ours. So long is a message late at most when the host is well again.
    public static let longestRest: Duration = .seconds(300)

    package init(silences: Int = 0, restUntil: Timestamp = Timestamp(milliseconds: 0)) {
        self.silences = silences
        self.restUntil = restUntil
    }

    /// Takes a sign into account. Of several calls that were under way together the first one counts.
    public mutating func note(_ sign: Sign, at now: Timestamp) {
        switch sign {
        case .none: break
        case .answered: self = WebhookHost()
        case .silent(let start):
            guard start >= restUntil else { return }
            silences += 1
            restUntil = now + Self.rest(after: silences)
        }
    }

    /// How long a host is left alone after so many silences.
    public static func rest(after silences: Int) -> Duration {
        var rest = firstRest
        for _ in 1..<max(silences, 1) where rest < longestRest { rest *= 2 }
        return min(rest, longestRest)
    }
}
