import MartletCore
import MartletWire

extension Transaction {
    /// Records deliveries of a batch that are not made; says how many were recorded now.
    func suppress(_ suppressions: [Suppression], of batch: Batch) throws -> Int {
        try suppress(suppressions, of: batch.notification, in: batch.queue.app, batch.queue.platform)
    }

    /// Records deliveries that are not made; says how many were recorded now, and counts them.
    ///
    /// - Parameter platform: of those that do not say it themselves.
    func suppress(
        _ suppressions: [Suppression],
        of notification: RowID<Notification>,
        in app: RowID<App>,
        _ platform: Platform? = nil
    ) throws -> Int {
        guard !suppressions.isEmpty else { return 0 }
        let statement = try prepare(SQL.suppress)
        var anonymous: Int64?
        var counts: [Platform?: Int] = [:]
        for suppression in suppressions.sorted(by: { $0.order < $1.order }) {
            var key = suppression.order
            if key == SuppressionKey.anonymous {
                let next = try anonymous ?? lastAnonymous(of: notification)
                anonymous = next + 1
                key = next + 1
            }
            let isNew = try statement.bind(
                notification,
                key,
                suppression.user,
                suppression.reason.code,
                suppression.heldBy,
                now,
                suppression.detail?.rawValue
            )
            .writeOne()
            if isNew { counts[suppression.platform ?? platform, default: 0] += 1 }
        }
        for (platform, count) in counts { tally(app, platform) { $0.suppressed = count } }
        return counts.values.reduce(0, +)
    }

    /// The last number that was given to a suppression without endpoint and user.
    private func lastAnonymous(of notification: RowID<Notification>) throws -> Int64 {
        try prepare("SELECT key FROM suppressions WHERE notification_id = ? AND key < ? ORDER BY key DESC LIMIT 1")
            .bind(notification, SuppressionKey.user)
            .first { $0.int("key") } ?? SuppressionKey.anonymous
    }
}

/// How a suppression's key is made: endpoints have their own, users without one lie below them, and below these what
/// has neither, numbered.
enum SuppressionKey {
    /// What a user's row is added to.
    static let user = Int64.min / 4
    /// What the numbers are added to.
    static let anonymous = Int64.min / 2
}

extension Suppression {
    /// The key in the table, but for what has neither endpoint nor user.
    fileprivate var order: Int64 {
        endpoint?.rawValue ?? user.map { SuppressionKey.user + $0.rawValue } ?? SuppressionKey.anonymous
    }
}
