public import MartletCore
import MartletWire

extension Store {
    /// Takes an item out of all inboxes and cancels what of its notification has not been sent. Again it changes nothing.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    public func recall(_ notification: RowID<MartletCore.Notification>) async throws -> Recall {
        try await write { transaction in
            guard try transaction.notification(notification) != nil else { throw Failure.notFound("notification") }
            let isFirst =
                try transaction.prepare("UPDATE notifications SET recalled_at = ? WHERE id = ? AND recalled_at IS NULL")
                .bind(transaction.now, notification)
                .changes() > 0
            let replaced = try transaction.recallItem(of: notification)
            try transaction.cancelIfOpen(notification)
            guard let recalled = try transaction.notification(notification) else {
                throw Failure.notFound("notification")
            }
            let badge = try transaction.prepare(
                "SELECT max(inbox_badge) AS inbox_badge FROM messages WHERE notification_id = ?"
            )
            .bind(notification)
            .first { try $0.optionalCode("inbox_badge", as: InboxBadgeName.self) }
            return Recall(notification: recalled, isFirst: isFirst, replaced: replaced, badge: badge ?? nil)
        }
    }
}

extension Transaction {
    /// Takes an item out of all inboxes, once.
    ///
    /// - Returns: notifications whose items it had replaced for somebody, the newest of them.
    fileprivate func recallItem(of notification: RowID<MartletCore.Notification>) throws -> [PublicID] {
        guard let item = try prepare(SQL.itemOfNotification).bind(notification).first(StoredInboxItem.init),
            !item.isRecalled
        else { return [] }
        try prepare("UPDATE inbox_items SET recalled_at = ? WHERE app_id = ? AND id = ?")
            .bind(now, item.app, item.number)
            .run()
        guard item.kind == .rows else {
            // The entries of who touched it count no more, and go with the item.
            _ = try nextSharedNumber(of: item.app)
            return []
        }
        let users = try prepare(SQL.entriesOfItem).bind(item.expiresAt, item.number, Int.max)
            .all { $0.row("user_id") as RowID<User> }
        let replaced = try item.key == nil ? [] : replacedItems(of: item, among: users)
        try write(SQL.touchInboxes, users)
        for user in users {
            try prepare("DELETE FROM inbox_entries WHERE user_id = ? AND item_id = ?").bind(user, item.number).run()
        }
        return replaced
    }

    private func replacedItems(of item: StoredInboxItem, among users: [RowID<User>]) throws -> [PublicID] {
        var numbers: Set<Int64> = []
        for user in users {
            try prepare(SQL.entry).bind(user, item.number)
                .forEach { numbers.formUnion(ReplacedItems($0.optionalText("replaced")).numbers) }
        }
        return try publicIDs(ofItems: Array(numbers.sorted(by: >).prefix(Recall.replacedLimit)), in: item.app)
    }
}
