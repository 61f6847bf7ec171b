import MartletCore
import MartletWire

extension SQL {
    /// The entries of an item: its expiry, its number, limit.
    static let entriesOfItem = """
        SELECT user_id FROM inbox_entries /*+ inbox_entries_age */
        WHERE expires_at = ? AND item_id = ? ORDER BY user_id LIMIT ?
        """

    /// Entries of items that ended: moment, limit.
    static let endedEntries = """
        SELECT user_id, item_id FROM inbox_entries /*+ inbox_entries_age */
        WHERE expires_at <= ? ORDER BY expires_at, item_id, user_id LIMIT ?
        """

    /// The item that ended first: moment.
    static let endedItem = """
        SELECT app_id, id, kind FROM inbox_items /*+ inbox_items_age */
        WHERE expires_at <= ? ORDER BY expires_at, app_id, id LIMIT 1
        """

    /// The sets of an item: app, item, limit.
    static let setsOfItem = """
        SELECT block FROM inbox_sets /*+ inbox_sets_item */ WHERE app_id = ? AND item_id = ? ORDER BY block LIMIT ?
        """
}

extension Transaction {
    /// Deletes about `limit` rows of items that ended: entries first, then the sets of an item, and the item last, so that
    /// what an interrupted part leaves is found again.
    func purgeInbox(before: Timestamp, limit: Int) throws -> Int {
        let entries = try prepare(SQL.endedEntries).bind(before, limit)
            .all { (user: $0.row("user_id") as RowID<User>, item: $0.int("item_id")) }
        let delete = try prepare("DELETE FROM inbox_entries WHERE user_id = ? AND item_id = ?")
        for entry in entries { try delete.bind(entry.user, entry.item).run() }
        try write(SQL.touchInboxes, Set(entries.map(\.user)).sorted())
        var count = entries.count
        var changed: Set<RowID<App>> = []
        while count < limit,
            let item = try prepare(SQL.endedItem).bind(before).first({ row in
                (
                    app: row.row("app_id") as RowID<App>, number: row.int("id"),
                    kind: try row.code("kind", as: InboxItemKind.self)
                )
            })
        {
            count += try deleteSets(of: item.number, in: item.app, limit: limit - count)
            guard count < limit else { break }
            count += try prepare("DELETE FROM inbox_items WHERE app_id = ? AND id = ?").bind(item.app, item.number)
                .changes()
            if item.kind != .rows { changed.insert(item.app) }
        }
        for app in changed.sorted() { _ = try nextSharedNumber(of: app) }
        return count
    }

    private func deleteSets(of item: Int64, in app: RowID<App>, limit: Int) throws -> Int {
        let blocks = try prepare(SQL.setsOfItem).bind(app, item, limit).all { $0.int("block") }
        let delete = try prepare("DELETE FROM inbox_sets WHERE app_id = ? AND block = ? AND item_id = ?")
        for block in blocks { try delete.bind(app, block, item).run() }
        return blocks.count
    }

    /// Deletes a part of what an app that is being deleted left in inboxes, but for what people have of their own; says how
    /// many rows that were.
    func forgetInboxes(of app: RowID<App>, limit: Int) throws -> Int {
        let sets = try prepare("SELECT block, item_id FROM inbox_sets WHERE app_id = ? ORDER BY block, item_id LIMIT ?")
            .bind(app, limit)
            .all { (block: $0.int("block"), item: $0.int("item_id")) }
        let deleteSet = try prepare("DELETE FROM inbox_sets WHERE app_id = ? AND block = ? AND item_id = ?")
        for set in sets { try deleteSet.bind(app, set.block, set.item).run() }
        guard sets.isEmpty else { return sets.count }
        let items = try prepare("SELECT id FROM inbox_items WHERE app_id = ? ORDER BY id LIMIT ?").bind(app, limit)
            .all { $0.int("id") }
        let deleteItem = try prepare("DELETE FROM inbox_items WHERE app_id = ? AND id = ?")
        for item in items { try deleteItem.bind(app, item).run() }
        return items.count
    }
}
