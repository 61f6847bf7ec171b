public import MartletCore

extension SQLStore {
    /// Adds up the rows of all writers, of hours those of their minutes too.
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

    /// Adds minutes of whole hours up to those hours; says how many rows of minutes that were. What another process has
    /// taken meanwhile is its own to add.
    func foldMinutes(before: Timestamp, limit: Int) throws -> Int {
        let bound = CountSpan.Step.hour.start(of: before)
        let old = try prepare(SQL.oldMinutes).bind(bound, limit).all { row in
            (app: row.int("app_id"), at: row.time("begins_at"), platform: row.int("platform"), slot: row.int("slot"))
        }
        var hours: [HourKey: OutcomeCounts] = [:]
        let delete = try prepare(SQL.deleteMinute)
        for row in old {
            guard let counts = try delete.bind(row.app, row.at, row.platform, row.slot).first(OutcomeCounts.init)
            else { continue }
            let hour = CountSpan.Step.hour.start(of: row.at).rawValue
            hours[HourKey(app: row.app, hour: hour, platform: row.platform), default: OutcomeCounts()] += counts
        }
        let add = try prepare(SQL.countHour)
        for (key, counts) in hours.sorted(by: { $0.key < $1.key }) {
            add.bind(key.app, key.hour, key.platform)
            add.set(counts, from: 4)
            try add.run()
        }
        return old.count
    }

    /// Hours that are kept no longer.
    func purgeHours(before: Timestamp, limit: Int) throws -> Int {
        let old = try prepare(SQL.oldHours).bind(before, limit).all {
            (app: $0.int("app_id"), at: $0.time("begins_at"), platform: $0.int("platform"))
        }
        for row in old { try prepare(SQL.deleteHour).bind(row.app, row.at, row.platform).run() }
        return old.count
    }

    /// Deletes a part of the counts of an app that is gone; says how many rows that were.
    func forgetCounts(of app: RowID<App>, limit: Int) throws -> Int {
        for statement in SQL.forgetCounts {
            let count = try prepare(statement).bind(app, limit).run()
            guard count == 0 else { return count }
        }
        return 0
    }
}

/// A row of the counts by hour.
private struct HourKey: Hashable, Comparable {
    var app: Int64
    var hour: Int64
    var platform: Int64

    static func < (one: HourKey, other: HourKey) -> Bool {
        (one.app, one.hour, one.platform) < (other.app, other.hour, other.platform)
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
