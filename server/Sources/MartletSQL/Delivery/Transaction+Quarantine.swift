import MartletCore

extension Timestamp {
    /// Beyond all time: when what is quarantined comes due.
    static let never = Timestamp(milliseconds: .max)
}

extension Transaction {
    /// Takes a batch out of its queue until somebody asks for it.
    func quarantine(_ batch: RowID<Batch>, _ reason: QuarantinedWork.Reason, tries: Int) throws {
        try prepare("UPDATE batches SET lease_process = NULL, lease_holder = NULL, due_at = ? WHERE id = ?")
            .bind(Timestamp.never, batch)
            .run()
        try prepare("DELETE FROM quarantine WHERE batch_id = ?").bind(batch).run()
        try prepare(
            """
            INSERT INTO quarantine (public_id, app_id, notification_id, batch_id, reason, tries, quarantined_at)
            SELECT ?, app_id, notification_id, id, ?, ?, ? FROM batches WHERE id = ?
            """
        )
        .bind(makeID(), reason.code, tries, now, batch)
        .run()
    }

    /// Stops a notification's fan-out until somebody asks for it.
    func quarantineFanOut(_ notification: RowID<Notification>, _ reason: QuarantinedWork.Reason, tries: Int) throws {
        try prepare("UPDATE notifications SET fan_out_holder = NULL, fan_out_until = ? WHERE id = ?")
            .bind(Timestamp.never, notification)
            .run()
        try prepare("DELETE FROM quarantine WHERE notification_id = ? AND batch_id IS NULL").bind(notification).run()
        try prepare(
            """
            INSERT INTO quarantine (public_id, app_id, notification_id, batch_id, reason, tries, quarantined_at)
            SELECT ?, app_id, id, NULL, ?, ?, ? FROM notifications WHERE id = ?
            """
        )
        .bind(makeID(), reason.code, tries, now, notification)
        .run()
    }
}
