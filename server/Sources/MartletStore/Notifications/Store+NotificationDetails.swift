public import MartletCore
import MartletWire

extension Store {
    /// What each platform gets, as it was rendered when the notification was accepted; none where that was purged.
    public func messages(of notification: RowID<MartletCore.Notification>) async throws -> [Message] {
        try await read { transaction in
            try Platform.allCases.compactMap { try transaction.message(notification, $0) }
        }
    }

    /// How many did not get it, by reason: of deliveries that were made and of those that were not, so many each are looked
    /// at.
    public func missedReasons(
        of notification: RowID<MartletCore.Notification>,
        limit: Int
    ) async throws -> MissedReasons {
        try await readLong { try $0.missedReasons(of: notification, limit: limit) }
    }

    /// How many deliveries a provider took in each second, by the second's beginning; `nil` where more than so many batches
    /// would have to be looked at.
    public func acceptedSeconds(
        of notification: RowID<MartletCore.Notification>,
        limit: Int
    ) async throws -> [Timestamp: Int]? {
        try await readLong { try $0.acceptedSeconds(of: notification, limit: limit) }
    }
}

extension Transaction {
    fileprivate func missedReasons(
        of notification: RowID<MartletCore.Notification>,
        limit: Int
    ) throws -> MissedReasons {
        var reasons = MissedReasons()
        var looked = 0
        func add(_ state: DeliveryState, _ reason: String?, _ count: Int) {
            reasons.counts[MissedReasons.Reason(state, reason), default: 0] += count
            looked += count
            if looked >= limit { reasons.isWhole = false }
        }
        try prepare(SQL.suppressionReasons).bind(notification, limit).forEach { row in
            add(.suppressed, try row.code("reason", as: Suppression.Reason.self).rawValue, row.count("number"))
        }
        looked = 0
        try prepare(SQL.failureReasons).bind(notification, limit).forEach { row in
            let state = DeliveryState(try row.code("state", as: DeliveryResult.State.self))
            add(state, row.optionalText("reason"), row.count("number"))
        }
        var batches = 0
        try prepare(SQL.waitingReasons).bind(notification, SQL.waitingBatches).forEach { row in
            batches += row.count("batches")
            // One that cannot be read is shown as quarantined.
            guard let waiting = try? Waiting(row, answeredAt: nil) else { return }
            reasons.waiting[waiting, default: 0] += row.count("number")
        }
        reasons.isWaitingWhole = batches < SQL.waitingBatches
        return reasons
    }
}

extension Transaction {
    fileprivate func acceptedSeconds(
        of notification: RowID<MartletCore.Notification>,
        limit: Int
    ) throws -> [Timestamp: Int]? {
        var (seconds, batches): ([Timestamp: Int], Int) = ([:], 0)
        try prepare(SQL.acceptedTimes).bind(notification, limit + 1).forEach { row in
            let second = Timestamp(milliseconds: row.time("settled_at").rawValue / 1_000 * 1_000)
            seconds[second, default: 0] += row.withBytes("members", MemberList.count)
            batches += 1
        }
        return batches > limit ? nil : seconds
    }
}

extension SQL {
    /// When deliveries of a notification were accepted: notification, limit.
    static let acceptedTimes = """
        SELECT settled_at, members FROM accepted WHERE notification_id = ?1 ORDER BY first_endpoint LIMIT ?2
        """

    /// How many batches of a notification that wait are looked at: of a million deliveries. Ours: some milliseconds.
    static let waitingBatches = 1_000

    /// What deliveries of a notification wait for: notification, limit.
    static let waitingReasons = """
        SELECT \(Waiting.columns), CAST(sum(waiting_count) AS bigint) AS number, CAST(count(*) AS bigint) AS batches
        FROM (
            SELECT \(Waiting.columns), waiting_count FROM batches WHERE notification_id = ?1 ORDER BY first_endpoint
            LIMIT ?2
        ) AS part
        GROUP BY \(Waiting.columns)
        """

    /// Why deliveries of a notification were not made: notification, limit.
    static let suppressionReasons = """
        SELECT reason, CAST(count(*) AS bigint) AS number
        FROM (SELECT reason FROM suppressions WHERE notification_id = ?1 ORDER BY key LIMIT ?2) AS part GROUP BY reason
        """

    /// How deliveries of a notification ended that were not accepted: notification, limit.
    static let failureReasons = """
        SELECT state, reason, CAST(count(*) AS bigint) AS number
        FROM (
            SELECT state, reason FROM deliveries WHERE notification_id = ?1 AND state <> 1 ORDER BY endpoint_id LIMIT ?2
        ) AS part
        GROUP BY state, reason
        """
}
