import Synchronization

/// How much of something there is: a whole window's at once, and then as it comes back.
///
/// The virtual-scheduling form of the generic cell rate algorithm (ITU-T I.371, annex A): all that is kept of somebody
/// is the time at which they would have their whole quota back. A pure value.
public struct Quota: Sendable, Hashable {
    /// How much there is in an hour; 0 is no bound.
    public var perHour: Int

    /// How many seconds' worth can be taken at once.
    private let window: Double

    /// So much in an hour, all of it at once where nothing was taken for an hour.
    public init(perHour: Int) { self.init(perHour: perHour, window: 3600) }

    /// So much in a second, of which some seconds' worth can be taken at once.
    init(perSecond: Int, seconds: Double = 1) { self.init(perHour: perSecond * 3600, window: seconds) }

    private init(perHour: Int, window: Double) {
        self.perHour = perHour
        self.window = window
    }

    /// A quota of several times as much.
    func times(_ factor: Int) -> Quota {
        Quota(perHour: perHour.multipliedReportingOverflow(by: factor).partialValue, window: window)
    }

    /// Takes an amount.
    ///
    /// - Parameters:
    ///   - amount: how much; more than the whole quota counts as all of it, so that nothing is refused for ever.
    ///   - full: when the quota would be whole again, in seconds; changed when there was enough.
    ///   - now: the time, in seconds of the same clock.
    /// - Returns: the seconds until there is enough; `nil` when there was.
    func take(_ amount: Int, full: inout Double, now: Double) -> Double? {
        guard perHour > 0, amount > 0 else { return nil }
        let begin = max(full, now)
        let cost = min(Double(amount) * 3600 / Double(perHour), window)
        // A whole window is what was not used: the rest must come back first. A millisecond for what rounding takes.
        let excess = begin + cost - now - window
        guard excess <= 0.001 else { return excess }
        full = begin + cost
        return nil
    }
}

/// What each of many has left of a quota, in memory: a restart forgets it, and each process counts for itself.
final class QuotaTable: Sendable {
    private let quota: Quota
    private let state = Mutex(State())

    private struct State {
        var entries: [String: Double] = [:]
        var nextLook = 0.0
    }

    /// How many are kept. Ours: some ten megabytes. Beyond it newcomers are not counted here until some are whole again:
    /// what they ask for is counted in other ways too.
    private static let limit = 100_000
    /// Seconds between two looks for those that are whole again.
    private static let pause = 10.0

    init(_ quota: Quota) { self.quota = quota }

    /// The seconds until somebody has so much; `nil` when they have it now.
    ///
    /// - Parameter now: in seconds of a clock that does not jump.
    func wait(for amount: Int, of name: String, now: Double) -> Double? {
        var full = state.withLock { $0.entries[name] ?? 0 }
        return quota.take(amount, full: &full, now: now)
    }

    /// Takes an amount of somebody's, where they have it.
    ///
    /// - Returns: the seconds until they have it; `nil` when it was taken.
    @discardableResult
    func take(_ amount: Int, of name: String, now: Double) -> Double? {
        state.withLock { state in
            if state.entries[name] == nil, state.entries.count >= Self.limit {
                guard now >= state.nextLook else { return nil }
                state.nextLook = now + Self.pause
                state.entries = state.entries.filter { $0.value > now }
                guard state.entries.count < Self.limit else { return nil }
            }
            return quota.take(amount, full: &state.entries[name, default: 0], now: now)
        }
    }
}
