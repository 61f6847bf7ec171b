public import MartletWire

extension OutcomeCounts {
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
