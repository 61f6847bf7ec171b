public import MartletCore
import MartletWire

extension SQLiteStore {
    /// Begins what is scheduled for now, and takes what nobody holds.
    public func leaseFanOuts(limit: Int, lease: Lease) async throws -> [FanOut] {
        try await write { transaction in
            try transaction.prepare(SQL.beginScheduled).bind(transaction.now).run()
            return try transaction.prepare(SQL.openFanOuts).bind(transaction.now, limit)
                .all { $0.row(0) as RowID<Notification> }
                .compactMap { try transaction.take($0, lease) }
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
                "UPDATE notifications SET fan_out_holder = NULL, fan_out_until = 0 WHERE id = ? AND fan_out_holder = ?"
            )
            .bind(fanOut.notification.row, fanOut.lease.holder)
            .run()
        }
    }
}

extension Transaction {
    fileprivate func take(_ row: RowID<Notification>, _ lease: Lease) throws -> FanOut? {
        try prepare("UPDATE notifications SET fan_out_holder = ?, fan_out_until = ? WHERE id = ?")
            .bind(lease.holder, now + Lease.duration, row)
            .run()
        let cursor = try prepare("SELECT cursor_major, cursor_minor FROM notifications WHERE id = ?").bind(row)
            .first { FanOut.Cursor(major: $0.int(0), minor: $0.int(1)) }
        guard let cursor, let notification = try notification(row) else { return nil }
        return FanOut(notification: notification, cursor: cursor, lease: lease)
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
        let (batches, duplicates) = try claim(page.batches, of: head)
        var change = CountChange()
        for batch in batches { change.planned += try insert(batch, of: head, expiresAt: head.expiresAt) }
        change.pending = change.planned
        change.suppressed = try suppress(page.suppressions, of: row)
        change.suppressed += try suppress(duplicates: duplicates, of: row)
        try count(change, of: row)
        guard let next = page.next else {
            try prepare(
                """
                UPDATE notifications SET is_fan_out_open = 0, fan_out_holder = NULL, fan_out_until = 0 WHERE id = ?
                """
            )
            .bind(row)
            .run()
            try finishIfOver(row)
            return nil
        }
        try prepare("UPDATE notifications SET cursor_major = ?, cursor_minor = ?, fan_out_until = ? WHERE id = ?")
            .bind(next.major, next.minor, now + Lease.duration, row)
            .run()
        var further = fanOut
        further.cursor = next
        return further
    }
}
