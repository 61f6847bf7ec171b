import MartletCore

extension Transaction {
    /// Claims subjects, by their keys, for a notification, each by one atomic statement.
    ///
    /// - Returns: the holders of those subjects that are not free, by the subject's key.
    func claim(
        _ subjects: [Int64],
        dedup: Dedup,
        of head: NotificationHead
    ) throws -> [Int64: RowID<Notification>] {
        let until = dedup.cooldown.map { now + $0 }
        let key = try makeDedupKey(dedup.key, of: head.app, until: until)
        // In key order, because that is what a B-tree writes cheaply.
        let ordered = subjects.sorted().reduce(into: [Int64]()) { if $0.last != $1 { $0.append($1) } }
        var holders: [Int64: RowID<Notification>] = [:]
        var done = 0
        if ordered.count >= SQL.run {
            let run = try prepareClaim(SQL.claimRun, key: key, until: until, dedup: dedup, of: head)
            while ordered.count - done >= SQL.run {
                let part = ordered[done..<done + SQL.run]
                for (offset, subject) in part.enumerated() { run.set(Int32(6 + offset), subject) }
                if try run.changes() < SQL.run {
                    try claimSingly(part, key: key, until: until, dedup: dedup, of: head, holders: &holders)
                }
                done += SQL.run
            }
        }
        try claimSingly(ordered[done...], key: key, until: until, dedup: dedup, of: head, holders: &holders)
        return holders
    }

    /// Claims one subject after the other, also those that the notification has claimed before; notes who holds the
    /// others.
    private func claimSingly(
        _ subjects: ArraySlice<Int64>,
        key: Int64,
        until: Timestamp?,
        dedup: Dedup,
        of head: NotificationHead,
        holders: inout [Int64: RowID<Notification>]
    ) throws {
        guard !subjects.isEmpty else { return }
        let upsert = try prepareClaim(SQL.claim, key: key, until: until, dedup: dedup, of: head)
        let holder = try prepare("SELECT notification_id FROM claims WHERE key_id = ? AND subject = ?")
        for subject in subjects {
            upsert.set(6, subject)
            guard try upsert.changes() == 0 else { continue }
            holders[subject] = try holder.bind(key, subject).first { $0.row("notification_id") }
        }
    }

    /// A statement that claims, with all that the subjects have in common.
    private func prepareClaim(
        _ sql: String,
        key: Int64,
        until: Timestamp?,
        dedup: Dedup,
        of head: NotificationHead
    ) throws -> Statement {
        try prepare(sql).bind(key, head.row, now, until, dedup.cooldown.map { now - $0 })
    }

    /// Gives back the claims of subjects that got no accepted delivery and have no inbox item, also those whose deliveries
    /// turned out not to be made.
    func giveBackClaims(of notification: RowID<Notification>, key: Int64) throws {
        let forget = try prepare(SQL.giveBackClaim)
        for sql in SQL.notReached {
            var after = Int64.min
            while true {
                let found = try prepare(sql).bind(notification, after, Self.giveBackPart)
                    .all { (key: $0.int("key"), subject: $0.int("subject")) }
                guard let last = found.last else { break }
                after = last.key
                var subjects = Set(found.map(\.subject))
                try forEachAccepted(of: notification) { subjects.remove($0.subject.key) }
                subjects.subtract(try whoHasItem(of: notification, among: subjects.filter { $0 > 0 }))
                for subject in subjects.sorted() { try forget.bind(key, subject, notification).run() }
                guard found.count == Self.giveBackPart else { break }
            }
        }
    }

    /// For how many deliveries at a time the accepted ones are read. Ours: a megabyte, and few readings.
    private static let giveBackPart = 50_000

    /// The row of a dedup key, or `nil` where nobody claimed under it.
    func dedupKey(_ key: String, of app: RowID<App>) throws -> Int64? {
        try prepare("SELECT id FROM dedup_keys WHERE app_id = ? AND key = ?").bind(app, key).first { $0.int("id") }
    }

    private func makeDedupKey(_ key: String, of app: RowID<App>, until: Timestamp?) throws -> Int64 {
        if let row = try dedupKey(key, of: app) {
            if let until {
                try prepare(
                    "UPDATE dedup_keys SET timed_until = ?1 WHERE id = ?2 AND coalesce(timed_until, 0) < ?1"
                )
                .bind(until, row)
                .run()
            }
            return row
        }
        return try prepare(
            """
            INSERT INTO dedup_keys (app_id, key, timed_until) VALUES (?, ?, ?)
            ON CONFLICT (app_id, key) DO UPDATE SET timed_until = CASE
                WHEN coalesce(dedup_keys.timed_until, 0) < excluded.timed_until THEN excluded.timed_until
                ELSE dedup_keys.timed_until
            END
            RETURNING id
            """
        )
        .bind(app, key, until)
        .one { $0.int("id") }
    }
}
