import MartletCore
import MartletWire

extension SQL {
    /// The item that a notification left: notification.
    static let itemOfNotification = """
        SELECT id, app_id, kind, category_id, expires_at, key, last_user, recalled_at FROM inbox_items
        WHERE notification_id = ?
        """

    /// An item, in the order of its columns. A number that is taken writes nothing.
    static let insertItem = """
        INSERT INTO inbox_items (app_id, id, public_id, notification_id, category_id, published_at, mark, expires_at, kind,
            last_user, key, content)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (app_id, id) DO NOTHING
        """

    /// The next number of a shared item, or of its recall: app, the least that it is.
    static let nextSharedItem = """
        INSERT INTO app_sequences (app_id, inbox_item) VALUES (?, ?)
        ON CONFLICT (app_id) DO UPDATE SET inbox_item = CASE
            WHEN app_sequences.inbox_item < excluded.inbox_item THEN excluded.inbox_item
            ELSE app_sequences.inbox_item + \(AppSequences.sharedStep)
        END
        RETURNING inbox_item
        """

    /// Shared items leave when there are more than so many: now, app, how many.
    static let evictShared = """
        UPDATE inbox_items SET recalled_at = ?1 WHERE app_id = ?2 AND id IN (
            SELECT id FROM inbox_items /*+ inbox_items_shared */
            WHERE app_id = ?2 AND kind <> 1 AND recalled_at IS NULL AND expires_at > ?1 ORDER BY id DESC LIMIT 100 OFFSET ?3
        )
        """

    /// An item for people: item, category, expiry, users. Who has it keeps it as it is.
    static let insertEntries = KeyStatement(after: 3, row: { "(\($0), ?1, 1, ?2, ?3, 0, 0, 0)" }) { rows in
        """
        INSERT INTO inbox_entries (user_id, item_id, is_direct, category_id, expires_at, is_seen, is_read, is_archived)
        VALUES \(rows) ON CONFLICT (user_id, item_id) DO NOTHING
        """
    }

    /// An item that takes the place of the one before it under its key: item, category, expiry, key, users. A later one
    /// stays.
    static let replaceEntries = KeyStatement(after: 4, row: { "(\($0), ?1, 1, ?2, ?3, ?4, 0, 0, 0)" }) { rows in
        """
        INSERT INTO inbox_entries (user_id, item_id, is_direct, category_id, expires_at, key, is_seen, is_read, is_archived)
        VALUES \(rows)
        ON CONFLICT (user_id, key) WHERE key IS NOT NULL DO UPDATE SET
            item_id = excluded.item_id, category_id = excluded.category_id, expires_at = excluded.expires_at,
            replaced = substr(CAST(inbox_entries.item_id AS TEXT) || ',' || COALESCE(inbox_entries.replaced, ''), 1,
                \(ReplacedItems.limit)),
            is_seen = 0, is_read = 0, is_archived = 0, read_at = 0
        WHERE inbox_entries.item_id < excluded.item_id
        """
    }

    /// Takes those notifications back, as far as they are not over, whose items a newer one is about to replace: app, key,
    /// the newer item, reason, users.
    static let supersede = KeyStatement(after: 4) { users in
        """
        INSERT INTO withdrawals (notification_id, user_id, reason)
        SELECT i.notification_id, e.user_id, ?4 FROM inbox_entries e
            /*+ CROSS */ JOIN inbox_items i ON i.app_id = ?1 AND i.id = e.item_id
        WHERE e.key = ?2 AND e.item_id < ?3 AND e.user_id IN (\(users)) AND \(isOpen)
        ON CONFLICT (notification_id, user_id) DO NOTHING
        """
    }

    /// The item that a person has under the key of another item, which is newer: app, the other's id outside, user.
    static let newerVersion = """
        SELECT n.public_id FROM inbox_items i
            JOIN inbox_entries e ON e.user_id = ?3 AND e.key = i.key AND e.item_id > i.id
            JOIN inbox_items n ON n.app_id = ?1 AND n.id = e.item_id
        WHERE i.app_id = ?1 AND i.public_id = ?2 AND i.key IS NOT NULL
        """

    /// The notifications of some items, as far as they are not over: app, numbers.
    static let openNotifications = KeyStatement(after: 1) { items in
        "SELECT i.notification_id FROM inbox_items i WHERE i.app_id = ?1 AND i.id IN (\(items)) AND \(isOpen)"
    }

    /// What a person has not read up to an item and what that replaced: user, number, and the category where one is named.
    static func unreadReplaced(ofCategory: Bool) -> String {
        """
        SELECT replaced FROM inbox_entries /*+ inbox_entries_unread */
        WHERE user_id = ?1 AND is_direct = 1 AND is_read = 0 AND item_id <= ?2 AND replaced IS NOT NULL\
        \(ofCategory ? " AND category_id = ?3" : "")
        """
    }

    /// The inboxes of people changed: users.
    static let touchInboxes = KeyStatement(row: { "(\($0), 1)" }) { rows in
        """
        INSERT INTO inbox_state (user_id, revision) VALUES \(rows)
        ON CONFLICT (user_id) DO UPDATE SET revision = inbox_state.revision + 1
        """
    }

    /// Who has more items of their own than so many: how many, users.
    static let overfullInboxes = KeyStatement(after: 1) { users in
        """
        SELECT user_id FROM inbox_entries WHERE user_id IN (\(users)) AND is_direct = 1
        GROUP BY user_id HAVING count(*) > ?1
        """
    }

    /// The oldest of so many newest items of a person's own: user, how many less one.
    static let oldestKept = """
        SELECT item_id FROM inbox_entries WHERE user_id = ? AND is_direct = 1 ORDER BY item_id DESC LIMIT 1 OFFSET ?
        """

    /// Who of some people has an item of their own: item, users.
    static let holders = KeyStatement(after: 1) { users in
        "SELECT user_id FROM inbox_entries WHERE item_id = ?1 AND user_id IN (\(users))"
    }

    /// Who of a set has an item: app, block, item.
    static let set = "SELECT members FROM inbox_sets WHERE app_id = ? AND block = ? AND item_id = ?"

    /// A set: app, block, item, members.
    static let writeSet = """
        INSERT INTO inbox_sets (app_id, block, item_id, members) VALUES (?, ?, ?, ?)
        ON CONFLICT (app_id, block, item_id) DO UPDATE SET members = excluded.members
        """

    /// The sets in which some users stand, of some items: app, block, first item, last item.
    static let sets = """
        SELECT item_id, members FROM inbox_sets WHERE app_id = ? AND block = ? AND item_id BETWEEN ? AND ? ORDER BY item_id
        """

    /// The shared items that are live, newest first: app, number below which to look, now, limit.
    static let sharedItems = """
        SELECT id, kind, last_user, mark, category_id FROM inbox_items /*+ inbox_items_shared */
        WHERE app_id = ? AND kind <> 1 AND recalled_at IS NULL AND id < ? AND expires_at > ? ORDER BY id DESC LIMIT ?
        """

    /// What people did with all shared items: users.
    static let inboxStates = KeyStatement { users in
        """
        SELECT user_id, revision, seen_before, read_before, archived_before FROM inbox_state WHERE user_id IN (\(users))
        """
    }

    /// What people did with single shared items: first item, last item, users.
    static let sharedEntries = KeyStatement(after: 2) { users in
        """
        SELECT user_id, item_id, is_seen, is_read, is_archived FROM inbox_entries /*+ inbox_entries_shared */
        WHERE is_direct = 0 AND user_id IN (\(users)) AND item_id BETWEEN ?1 AND ?2
        """
    }

    /// How many items of their own people have not read: now, users.
    static let unreadOwn = KeyStatement(after: 1) { users in
        """
        SELECT user_id, count(*) AS amount FROM inbox_entries /*+ inbox_entries_unread */
        WHERE user_id IN (\(users)) AND is_direct = 1 AND is_read = 0 AND expires_at > ?1 GROUP BY user_id
        """
    }

    /// How many items of their own people have not seen: now, users.
    static let unseenOwn = KeyStatement(after: 1) { users in
        """
        SELECT user_id, count(*) AS amount FROM inbox_entries /*+ inbox_entries_unseen */
        WHERE user_id IN (\(users)) AND is_direct = 1 AND is_seen = 0 AND expires_at > ?1 GROUP BY user_id
        """
    }

    /// What people choose: users.
    static let inboxChoices = KeyStatement { users in
        "SELECT user_id, category_id, enabled, push, inbox FROM preferences WHERE user_id IN (\(users))"
    }

    /// What people, or the defaults (user 0), were before later changes: app, last change before them, users.
    static let inboxChanges = KeyStatement(after: 2) { users in
        """
        SELECT user_id, id, category_id, before_enabled AS enabled, before_push AS push, before_inbox AS inbox
        FROM preference_changes /*+ preference_changes_user */ WHERE user_id IN (\(users)) AND id > ?2 AND app_id = ?1
        """
    }

    /// An item by its id outside: app, id.
    static let itemByID = """
        SELECT id, kind, category_id, expires_at, last_user, mark, notification_id, recalled_at FROM inbox_items
        WHERE app_id = ? AND public_id = ?
        """

    /// What one person did with one item: user, item.
    static let entry = """
        SELECT is_direct, is_seen, is_read, is_archived, replaced FROM inbox_entries WHERE user_id = ? AND item_id = ?
        """

    /// Items with what they say: app, numbers.
    static let itemContents = KeyStatement(after: 1) { items in
        """
        SELECT i.id, i.public_id, i.published_at, i.expires_at, i.content, c.key AS category
        FROM inbox_items i LEFT JOIN categories c ON c.id = i.category_id WHERE i.app_id = ?1 AND i.id IN (\(items))
        """
    }

    /// Ids outside of items: app, numbers.
    static let itemIDs = KeyStatement(after: 1) { items in
        "SELECT id, public_id FROM inbox_items WHERE app_id = ?1 AND id IN (\(items))"
    }

    /// A person's own items, newest first: user, number below which to look, now, limit, category where one is named.
    static func ownItems(_ status: InboxStatusName, ofCategory: Bool) -> String {
        let condition =
            switch status {
            case .active: "is_archived = 0"
            case .unseen: "is_seen = 0"
            case .unread: "is_read = 0"
            case .read: "is_read = 1 AND is_archived = 0"
            case .archived: "is_archived = 1"
            }
        return """
            SELECT item_id, is_seen, is_read, is_archived FROM inbox_entries
            WHERE user_id = ?1 AND is_direct = 1 AND item_id < ?2 AND expires_at > ?3 AND \(condition)\
            \(ofCategory ? " AND category_id = ?5" : "") ORDER BY item_id DESC LIMIT ?4
            """
    }

    /// A person's newest own items above a number: user, number, limit.
    static let newestOwn = """
        SELECT item_id FROM inbox_entries WHERE user_id = ? AND is_direct = 1 AND item_id > ? ORDER BY item_id DESC LIMIT ?
        """

    /// A run of users by their ids outside: app, ids.
    static let inboxUsers = KeyStatement(after: 1) { ids in
        "SELECT id, external_id FROM users WHERE app_id = ?1 AND external_id IN (\(ids))"
    }
}
