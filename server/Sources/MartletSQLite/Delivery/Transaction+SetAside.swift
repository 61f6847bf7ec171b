import MartletCore

extension Timestamp {
    /// Beyond all time: when what is set aside comes due.
    static let never = Timestamp(milliseconds: .max)
}

extension Transaction {
    /// Whether a lease of work that is suspect has just begun, in whatever lane.
    func isSuspectUnderWay() throws -> Bool {
        let latest = now + Lease.duration - LeaseTrial.alone
        return try prepare(SQL.suspectUnderWay).bind(LeaseTrial.suspectFrom, latest).exists()
    }

    /// Clears those suspects under way that lived through the time in which they were tried alone, as another one is about
    /// to be leased: should the server die now, it is that one which counts another try.
    func clearTriedSuspects() throws {
        try prepare(
            "UPDATE batches SET lease_count = ?1 WHERE lease_holder IS NOT NULL AND lease_count > ?1 AND due_at > ?2"
        )
        .bind(LeaseTrial.suspectFrom, now)
        .run()
    }

    /// Takes a batch out of its lane until somebody asks for it.
    func setAside(_ batch: RowID<Batch>, _ reason: SetAside.Reason, tries: Int) throws {
        try prepare("UPDATE batches SET lease_holder = NULL, due_at = ? WHERE id = ?")
            .bind(Timestamp.never, batch)
            .run()
        try prepare(
            """
            INSERT OR REPLACE INTO set_aside
                (public_id, app_id, notification_id, batch_id, reason, tries, set_aside_at)
            SELECT ?, app_id, notification_id, id, ?, ?, ? FROM batches WHERE id = ?
            """
        )
        .bind(makeID(), reason.code, tries, now, batch)
        .run()
    }

    /// Stops a notification's fan-out until somebody asks for it.
    func setAsideFanOut(_ notification: RowID<Notification>, _ reason: SetAside.Reason, tries: Int) throws {
        try prepare("UPDATE notifications SET fan_out_holder = NULL, fan_out_until = ? WHERE id = ?")
            .bind(Timestamp.never, notification)
            .run()
        try prepare("DELETE FROM set_aside WHERE notification_id = ? AND batch_id IS NULL").bind(notification).run()
        try prepare(
            """
            INSERT INTO set_aside (public_id, app_id, notification_id, batch_id, reason, tries, set_aside_at)
            SELECT ?, app_id, id, NULL, ?, ?, ? FROM notifications WHERE id = ?
            """
        )
        .bind(makeID(), reason.code, tries, now, notification)
        .run()
    }
}
