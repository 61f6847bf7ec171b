public import MartletCore
import MartletWire

extension SQLStore {
    /// Begins what is scheduled for now, and takes what nobody holds: steps from app to app through an index, so that
    /// the cost grows with the apps that send, not with what they send. What cannot be read, or failed too often, is
    /// quarantined on the way.
    public func leaseFanOuts(limit: Int, share: FanOutShare, lease: Lease) async throws -> [FanOut] {
        try await write { transaction in
            try transaction.prepare(SQL.beginScheduled).bind(transaction.now).run()
            var share = share
            var leased: [FanOut] = []
            var seen: Set<RowID<Notification>> = []
            // What is quarantined on the way takes no capacity: behind it is read on.
            while leased.count < limit {
                let open = try transaction.openFanOuts(limit: limit - leased.count, share: share)
                    .filter { seen.insert($0).inserted }
                let taken = try open.compactMap { try transaction.take($0, lease) }
                for fanOut in taken { share.taken[fanOut.notification.app, default: 0] += 1 }
                leased += taken
                if taken.count == open.count { break }
            }
            return leased
        }
    }

    /// Writes a part, if the lease is held and the part is the next one; renews the lease.
    public func commit(_ page: GatedPage, of fanOut: FanOut) async throws -> FanOut? {
        try await write { try $0.commit(page, of: fanOut) }
    }

    /// Ends the lease, if it is still the holder's.
    public func releaseFanOut(_ fanOut: FanOut) async throws {
        try await write { transaction in
            try transaction.prepare(
                """
                UPDATE notifications SET fan_out_holder = NULL, fan_out_until = 0, fan_out_lease_count = 0
                WHERE id = ? AND fan_out_holder = ?
                """
            )
            .bind(fanOut.notification.row, fanOut.lease.holder)
            .run()
        }
    }

    /// Without a holder a fan-out is not under way; the count of its leases stays.
    public func nackFanOut(_ fanOut: FanOut) async throws {
        try await write { transaction in
            try transaction.prepare(
                "UPDATE notifications SET fan_out_holder = NULL WHERE id = ? AND fan_out_holder = ?"
            )
            .bind(fanOut.notification.row, fanOut.lease.holder)
            .run()
        }
    }
}

extension Transaction {
    /// Writes a part of an audience: claims, batches, suppressions, counters.
    ///
    /// - Returns: the batches that are leased with the reservation.
    @discardableResult
    func write(_ page: GatedPage, of head: NotificationHead, reservation: Reservation? = nil) throws -> [BegunBatch] {
        let (batches, duplicates) = try claim(page.batches, of: head)
        var change = CountChange()
        var begun: [BegunBatch] = []
        for batch in batches {
            if let reservation, let batch = try begin(batch, of: head, reservation) {
                begun.append(batch)
                change.planned += batch.draft.members.count
            } else {
                change.planned += try insert(batch, of: head, expiresAt: head.expiresAt)
            }
        }
        change.pending = change.planned
        change.suppressed = try suppress(page.suppressions, of: head.row)
        change.suppressed += try suppress(duplicates: duplicates, of: head.row)
        try count(change, of: head.row)
        return begun
    }

    /// Ends a fan-out: whether its audience was read to the end or not.
    func closeFanOut(_ notification: RowID<Notification>) throws {
        try forgetMoves(of: notification)
        try forgetTopic(of: notification)
        try prepare(
            "UPDATE notifications SET is_fan_out_open = 0, fan_out_holder = NULL, fan_out_until = 0 WHERE id = ?"
        )
        .bind(notification)
        .run()
        try finishIfOver(notification)
    }

    /// Fan-outs that nobody holds, most urgent and oldest first, of each app at most its share.
    fileprivate func openFanOuts(limit: Int, share: FanOutShare) throws -> [RowID<Notification>] {
        var found: [(row: RowID<Notification>, priority: Int64)] = []
        var last: RowID<App> = RowID(0)
        while let app = try prepare(SQL.nextFanOutApp).bind(last).first({ $0.row("app_id") as RowID<App> }) {
            last = app
            let capacity = min(limit, share.capacity(for: app))
            guard capacity > 0 else { continue }
            let isOtherAlone = try prepare(SQL.isFanOutAlone).bind(LeaseAdmission.aloneFrom, now, app).exists()
            found += try prepare(SQL.openFanOuts)
                .bind(app, now, isOtherAlone ? LeaseAdmission.aloneFrom : .max, LeaseAdmission.limit, capacity)
                .all { (row: $0.row("id"), priority: $0.int("priority")) }
        }
        return found.sorted { ($1.priority, $0.row) < ($0.priority, $1.row) }.prefix(limit).map(\.row)
    }

    fileprivate func take(
        _ row: RowID<Notification>,
        _ lease: Lease
    ) throws -> FanOut? {
        let found = try prepare(
            "SELECT cursor_major, cursor_minor, fan_out_lease_count FROM notifications WHERE id = ?"
        )
        .bind(row)
        .first {
            (
                cursor: FanOut.Cursor(major: $0.int("cursor_major"), minor: $0.int("cursor_minor")),
                failures: $0.count("fan_out_lease_count")
            )
        }
        guard let found else { return nil }
        let notification: Notification?
        do {
            notification = try self.notification(row)
        } catch is Failure {
            try quarantineFanOut(row, .unreadable, tries: found.failures)
            return nil
        }
        guard let notification else { return nil }
        let isOtherAlone = try prepare(SQL.isFanOutAlone)
            .bind(LeaseAdmission.aloneFrom, now, notification.app)
            .exists()
        switch LeaseAdmission(failures: found.failures, isOtherAlone: isOtherAlone) {
        case .lease: break
        case .wait, .extend: return nil
        case .quarantine:
            try quarantineFanOut(row, .crashed, tries: found.failures)
            return nil
        }
        try prepare(
            """
            UPDATE notifications SET fan_out_holder = ?, fan_out_until = ?,
                fan_out_lease_count = fan_out_lease_count + 1
            WHERE id = ?
            """
        )
        .bind(lease.holder, now + Lease.duration, row)
        .run()
        return FanOut(notification: notification, cursor: found.cursor, lease: lease)
    }

    fileprivate func commit(_ page: GatedPage, of fanOut: FanOut) throws -> FanOut? {
        let row = fanOut.notification.row
        // The cursor too, so that a page whose answer was lost is not written a second time.
        let isHeld = try prepare(
            """
            SELECT 1 FROM notifications
            WHERE id = ? AND fan_out_holder = ? AND is_fan_out_open = 1 AND cursor_major = ? AND cursor_minor = ?
            """
        )
        .bind(row, fanOut.lease.holder, fanOut.cursor.major, fanOut.cursor.minor)
        .exists()
        guard isHeld, let head = try head(of: row) else { return nil }
        try write(try withoutMet(page, of: row), of: head)
        guard let next = try page.next ?? beginningOfMoved(fanOut) else {
            try closeFanOut(row)
            return nil
        }
        try prepare(
            """
            UPDATE notifications SET cursor_major = ?, cursor_minor = ?, fan_out_until = ?, fan_out_lease_count = 0
            WHERE id = ?
            """
        )
        .bind(next.major, next.minor, now + Lease.duration, row)
        .run()
        var further = fanOut
        further.cursor = next
        return further
    }
}
