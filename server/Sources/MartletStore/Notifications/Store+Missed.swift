import MartletCore
import MartletWire

extension Store {
    /// Merges two sorted lists: what was not made, and what ended otherwise than accepted. Nothing stands in both, because
    /// an answer that came late takes a suppression back. For one reason it looks at so many lines for each that is asked
    /// for, and no further.
    func missedLines(
        _ notification: RowID<Notification>,
        _ reason: String?,
        _ reachedOtherwise: Bool?,
        _ page: PageRequest
    ) async throws -> Page<DeliveryReport> {
        try await readLong { transaction in
            var found = Page<ReportLine>(items: [], next: page.after)
            // Of those who have it on another device many may stand together. For one reason a part looks far by itself.
            var partsLeft = reachedOtherwise == nil || reason != nil ? 1 : SQL.missedParts
            repeat {
                let part = try transaction.missedPart(
                    notification,
                    reason,
                    PageRequest(after: found.next, count: page.count)
                )
                found.items += part.items.filter {
                    reachedOtherwise == nil || $0.isReachedOtherwise == reachedOtherwise
                }
                found.next = part.next
                partsLeft -= 1
            } while found.next != nil && found.items.count < page.count && partsLeft > 0
            if found.items.count > page.count {
                found.items.removeLast(found.items.count - page.count)
                found.next = found.items.last?.key
            }
            return Page(items: try transaction.reports(found.items), next: found.next)
        }
    }
}

extension Transaction {
    /// Those who did not get a notification: one more than the page holds, where there are as many.
    func missedLines(
        _ notification: RowID<Notification>,
        _ reason: String?,
        _ page: PageRequest
    ) throws -> [ReportLine] {
        let lines =
            try suppressions(of: notification, reason, page) + failures(of: notification, reason, page)
        return Array(lines.sorted { $0.key < $1.key }.prefix(page.count + 1))
    }

    /// A page of them, each with whether the person has it on another device.
    fileprivate func missedPart(
        _ notification: RowID<Notification>,
        _ reason: String?,
        _ page: PageRequest
    ) throws -> Page<ReportLine> {
        let end = try reason == nil ? nil : endOfMissedLines(notification, page)
        let lines = try missedLines(notification, reason, page).filter { $0.key <= end ?? .max }
        var found = Page(lines, page) { $0.key }
        found.next = found.next ?? end
        let reached = try self.reached(Set(found.items.compactMap(\.user)), by: notification)
        for (index, line) in found.items.enumerated() {
            found.items[index].isReachedOtherwise = line.user.map(reached.contains) ?? false
        }
        return found
    }

    /// Up to which line a page for one reason looks; `nil` where it looks to the end.
    fileprivate func endOfMissedLines(_ notification: RowID<Notification>, _ page: PageRequest) throws -> Int64? {
        let (after, last) = (page.after ?? .min, SQL.missedWindow(page) - 1)
        let suppression = try prepare(SQL.lastSuppression).bind(notification, after, last).first { $0.int("key") }
        let failure = try prepare(SQL.lastFailure).bind(notification, max(after, 0), last)
            .first { $0.int("endpoint_id") }
        return [suppression, failure].compactMap { $0 }.min()
    }

    private func suppressions(
        of notification: RowID<Notification>,
        _ reason: String?,
        _ page: PageRequest
    ) throws -> [ReportLine] {
        let (after, limit) = (page.after ?? .min, page.count + 1)
        guard let reason, reason != DeliveryState.suppressed.rawValue else {
            return try prepare(SQL.suppressions).bind(notification, after, limit).all(ReportLine.init(suppressed:))
        }
        guard let known = Suppression.Reason(rawValue: reason) else { return [] }
        return try prepare(SQL.suppressionsForReason).bind(
            notification,
            after,
            limit,
            known.code,
            SQL.missedWindow(page)
        )
        .all(ReportLine.init(suppressed:))
    }

    private func failures(
        of notification: RowID<Notification>,
        _ reason: String?,
        _ page: PageRequest
    ) throws -> [ReportLine] {
        let (after, limit) = (max(page.after ?? 0, 0), page.count + 1)
        guard let reason else {
            return try prepare(SQL.failures).bind(notification, after, limit).all(ReportLine.init(result:))
        }
        // No row has 0.
        let state = DeliveryResult.State.allCases.first { DeliveryState($0).rawValue == reason }?.code ?? 0
        return try prepare(SQL.failuresForReason).bind(
            notification,
            after,
            limit,
            state,
            reason,
            SQL.missedWindow(page)
        )
        .all(ReportLine.init(result:))
    }
}

extension SQL {
    /// Deliveries of a notification that were not made: notification, after, limit.
    static let suppressions = """
        SELECT key, user_id, reason, held_by, created_at, detail FROM suppressions
        WHERE notification_id = ? AND key > ? ORDER BY key LIMIT ?
        """

    /// Those for one reason: notification, after, limit, reason, how many are looked at.
    static let suppressionsForReason = """
        SELECT key, user_id, reason, held_by, created_at, detail
        FROM (
            SELECT key, user_id, reason, held_by, created_at, detail FROM suppressions
            WHERE notification_id = ?1 AND key > ?2 ORDER BY key LIMIT ?5
        ) AS part
        WHERE reason = ?4 ORDER BY key LIMIT ?3
        """

    /// The last that are looked at: notification, after, how many stand before it.
    static let lastSuppression = """
        SELECT key FROM suppressions WHERE notification_id = ? AND key > ? ORDER BY key LIMIT 1 OFFSET ?
        """

    /// Results of a notification other than accepted: notification, after, limit.
    static let failures = """
        SELECT endpoint_id, user_id, state, reason, attempts, settled_at FROM deliveries
        WHERE notification_id = ? AND endpoint_id > ? AND state <> 1 ORDER BY endpoint_id LIMIT ?
        """

    /// Those in one state or for one reason: notification, after, limit, state, reason, how many are looked at.
    static let failuresForReason = """
        SELECT endpoint_id, user_id, state, reason, attempts, settled_at
        FROM (
            SELECT endpoint_id, user_id, state, reason, attempts, settled_at FROM deliveries
            WHERE notification_id = ?1 AND endpoint_id > ?2 AND state <> 1 ORDER BY endpoint_id LIMIT ?6
        ) AS part
        WHERE state = ?4 OR reason = ?5 ORDER BY endpoint_id LIMIT ?3
        """

    /// The last that are looked at: notification, after, how many stand before it.
    static let lastFailure = """
        SELECT endpoint_id FROM deliveries
        WHERE notification_id = ? AND endpoint_id > ? AND state <> 1 ORDER BY endpoint_id LIMIT 1 OFFSET ?
        """

    /// How many pages of lines are looked at, where only those are asked for who have it on another device, or on none. Ours:
    /// a page of the console looks at 1,000 lines and the other devices of as many people, which takes some 20 ms.
    fileprivate static let missedParts = 10

    /// How many lines of each list are looked at for a page of one reason: a hundred for each that it may hold. Ours: a page
    /// of the console looks at 10,000, which takes some 3 ms.
    fileprivate static func missedWindow(_ page: PageRequest) -> Int { page.count * 100 }
}
