import MartletCore

extension Timestamp {
    /// Beyond all time: when what is set aside comes due.
    static let never = Timestamp(milliseconds: .max)
}

extension Transaction {
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
