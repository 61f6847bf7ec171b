extension SQL {
    /// Whether a topic has a confirmed web address: topic.
    static let webhookSubscriber = """
        SELECT 1 FROM subscriptions INDEXED BY subscriptions_webhooks
        WHERE topic_id = ? AND is_confirmed = 1 AND kind = 3 LIMIT 1
        """

    /// A topic's confirmed web addresses, with their policies: topic, after, last subscription, limit.
    static let webhookSubscribers = """
        SELECT id, address, policy_id FROM subscriptions INDEXED BY subscriptions_webhooks
        WHERE topic_id = ? AND is_confirmed = 1 AND kind = 3 AND id > ? AND id <= ? ORDER BY id LIMIT ?
        """

    /// The next message whose recipients are being read: the message after which to look.
    static let nextWebhookFanOut = """
        SELECT id, topic_id, cursor, last_subscription, filtered, message_group
        FROM webhook_messages INDEXED BY webhook_messages_fan_out
        WHERE fan_out = 1 AND id > ? ORDER BY id LIMIT 1
        """

    /// Messages of a group whose recipients are not read to their end: topic, group.
    static let webhookGroupFanOut = """
        SELECT id FROM webhook_messages INDEXED BY webhook_messages_group
        WHERE topic_id = ? AND message_group = ? AND fan_out <> 0 ORDER BY id LIMIT 1
        """

    /// The first delivery of a group to a subscription: subscription, group.
    static let webhookGroupDelivery = """
        SELECT id FROM webhook_deliveries INDEXED BY webhook_deliveries_group
        WHERE subscription_id = ? AND message_group = ? ORDER BY id LIMIT 1
        """

    /// When the first delivery is due.
    static let nextWebhookDue = "SELECT min(due_at) FROM webhook_deliveries"

    /// The next queue, and when its first delivery is due: the queue after which to look.
    static let nextWebhookQueue = """
        SELECT queue, due_at FROM webhook_deliveries INDEXED BY webhook_deliveries_queue
        WHERE queue > ? ORDER BY queue, due_at LIMIT 1
        """

    /// A queue's due deliveries: queue, now, limit.
    static let dueWebhooks = """
        SELECT id, message_id, subscription_id, message_group, attempts
        FROM webhook_deliveries INDEXED BY webhook_deliveries_queue
        WHERE queue = ? AND due_at <= ? ORDER BY due_at LIMIT ?
        """

    /// Forgets a message that everybody has: message.
    static let forgetWebhookMessage = """
        DELETE FROM webhook_messages WHERE id = ?1 AND fan_out = 0
            AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.message_id = ?1)
        """
}
