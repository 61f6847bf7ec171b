import MartletWire

/// How many of a notification's deliveries a provider took over time, in steps that make few points of any time. A pure value.
public struct AcceptedSeries: Sendable, Hashable {
    /// How long a step is, in whole seconds.
    public let step: Duration
    /// When each step begins, oldest first, and what was taken in it, also where that is nothing.
    public let points: [Point]

    /// One step.
    public struct Point: Sendable, Hashable {
        package var at: Timestamp
        package var accepted: Int
    }

    /// How many points there are at most. Ours: bars that are told apart on a telephone.
    package static let pointLimit = 60
    /// Of how many batches it is made at most. Ours: those of a million devices with one batch for each fifty.
    package static let batchLimit = 20_000
    /// Steps that people read on a clock, in seconds.
    private static let steps: [Int64] = [1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400]

    /// - Parameter seconds: what was taken, by the beginnings of seconds.
    package init(_ seconds: [Timestamp: Int]) {
        guard let first = seconds.keys.min()?.rawValue, let last = seconds.keys.max()?.rawValue else {
            (step, points) = (.seconds(Self.steps[0]), [])
            return
        }
        func count(_ length: Int64) -> Int { Int(last / length - first / length) + 1 }
        var length =
            (Self.steps.first { count($0 * 1_000) <= Self.pointLimit } ?? Self.steps[Self.steps.count - 1]) * 1_000
        while count(length) > Self.pointLimit { length *= 2 }
        var sums = [Int](repeating: 0, count: count(length))
        for (at, accepted) in seconds { sums[Int(at.rawValue / length - first / length)] += accepted }
        step = .milliseconds(length)
        points = sums.enumerated().map { index, sum in
            Point(at: Timestamp(milliseconds: (first / length + Int64(index)) * length), accepted: sum)
        }
    }
}
