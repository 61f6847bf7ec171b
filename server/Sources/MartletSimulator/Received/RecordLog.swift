/// The result of a push.
package enum ReceivedOutcome: String, Sendable, Codable, CaseIterable {
    /// It was answered.
    case answered
    /// It was left without an answer.
    case hung
    /// Its stream was reset.
    case reset
    /// Its connection was reset.
    case aborted
    /// It came above the last stream id of a GOAWAY.
    case unprocessed
}

/// A request that a log keeps.
package protocol LoggedRecord: Sendable {
    /// As the control API tells it.
    associatedtype Document: Sendable, Codable

    /// Number of the request since the start, from 1; given by the log.
    var seq: Int { get set }
    /// The answer's status; only read of what was answered.
    var status: Int16 { get }
    /// Why it was refused.
    var reason: String? { get }
    var outcome: ReceivedOutcome { get }

    /// Everything that is known of the request.
    func unpacked() -> Document

    /// The parameters of `GET …/received` that choose requests.
    static var filters: [String] { get }

    /// Whether a request is one of those that the parameters choose.
    static func filter(_ parameter: (String) -> String?) -> (Self) -> Bool
}

/// How many pushes were received: the answer of `GET /received/count`.
package struct ReceivedCounts: Codable, Sendable, Equatable {
    /// All since the start or the last reset.
    package var total = 0
    /// Those that can still be read.
    package var kept = 0
    /// Answers by HTTP status.
    package var byStatus: [String: Int] = [:]
    /// Refusals by reason.
    package var byReason: [String: Int] = [:]
    /// All by result.
    package var byOutcome: [String: Int] = [:]

    init() {}
}

/// A page of received requests: the answer of `GET …/received`.
package struct RecordPage<Document: Sendable & Codable>: Sendable, Codable {
    /// Oldest first.
    package var received: [Document]
    /// Give it as `after` for what follows.
    package var next: Int
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
