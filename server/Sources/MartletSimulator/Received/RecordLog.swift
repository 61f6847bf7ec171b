/// A request that a log keeps.
protocol LoggedRecord: Sendable {
    /// Number of the request since the start, from 1; given by the log.
    var seq: Int { get set }
    /// The answer's status; only read of what was answered.
    var status: Int16 { get }
    /// Why it was refused.
    var reason: String? { get }
    var outcome: ReceivedOutcome { get }
}

/// The last requests received, and counts of all.
struct RecordLog<Record: LoggedRecord> {
    private let limit: Int
    private var ring: [Record] = []
    private var lastSeq = 0
    /// The number before the first push since the log was emptied.
    private var base = 0
    private var total = 0
    private var statuses: [Int16: Int] = [:]
    private var reasons: [String: Int] = [:]
    private var outcomes: [ReceivedOutcome: Int] = [:]

    /// - Parameter limit: pushes kept; the oldest is dropped first.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    mutating func append(_ push: Record) {
        lastSeq += 1
        total += 1
        var push = push
        push.seq = lastSeq
        if push.outcome == .answered { statuses[push.status, default: 0] += 1 }
        if let reason = push.reason { reasons[reason, default: 0] += 1 }
        outcomes[push.outcome, default: 0] += 1
        if ring.count < limit {
            ring.append(push)
        } else {
            ring[(lastSeq - base - 1) % limit] = push
        }
    }

    /// Forgets the pushes and their counts; numbers go on, so that a reader's `after` stays valid.
    mutating func removeAll() {
        let last = lastSeq
        self = RecordLog(limit: limit)
        lastSeq = last
        base = last
    }

    /// The kept pushes numbered above `after` that match, oldest first, at most `count`.
    func packed(after: Int, count: Int, where matches: (Record) -> Bool) -> [Record] {
        var found: [Record] = []
        var seq = max(after, lastSeq - ring.count) + 1
        while seq <= lastSeq, found.count < count {
            let push = ring[(seq - base - 1) % limit]
            if matches(push) { found.append(push) }
            seq += 1
        }
        return found
    }

    var counts: ReceivedCounts {
        var counts = ReceivedCounts()
        counts.total = total
        counts.kept = ring.count
        for (status, count) in statuses { counts.byStatus["\(status)"] = count }
        counts.byReason = reasons
        for (outcome, count) in outcomes { counts.byOutcome[outcome.rawValue] = count }
        return counts
    }
}
