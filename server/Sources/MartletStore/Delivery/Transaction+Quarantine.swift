import MartletCore
import MartletWire

extension Transaction {
    /// Takes a batch out of its queue until somebody asks for it.
    func quarantine(_ batch: RowID<Batch>, _ reason: QuarantineReason, tries: Int) throws {
        try setState(.quarantined, of: batch)
        try prepare("UPDATE batches SET lease_process = NULL, lease_holder = NULL WHERE id = ?").bind(batch).run()
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

    /// Puts a batch back to its time, and a fan-out to now, as if they had never been tried.
    func release(_ work: QuarantinedWork) throws {
        try prepare(
            """
            UPDATE batches SET state = 1, lease_count = 0, lease_until = 0
            WHERE id = (SELECT batch_id FROM quarantine WHERE id = ?)
            """
        )
        .bind(work.row)
        .run()
        try prepare(
            """
            UPDATE fan_outs SET state = 1, lease_count = 0, lease_until = 0
            WHERE (notification_id, hold_id) IN (
                SELECT notification_id, hold_id FROM quarantine WHERE id = ? AND batch_id IS NULL
            )
            """
        )
        .bind(work.row)
        .run()
        try prepare("DELETE FROM quarantine WHERE id = ?").bind(work.row).run()
    }

    /// Stops a fan-out until somebody asks for it.
    func quarantineFanOut(_ key: FanOutKey, _ reason: QuarantineReason, tries: Int) throws {
        try prepare("UPDATE fan_outs SET state = 3, lease_holder = NULL WHERE notification_id = ? AND hold_id = ?")
            .bind(key.notification, key.hold)
            .run()
        try forgetQuarantine(of: key)
        try prepare(
            """
            INSERT INTO quarantine (public_id, app_id, notification_id, hold_id, batch_id, reason, tries, quarantined_at)
            SELECT ?, app_id, id, ?, NULL, ?, ?, ? FROM notifications WHERE id = ?
            """
        )
        .bind(makeID(), key.hold, reason.code, tries, now, key.notification)
        .run()
    }

    /// Forgets that a fan-out was quarantined.
    func forgetQuarantine(of key: FanOutKey) throws {
        try prepare("DELETE FROM quarantine WHERE notification_id = ? AND hold_id = ? AND batch_id IS NULL")
            .bind(key.notification, key.hold)
            .run()
    }
}
