import MartletCore

/// What is under way and suspect, as one transaction knows it: read when it is first asked for, and once.
struct SuspectsUnderWay {
    private var known: [Suspect]?

    /// Decides about work that is due; `nil` is the lane of all fan-outs.
    mutating func trial(_ lane: Lane?, failures: Int, in transaction: Transaction) throws -> LeaseTrial {
        try LeaseTrial(failures: failures, isSuspectUnderWay: keepWaiting(lane, failures, transaction))
    }

    /// Work was leased; only what is suspect is kept.
    mutating func lease(_ lane: Lane?, failures: Int, at now: Timestamp) {
        guard failures >= LeaseTrial.suspectFrom else { return }
        known?.append(Suspect(leases: failures + 1, leasedAt: now, lane: lane))
    }

    private mutating func keepWaiting(_ lane: Lane?, _ failures: Int, _ transaction: Transaction) throws -> Bool {
        let all = try known ?? transaction.suspectsUnderWay()
        known = all
        return all.contains { $0.keepsWaiting(lane, failures: failures, at: transaction.now) }
    }
}

extension Transaction {
    /// What is under way and suspect.
    fileprivate func suspectsUnderWay() throws -> [Suspect] {
        try prepare(SQL.suspectsUnderWay).bind(LeaseTrial.suspectFrom, now, Lease.duration.milliseconds)
            .all(Suspect.init)
    }
}

extension Suspect {
    /// A suspect from the columns of ``SQL/suspectsUnderWay``.
    fileprivate init(_ row: Columns) throws {
        let lane: Lane? = try (row.optionalRow(2) as RowID<App>?).map { app in
            Lane(app: app, platform: try row.code(3), environment: try row.code(4))
        }
        self.init(leases: row.count(0), leasedAt: row.time(1), lane: lane)
    }
}
