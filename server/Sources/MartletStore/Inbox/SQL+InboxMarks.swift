import MartletCore
import MartletWire

extension SQL {
    /// Whether the notification of an item i is not over.
    static let isOpen = """
        (EXISTS (SELECT 1 FROM batches b WHERE b.notification_id = i.notification_id)
            OR EXISTS (SELECT 1 FROM fan_outs f WHERE f.notification_id = i.notification_id))
        """

    /// Whether an item's notification is not over: app, item.
    static let isItemOpen = "SELECT 1 FROM inbox_items i WHERE i.app_id = ? AND i.id = ? AND \(isOpen)"

    /// The shared items whose notifications are not over, up to one and above one: app, last, first, now.
    static let openShared = """
        SELECT i.id, i.kind, i.last_user, i.mark, i.category_id, i.notification_id
        FROM inbox_items i /*+ inbox_items_shared */
        WHERE i.app_id = ? AND i.kind <> 1 AND i.recalled_at IS NULL AND i.id <= ? AND i.id > ? AND i.expires_at > ?
            AND \(isOpen) ORDER BY i.id
        """

    /// Takes those notifications back whose items a person has not read, up to one: app, user, number, and the category
    /// where one is named.
    static func withdrawOwn(ofCategory: Bool) -> String {
        """
        INSERT INTO withdrawals (notification_id, user_id, reason)
        SELECT i.notification_id, e.user_id, \(Suppression.Reason.readInInbox.code) FROM inbox_entries e /*+ inbox_entries_unread */
            /*+ CROSS */ JOIN inbox_items i ON i.app_id = ?1 AND i.id = e.item_id
        WHERE e.user_id = ?2 AND e.is_direct = 1 AND e.is_read = 0 AND e.item_id <= ?3 AND \(isOpen)\
        \(ofCategory ? " AND e.category_id = ?4" : "")
        ON CONFLICT (notification_id, user_id) DO NOTHING
        """
    }

    /// Marks what a person has an entry of, up to an item: user, number; of their own those of a category, where one is
    /// named; and now, where that reads them.
    static func markEntries(_ action: InboxAction, ofCategory: Bool) -> String {
        let read = "read_at = CASE WHEN is_read = 0 THEN ?\(ofCategory ? 4 : 3) ELSE read_at END"
        let (change, condition) =
            switch action {
            case .archive: ("is_seen = 1, is_read = 1, is_archived = 1, \(read)", "is_archived = 0")
            case .read: ("is_seen = 1, is_read = 1, \(read)", "is_read = 0")
            default: ("is_seen = 1", "is_seen = 0")
            }
        return """
            UPDATE inbox_entries SET \(change) WHERE user_id = ?1 AND item_id <= ?2 AND \(condition)\
            \(ofCategory ? " AND is_direct = 1 AND category_id = ?3" : "")
            """
    }

    /// The shared items of a category that are live, newest first: app, category, number below which to look, now, limit.
    static let sharedOfCategory = """
        SELECT id, kind, last_user, mark, category_id, expires_at, notification_id
        FROM inbox_items /*+ inbox_items_shared */
        WHERE app_id = ? AND kind <> 1 AND recalled_at IS NULL AND category_id = ? AND id < ? AND expires_at > ?
        ORDER BY id DESC LIMIT ?
        """

    /// Marks all shared items up to one: user, up to which they are seen, read and archived.
    static let markShared = """
        INSERT INTO inbox_state (user_id, revision, seen_before, read_before, archived_before) VALUES (?, 1, ?, ?, ?)
        ON CONFLICT (user_id) DO UPDATE SET revision = inbox_state.revision + 1,
            seen_before = CASE WHEN inbox_state.seen_before < excluded.seen_before THEN excluded.seen_before
                ELSE inbox_state.seen_before END,
            read_before = CASE WHEN inbox_state.read_before < excluded.read_before THEN excluded.read_before
                ELSE inbox_state.read_before END,
            archived_before = CASE WHEN inbox_state.archived_before < excluded.archived_before
                THEN excluded.archived_before ELSE inbox_state.archived_before END
        """

    /// What a person did with one item: user, item, whether it is their own, category, expiry, seen, read, archived, and
    /// now where it is read.
    static let markEntry = """
        INSERT INTO inbox_entries (user_id, item_id, is_direct, category_id, expires_at, is_seen, is_read, is_archived,
            read_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (user_id, item_id) DO UPDATE SET is_seen = excluded.is_seen, is_read = excluded.is_read,
            is_archived = excluded.is_archived,
            read_at = CASE WHEN inbox_entries.is_read = 1 AND excluded.is_read = 1 THEN inbox_entries.read_at
                ELSE excluded.read_at END
        """
}
