import Foundation

/// How often and when a delivery is tried again. A pure value.
///
/// The standard table is the only public numeric one for mobile push, Amazon's: two tries 10 s apart, ten with
/// exponential back-off from 10 s to 600 s, then every 600 s, 50 attempts in all, over about six hours.
public struct RetryPolicy: Sendable, Hashable, Codable {
    /// The first attempt and all that follow it.
    public var maxAttempts: Int
    /// How many tries come `minimumDelay` apart before the delay grows.
    public var steadyTries: Int
    /// Over how many tries the delay grows from `minimumDelay` to `maximumDelay`.
    public var growingTries: Int
    /// The shortest delay.
    public var minimumDelay: Duration
    /// The longest delay.
    public var maximumDelay: Duration
    /// The shortest delay after the provider said that there are too many pushes (429).
    public var rateLimitedDelay: Duration

    package init(
        maxAttempts: Int,
        steadyTries: Int,
        growingTries: Int,
        minimumDelay: Duration,
        maximumDelay: Duration,
        rateLimitedDelay: Duration
    ) {
        self.maxAttempts = maxAttempts
        self.steadyTries = steadyTries
        self.growingTries = growingTries
        self.minimumDelay = minimumDelay
        self.maximumDelay = maximumDelay
        self.rateLimitedDelay = rateLimitedDelay
    }

    /// The default.
    public static let standard = RetryPolicy(
        maxAttempts: 50,
        steadyTries: 2,
        growingTries: 10,
        minimumDelay: .seconds(10),
        maximumDelay: .seconds(600),
        rateLimitedDelay: .seconds(60)
    )

    /// What delays are multiplied by: up to a fifth is added, so that what failed in one second does not come back in one.
    /// Nothing is taken away: a delay that a sender or a provider asks for is the shortest. Ours.
    public static let jitter = 1.0...1.2

    /// Checks that the numbers are within what a sender may ask for: 1 to 50 attempts, delays from 0 to 6 hours.
    public func validate() throws(Failure) {
        guard (1...50).contains(maxAttempts) else {
            throw .invalid("retry.max_attempts", "A delivery has between 1 and 50 attempts.")
        }
        let delays = [
            ("retry.minimum_delay_seconds", minimumDelay), ("retry.maximum_delay_seconds", maximumDelay),
            ("retry.rate_limited_delay_seconds", rateLimitedDelay),
        ]
        for (field, delay) in delays where delay < .zero || delay > .seconds(21_600) {
            throw .invalid(field, "A delay is between 0 and 21600 seconds.")
        }
        guard minimumDelay <= maximumDelay else {
            throw .invalid("retry.minimum_delay_seconds", "The minimum delay is not longer than the maximum.")
        }
    }

    /// How long to wait after `attempts` attempts have been made, before jitter; `nil` when they are used up.
    public func delay(after attempts: Int) -> Duration? {
        guard attempts < maxAttempts else { return nil }
        let step = attempts - 1 - steadyTries
        guard step >= 0 else { return minimumDelay }
        guard step < growingTries - 1, minimumDelay > .zero else { return maximumDelay }
        // Geometric from the minimum to the maximum: the factor is what ten steps need.
        let ratio = maximumDelay / minimumDelay
        let exponent = Double(step) / Double(max(growingTries - 1, 1))
        return minimumDelay * pow(ratio, exponent)
    }
}
