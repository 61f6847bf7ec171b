import MartletCore
import MartletWire

extension Transaction {
    /// Deletes a part of what a deleted topic leaves, the topic with the last one; says how many rows that were. A
    /// topic from which an audience is still read stays.
    func purgeDeletedTopics(before: Timestamp, limit: Int) throws -> Int {
        let topic = try prepare(
            """
            SELECT id FROM topics WHERE deleted_at <= ?
                AND NOT EXISTS (SELECT 1 FROM topic_fan_outs f WHERE f.topic_id = topics.id)
                AND NOT EXISTS (SELECT 1 FROM webhook_messages m WHERE m.topic_id = topics.id)
            ORDER BY deleted_at, id LIMIT 1
            """
        )
        .bind(before)
        .first { $0.row("id") as RowID<Topic> }
        return try topic.map { try forget($0, limit: limit) } ?? 0
    }

    /// Has the topics of an app that is being deleted go too.
    func hideTopics(of app: RowID<App>) throws {
        try prepare("UPDATE topics SET deleted_at = ? WHERE app_id = ? AND deleted_at IS NULL").bind(now, app).run()
    }

    /// Deletes a part of the subscriptions and topics of an app that is being deleted; says how many rows that were.
    func forgetTopics(of app: RowID<App>, limit: Int) throws -> Int {
        let ended = try prepare("SELECT id FROM subscriptions WHERE app_id = ? ORDER BY id LIMIT ?").bind(app, limit)
            .all { $0.row("id") as RowID<Subscription> }
        for row in ended {
            if let known = try subscription(.row(row)) {
                try endSubscription(known)
            } else {
                // Its topic was deleted: its policies go with it.
                try prepare("DELETE FROM subscriptions WHERE id = ?").bind(row).run()
            }
        }
        guard ended.isEmpty else { return ended.count }
        let topic = try prepare("SELECT id FROM topics WHERE app_id = ? ORDER BY region, id LIMIT 1").bind(app)
            .first { $0.row("id") as RowID<Topic> }
        return try topic.map { try forget($0, limit: limit) } ?? 0
    }

    private func forget(_ topic: RowID<Topic>, limit: Int) throws -> Int {
        for table in ["webhook_messages", "subscriptions", "filter_policies"] {
            let count = try prepare(
                "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE topic_id = ? ORDER BY id LIMIT ?)"
            )
            .bind(topic, limit)
            .changes()
            guard count == 0 else { return count }
        }
        return try prepare("DELETE FROM topics WHERE id = ?").bind(topic).changes()
    }
}
