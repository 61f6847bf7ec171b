import MartletCore

/// What is known of one key set, and what to do when somebody needs it.
struct KeySetEntry: Sendable {
    /// How long a fetched set is used without asking again.
    static let fresh = Duration.seconds(600)
    /// How long after its fetch a set is used while the provider cannot be reached. Long enough for an outage that
    /// people notice and end, short enough that a key withdrawn meanwhile is not good for days.
    static let stale = Duration.seconds(6 * 3600)
    /// The time between two fetches that only unknown key ids ask for: anybody can invent an id.
    static let unknownKeyPause = Duration.seconds(60)
    /// The time between two fetches while there is no fresh set.
    static let retryPause = Duration.seconds(10)

    /// What to do.
    enum Decision {
        /// Take this one.
        case use(KeySet)
        /// Ask the provider.
        case fetch
        /// There is none, and the provider was asked too recently.
        case unavailable
    }

    private var keys: KeySet?
    private var fetchedAt: Timestamp?
    private var triedAt: Timestamp?

    /// What to do for a token that names this key.
    func decision(for kid: String?, at now: Timestamp) -> Decision {
        let isFresh = fetchedAt.map { passed(since: $0, at: now, atMost: KeySetEntry.fresh) } ?? false
        if isFresh, let keys, keys.contains(kid: kid) { return .use(keys) }
        let pause = isFresh ? KeySetEntry.unknownKeyPause : KeySetEntry.retryPause
        guard let triedAt, passed(since: triedAt, at: now, atMost: pause) else { return .fetch }
        return fallback(at: now)
    }

    /// What to do when the provider cannot be asked.
    func fallback(at now: Timestamp) -> Decision {
        guard let keys, let fetchedAt, passed(since: fetchedAt, at: now, atMost: KeySetEntry.stale) else {
            return .unavailable
        }
        return .use(keys)
    }

    /// Notes that the provider has been asked, whatever it will say.
    mutating func begin(at now: Timestamp) { triedAt = now }

    /// Takes what the provider answered.
    mutating func succeed(_ keys: KeySet, at now: Timestamp) {
        self.keys = keys
        fetchedAt = now
        triedAt = now
    }

    /// A moment in the future (the clock was set back) counts as long ago.
    private func passed(since earlier: Timestamp, at now: Timestamp, atMost limit: Duration) -> Bool {
        let age = now - earlier
        return age >= .zero && age < limit
    }
}
