import MartletCore
import MartletWire

extension Store {
    /// Reads the next part of a topic's audience; the message is matched with the policies as they are now, so that a
    /// policy that changes while the audience is read loses nobody.
    func topicAudience(of fanOut: FanOut, limit: Int) async throws -> AudiencePage {
        let policies = policies
        return try await readWithPolicies { transaction in
            let reading = try transaction.reading(of: fanOut.notification, policies)
            let page = try transaction.subscribers(reading, after: fanOut.cursor, limit: limit)
            return try transaction.adding(choicesFor: fanOut, to: page)
        }
    }

    /// Reads the next of those that changed their place in an audience while it was read.
    func movedAudience(of fanOut: FanOut, limit: Int) async throws -> AudiencePage {
        let policies = policies
        return try await readWithPolicies { transaction in
            guard fanOut.hold == nil, case .topic = fanOut.notification.audience else {
                return try transaction.adding(choicesFor: fanOut, to: transaction.moved(fanOut, limit: limit))
            }
            let reading = try transaction.reading(of: fanOut.notification, policies)
            let page = try transaction.moved(fanOut, limit: limit) { member, _ in
                try transaction.isSubscriber(member, reading)
            }
            return try transaction.adding(choicesFor: fanOut, to: page)
        }
    }
}

extension Transaction {
    /// Remembers from which topic, and up to which subscription, a notification's audience is read.
    func insertFanOut(_ row: RowID<Notification>, _ topic: RowID<Topic>, message: String) throws {
        try prepare(
            """
            INSERT INTO topic_fan_outs (notification_id, topic_id, last_subscription, message) VALUES (?, ?, ?, ?)
            """
        )
        .bind(row, topic, lastSubscription(), message)
        .run()
    }

    /// Forgets it when the audience is read to its end; the topic may go then, if it was deleted.
    func forgetTopic(of notification: RowID<Notification>) throws {
        try prepare("DELETE FROM topic_fan_outs WHERE notification_id = ?").bind(notification).run()
    }

    /// The subscription that was made last.
    func lastSubscription() throws -> Int64 {
        try prepare("SELECT coalesce(max(id), 0) AS last FROM subscriptions").first { $0.int("last") } ?? 0
    }

    fileprivate func reading(of notification: Notification, _ policies: PolicyIndexCache) throws -> TopicReading {
        let found = try prepare(
            "SELECT topic_id, last_subscription, message FROM topic_fan_outs WHERE notification_id = ?"
        )
        .bind(notification.row)
        .first { row in
            (
                topic: row.row("topic_id") as RowID<Topic>, last: row.int("last_subscription"),
                message: try row.json("message", as: TopicMessage.self)
            )
        }
        guard let found else { throw Row.damage("an audience without its topic") }
        return TopicReading(
            topic: found.topic,
            app: notification.app,
            lastSubscription: found.last,
            policies: try matching(found.message, of: found.topic, policies)
        )
    }
}
