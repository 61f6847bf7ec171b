/// Who may try a password: after ten wrong ones within a quarter of an hour nobody, for an account and from an address. A
/// browser or an address from which somebody has signed in to the account before has ten of its own, so that a stranger
/// keeps nobody out of theirs.
///
/// An attempt counts when it begins, so that many at once are not more than ten; one that was not wrong is taken back.
package struct SignInThrottle: Sendable {
    /// What an attempt counts for.
    package enum Subject: Sendable, Hashable {
        /// An operator's name, in the form by which it is found, whether there is one or not.
        case account(String)
        /// Where it comes from.
        case address(String)
        /// A browser or an address from which somebody has signed in to the account.
        case known(String, account: String)

        /// - Parameter place: the browser or the address where it is known.
        fileprivate static func all(_ account: String, _ address: String, _ place: String?) -> [Subject] {
            place.map { [.known($0, account: account)] } ?? [.account(account), .address(address)]
        }
    }

    package static let limit = 10
    package static let window: Duration = .seconds(15 * 60)
    /// How many subjects are remembered. Passwords are hashed one at a time: some ten thousand fit into the window.
    package static let capacity = 10_000

    /// The moments of each subject's attempts, the latest last: at most ``limit``.
    private var attempts: [Subject: [Timestamp]] = [:]

    package init() {}

    /// How many subjects are remembered.
    package var count: Int { attempts.count }

    /// Counts an attempt.
    ///
    /// - Parameter place: the browser or the address, where somebody has signed in to the account there before.
    /// - Returns: how long to wait, in whole seconds, where it may not be made; then it is not counted.
    package mutating func begin(account: String, address: String, known place: String? = nil, at now: Timestamp)
        -> Duration?
    {
        let subjects = Subject.all(account, address, place)
        if let wait = subjects.compactMap({ wait(for: $0, at: now) }).max() { return wait }
        for subject in subjects { add(now, to: subject) }
        return nil
    }

    /// Takes an attempt back.
    ///
    /// - Parameter moment: when it began.
    package mutating func takeBack(account: String, address: String, known place: String? = nil, at moment: Timestamp) {
        for subject in Subject.all(account, address, place) {
            guard var known = attempts[subject], let index = known.lastIndex(of: moment) else { continue }
            known.remove(at: index)
            attempts[subject] = known.isEmpty ? nil : known
        }
    }

    private func wait(for subject: Subject, at now: Timestamp) -> Duration? {
        let counted = (attempts[subject] ?? []).filter { Self.counts($0, at: now) }
        guard counted.count >= Self.limit, let oldest = counted.min() else { return nil }
        let left = (oldest + Self.window - now).milliseconds
        return .seconds(max(1, (left + 999) / 1_000))
    }

    private mutating func add(_ moment: Timestamp, to subject: Subject) {
        if attempts[subject] == nil, attempts.count >= Self.capacity { makePlace(at: moment) }
        let known = (attempts[subject] ?? []).filter { Self.counts($0, at: moment) }
        attempts[subject] = known.suffix(Self.limit - 1) + [moment]
    }

    /// Forgets what does not count any more, or else the subject with the fewest attempts, the oldest of those: never one
    /// that has to wait while there is another.
    private mutating func makePlace(at now: Timestamp) {
        attempts = attempts.filter { $0.value.contains { Self.counts($0, at: now) } }
        guard attempts.count >= Self.capacity else { return }
        let least = attempts.min { ($0.value.count, $0.value.last ?? now) < ($1.value.count, $1.value.last ?? now) }
        if let least { attempts[least.key] = nil }
    }

    /// Whether an attempt lies in the window; one from a clock that was ahead does not count for longer.
    private static func counts(_ moment: Timestamp, at now: Timestamp) -> Bool {
        let age = now - moment
        return age < window && age > .zero - window
    }
}
