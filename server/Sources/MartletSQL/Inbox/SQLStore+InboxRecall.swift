public import MartletCore
import MartletWire

extension SQLStore {
    /// Hides a shared item for all by its row; an item of few is taken from each of them.
    public func recall(_ notification: RowID<MartletCore.Notification>) async throws -> MartletCore.Notification {
        try await write { transaction in
            guard try transaction.notification(notification) != nil else { throw Failure.notFound("notification") }
            try transaction.recallItem(of: notification)
            try transaction.cancelIfOpen(notification)
            guard let recalled = try transaction.notification(notification) else {
                throw Failure.notFound("notification")
            }
            return recalled
        }
    }
}

extension Transaction {
    /// Takes an item out of all inboxes, once.
    fileprivate func recallItem(of notification: RowID<MartletCore.Notification>) throws {
        guard let item = try prepare(SQL.itemOfNotification).bind(notification).first(StoredInboxItem.init),
            !item.isRecalled
        else { return }
        try prepare("UPDATE inbox_items SET recalled_at = ? WHERE app_id = ? AND id = ?")
            .bind(now, item.app, item.number)
            .run()
        guard item.kind == .rows else {
            // The entries of who touched it count no more, and go with the item.
            _ = try nextSharedNumber(of: item.app)
            return
        }
        let users = try prepare(SQL.entriesOfItem).bind(item.expiresAt, item.number, Int.max)
            .all { $0.row("user_id") as RowID<User> }
        try write(SQL.touchInboxes, users)
        for user in users {
            try prepare("DELETE FROM inbox_entries WHERE user_id = ? AND item_id = ?").bind(user, item.number).run()
        }
    }
}
