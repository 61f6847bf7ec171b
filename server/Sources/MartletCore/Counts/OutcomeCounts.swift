/// How many deliveries came to which end, and what phones reported of pushes.
public struct OutcomeCounts: Sendable, Hashable {
    /// A provider took them.
    public var accepted = 0
    /// The provider refused them for good.
    public var rejected = 0
    /// They were not made.
    public var suppressed = 0
    /// Their time ran out.
    public var expired = 0
    /// They were cancelled.
    public var cancelled = 0
    /// Their attempts were used up.
    public var dead = 0
    /// Events of type `delivery`.
    public var deliveries = 0
    /// Events of type `open`.
    public var opens = 0
    /// Events of type `dismiss`.
    public var dismissals = 0

    /// Nothing.
    public init() {}

    /// Both together.
    package static func + (one: OutcomeCounts, other: OutcomeCounts) -> OutcomeCounts {
        var sum = one
        sum += other
        return sum
    }

    /// Adds each number to its own.
    public static func += (sum: inout OutcomeCounts, other: OutcomeCounts) {
        sum.accepted += other.accepted
        sum.rejected += other.rejected
        sum.suppressed += other.suppressed
        sum.expired += other.expired
        sum.cancelled += other.cancelled
        sum.dead += other.dead
        sum.deliveries += other.deliveries
        sum.opens += other.opens
        sum.dismissals += other.dismissals
    }
}
