import NIOCore

/// How fast a connection answers, and so whether another one beside it would help.
///
/// Little's law: with all streams in use, answers a second are streams ÷ answer time. While the answer time is mostly
/// the way there and back, a further connection adds as many answers a second. When it has grown well beyond that, one
/// of the two ends is busy, and a further connection would divide the same work among more wakeups and smaller writes.
struct ThroughputEstimate: Equatable {
    /// The weight of the newest answer: one eighth, as for round trip times (RFC 6298, section 2).
    private static let weight: Int64 = 8
    /// How much longer than the shortest answer an average one takes when an end is busy. Ours: between hosts the way
    /// varies by less, a saturated loop on one machine was seen at twenty.
    private static let busyFactor: Int64 = 2
    /// What is not called distance. Ours, 5 ms: nearer than that a hundred streams are twenty thousand answers a second,
    /// and what a first answer took says more about the two ends than about the way.
    private static let near: Int64 = 5_000_000

    /// The shortest answer time of the connection, in nanoseconds.
    private(set) var least = Int64.max
    /// The answer time of late, in nanoseconds.
    private(set) var recent: Int64 = 0
    /// When it was last seen to get on: an answer, or the first request after a rest.
    private(set) var progressAt: NIODeadline

    init(now: NIODeadline) { progressAt = now }

    /// Work begins after a rest.
    mutating func began(at now: NIODeadline) { progressAt = now }

    /// A request that was submitted at that time has its answer now.
    mutating func answered(submitted: NIODeadline, now: NIODeadline) {
        let time = max(0, (now - submitted).nanoseconds)
        recent = least == .max ? time : recent + (time - recent) / ThroughputEstimate.weight
        least = min(least, time)
        progressAt = now
    }

    /// Whether the way to the peer and back is what takes the time.
    var isBoundByDistance: Bool {
        least != .max && least >= ThroughputEstimate.near && recent <= least * ThroughputEstimate.busyFactor
    }

    /// How long that many requests take, that many at a time; at least as long as there has been no answer.
    func drainTime(_ outstanding: Int, streams: Int, now: NIODeadline) -> TimeAmount {
        guard streams > 0 else { return .nanoseconds(.max) }
        return max(.nanoseconds(recent * Int64(outstanding) / Int64(streams)), now - progressAt)
    }
}
