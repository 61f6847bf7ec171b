/// A quota that refills evenly: Google's "tokens" of a minute or an hour.
struct TokenBucket {
    let capacity: Double
    /// Milliseconds in which it refills from empty.
    let period: Double
    private var level: Double
    private var updated: Int64?

    init(capacity: Int, period: Int) {
        self.capacity = Double(capacity)
        self.period = Double(period)
        level = Double(capacity)
    }

    /// Takes one at `now`, in milliseconds.
    ///
    /// - Returns: `nil` when there was one, else the milliseconds until there is.
    mutating func take(at now: Int64) -> Int64? {
        if let updated, now > updated {
            level = min(capacity, level + Double(now - updated) * capacity / period)
        }
        updated = max(now, updated ?? now)
        guard level < 1 else {
            level -= 1
            return nil
        }
        return Int64(((1 - level) * period / capacity).rounded(.up))
    }
}
