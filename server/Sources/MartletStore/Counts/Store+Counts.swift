public import MartletCore
import MartletWire

extension Store {
    /// How many deliveries came to which end, and how many events were received, step by step.
    ///
    /// Each is counted in the transaction that records it, in its minute; a delivery that has another end in place of the
    /// first, as a dead letter that is retried, is taken out of the minute of the first. The purge of
    /// ``RetentionTable/minuteCounts`` adds minutes up to hours; minutes are kept for ``CountSpan/minuteRetention`` beside
    /// them.
    public func counts(over span: CountSpan) async throws -> CountSeries {
        guard span.pointCount > 0 else { return CountSeries(span, found: [:]) }
        return try await readLong { CountSeries(span, found: try $0.counts(over: span)) }
    }
}

extension Transaction {
    fileprivate func counts(over span: CountSpan) throws -> [Timestamp: OutcomeCounts] {
        let sql = SQL.counts(isOfApp: span.app != nil, isByMinute: span.step == .minute)
        let statement = try prepare(sql).bind(span.from, span.to, span.step.milliseconds, span.platform?.code)
        if let app = span.app { statement.set(5, app) }
        var found: [Timestamp: OutcomeCounts] = [:]
        try statement.forEach { found[$0.time("point")] = OutcomeCounts($0) }
        return found
    }

    /// Adds minutes of whole hours up, for all writers, to one row of each minute and to one of its hour; says how many rows
    /// that were. What another process has taken meanwhile is its own to add.
    func foldMinutes(before: Timestamp, limit: Int) throws -> Int {
        let bound = StatisticsStep.hour.start(of: before)
        let old = try prepare(SQL.oldMinutes).bind(bound, limit).all { row in
            (app: row.int("app_id"), at: row.time("begins_at"), platform: row.int("platform"), slot: row.int("slot"))
        }
        var (minutes, hours): ([CountKey: OutcomeCounts], [CountKey: OutcomeCounts]) = ([:], [:])
        let delete = try prepare(SQL.deleteMinute)
        for row in old {
            guard let counts = try delete.bind(row.app, row.at, row.platform, row.slot).first(OutcomeCounts.init)
            else { continue }
            let hour = StatisticsStep.hour.start(of: row.at)
            minutes[CountKey(at: row.at, app: row.app, platform: row.platform), default: OutcomeCounts()] += counts
            hours[CountKey(at: hour, app: row.app, platform: row.platform), default: OutcomeCounts()] += counts
        }
        try add(minutes, SQL.countPastMinute)
        try add(hours, SQL.countHour)
        return old.count
    }

    /// In one order, which is also that of the rows that are kept no longer: two processes do not wait for each other.
    private func add(_ counts: [CountKey: OutcomeCounts], _ sql: String) throws {
        let statement = try prepare(sql)
        for (key, counts) in counts.sorted(by: { $0.key < $1.key }) {
            statement.bind(key.app, key.at, key.platform)
            statement.set(counts, from: 4)
            try statement.run()
        }
    }

    /// Minutes that are kept no longer.
    func purgePastMinutes(before: Timestamp, limit: Int) throws -> Int {
        try purgeCounts(SQL.oldPastMinutes, SQL.deletePastMinute, before: before, limit: limit)
    }

    /// Hours that are kept no longer.
    func purgeHours(before: Timestamp, limit: Int) throws -> Int {
        try purgeCounts(SQL.oldHours, SQL.deleteHour, before: before, limit: limit)
    }

    private func purgeCounts(_ select: String, _ delete: String, before: Timestamp, limit: Int) throws -> Int {
        let old = try prepare(select).bind(before, limit).all {
            (app: $0.int("app_id"), at: $0.time("begins_at"), platform: $0.int("platform"))
        }
        let statement = try prepare(delete)
        for row in old { try statement.bind(row.app, row.at, row.platform).run() }
        return old.count
    }

    /// Deletes a part of the counts of an app that is gone; says how many rows that were.
    func forgetCounts(of app: RowID<App>, limit: Int) throws -> Int {
        for statement in SQL.forgetCounts {
            let count = try prepare(statement).bind(app, limit).changes()
            guard count == 0 else { return count }
        }
        return 0
    }
}

/// A row of what is added up.
private struct CountKey: Hashable, Comparable {
    var at: Timestamp
    var app: Int64
    var platform: Int64

    static func < (one: CountKey, other: CountKey) -> Bool {
        (one.at, one.app, one.platform) < (other.at, other.app, other.platform)
    }
}

extension Statement {
    /// Binds counts in the order of their columns, from a position on.
    func set(_ counts: OutcomeCounts, from position: Int32) {
        set(position, counts.accepted)
        set(position + 1, counts.rejected)
        set(position + 2, counts.suppressed)
        set(position + 3, counts.expired)
        set(position + 4, counts.cancelled)
        set(position + 5, counts.dead)
        set(position + 6, counts.deliveries)
        set(position + 7, counts.opens)
        set(position + 8, counts.dismissals)
    }
}

extension OutcomeCounts {
    fileprivate init(_ row: Row) {
        self.init()
        accepted = row.count("accepted")
        rejected = row.count("rejected")
        suppressed = row.count("suppressed")
        expired = row.count("expired")
        cancelled = row.count("cancelled")
        dead = row.count("dead")
        deliveries = row.count("deliveries")
        opens = row.count("opens")
        dismissals = row.count("dismissals")
    }
}
