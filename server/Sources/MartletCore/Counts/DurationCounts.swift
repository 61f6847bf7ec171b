/// How often something took how long: a histogram as one value.
public struct DurationCounts: Sendable, Hashable {
    /// The upper bounds of the buckets, in nanoseconds, each in its bucket; the last bucket has none. From the fastest
    /// answer on one machine to what a request is given at most.
    public static let bounds: [Int64] = [
        1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000, 30_000_000_000, 60_000_000_000,
    ]
    /// How many buckets there are.
    public static let buckets = bounds.count + 1

    /// How often the duration was in each bucket.
    public private(set) var counts: [UInt64]
    /// All durations together, in nanoseconds.
    public private(set) var nanoseconds: UInt64

    package init() { self.init(counts: [], nanoseconds: 0) }

    /// Counts by bucket; those that are missing are 0.
    public init(counts: [UInt64], nanoseconds: UInt64) {
        self.counts = counts + repeatElement(0, count: max(0, DurationCounts.buckets - counts.count))
        self.nanoseconds = nanoseconds
    }

    /// The bucket of a duration.
    public static func bucket(ofNanoseconds duration: Int64) -> Int {
        var index = 0
        while index < bounds.count, duration > bounds[index] { index += 1 }
        return index
    }

    /// How often in all.
    public var total: UInt64 { counts.reduce(0, +) }

    /// Adds others.
    public mutating func add(_ other: DurationCounts) {
        for index in counts.indices { counts[index] += other.counts[index] }
        nanoseconds += other.nanoseconds
    }
}
