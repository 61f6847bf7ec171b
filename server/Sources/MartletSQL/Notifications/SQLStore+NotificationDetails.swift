public import MartletCore
import MartletWire

extension SQLStore {
    /// Reads each platform's.
    public func messages(of notification: RowID<MartletCore.Notification>) async throws -> [Message] {
        try await read { transaction in
            try Platform.allCases.compactMap { try transaction.message(notification, $0) }
        }
    }

    /// Counts within the database; a part of many.
    public func missedReasons(
        of notification: RowID<MartletCore.Notification>,
        limit: Int
    ) async throws -> MissedReasons {
        try await readLong { try $0.missedReasons(of: notification, limit: limit) }
    }
}

extension Transaction {
    fileprivate func missedReasons(
        of notification: RowID<MartletCore.Notification>,
        limit: Int
    ) throws -> MissedReasons {
        var reasons = MissedReasons()
        var looked = 0
        func add(_ state: DeliveryReport.State, _ reason: String?, _ count: Int) {
            reasons.counts[MissedReasons.Reason(state, reason), default: 0] += count
            looked += count
            if looked >= limit { reasons.isWhole = false }
        }
        try prepare(SQL.suppressionReasons).bind(notification, limit).forEach { row in
            add(.suppressed, try row.code("reason", as: Suppression.Reason.self).rawValue, row.count("number"))
        }
        looked = 0
        try prepare(SQL.failureReasons).bind(notification, limit).forEach { row in
            let state = DeliveryReport.State(try row.code("state", as: DeliveryResult.State.self))
            add(state, row.optionalText("reason"), row.count("number"))
        }
        return reasons
    }
}

extension SQL {
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
